#include "core/gate/envelope.h"

#include <algorithm>
#include <array>
#include <set>

#include <boost/json/array.hpp>
#include <boost/json/string.hpp>

#include "core/base/encoding.h"
#include "core/base/files.h"
#include "core/base/names.h"
#include "core/policy/frontmatter.h"

namespace approval::gate {
namespace {

using base::Code;
using base::Fail;
using base::Json;
using base::JsonObject;
using Faults = std::vector<EnvelopeFault>;

constexpr std::size_t kMaxTaskFile = std::size_t{4} << 20;
// The largest amount that micro-dollars hold exactly; a larger one would count as none in budgets.
constexpr double kMaxCost = 9'007'199'254.740991;

// Judges the members of one object and collects what is wrong under its path.
class Members {
 public:
  Members(const JsonObject& object, std::string path, Faults& faults)
      : object_(object), path_(std::move(path)), faults_(faults) {}

  void Only(std::initializer_list<std::string_view> allowed) {
    for (const auto& member : object_) {
      const std::string_view key = member.key();
      if (std::find(allowed.begin(), allowed.end(), key) == allowed.end()) {
        faults_.push_back({path_, "additionalProperties",
                           "has a member that no envelope has: " + std::string(key)});
      }
    }
  }

  const Json* Get(std::string_view name, bool required) {
    const Json* member = object_.if_contains(name);
    if (member == nullptr && required) {
      faults_.push_back({path_, "required", std::string(name) + " is required"});
    }
    return member;
  }

  std::optional<std::string_view> Text(std::string_view name, bool required, bool may_be_empty) {
    const Json* member = Get(name, required);
    if (member == nullptr) return std::nullopt;
    if (!member->is_string()) {
      Add(name, "type", "must be a string");
      return std::nullopt;
    }
    const auto text = base::StringMember(object_, name);
    if (!may_be_empty && text->empty()) Add(name, "minLength", "must not be empty");
    return text;
  }

  void Number(std::string_view name, double least, double most) {
    const Json* member = Get(name, false);
    if (member == nullptr) return;
    const auto number = base::AsDouble(*member);
    if (!number) {
      Add(name, "type", "must be a number");
    } else if (!(*number >= least)) {
      Add(name, "minimum", "is too small");
    } else if (!(*number <= most)) {
      Add(name, "maximum", "is too large");
    }
  }

  void Add(std::string_view name, std::string_view keyword, std::string_view message) {
    faults_.push_back(
        {path_ + "/" + std::string(name), std::string(keyword), std::string(message)});
  }

  const std::string& path() const { return path_; }

 private:
  const JsonObject& object_;
  std::string path_;
  Faults& faults_;
};

const JsonObject* AsObject(const Json* value, const std::string& path, Faults& faults) {
  if (value == nullptr) return nullptr;
  if (!value->is_object()) {
    faults.push_back({path, "type", "must be a map"});
    return nullptr;
  }
  return &value->get_object();
}

// `^[a-z0-9_-]+(\.[a-z0-9_-]+)*$`, looser than a concrete class.
bool IsEnvelopeClass(std::string_view text) {
  bool fresh = true;
  for (const char c : text) {
    if (c == '.') {
      if (fresh) return false;
      fresh = true;
      continue;
    }
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-')) return false;
    fresh = false;
  }
  return !fresh;
}

// `^[0-9]+(ms|s|m|h|d)$`
bool IsLatency(std::string_view text) {
  const std::size_t digits = text.find_first_not_of("0123456789");
  if (digits == 0 || digits == std::string_view::npos) return false;
  const std::string_view unit = text.substr(digits);
  return unit == "ms" || unit == "s" || unit == "m" || unit == "h" || unit == "d";
}

// `human` or `agent:` and something, to the end of the string.
bool IsAssignee(std::string_view text) {
  if (text == "human") return true;
  return base::IsActorOf("agent:", text) && text.find_first_of("\r\n") == std::string_view::npos;
}

void CheckAction(const Json& value, const std::string& path, Faults& faults,
                 std::set<std::string>& keys) {
  const JsonObject* action = AsObject(&value, path, faults);
  if (action == nullptr) return;
  Members members(*action, path, faults);
  members.Only(
      {"class", "idempotency_key", "summary", "reversible", "est_cost_usd", "payload_hash"});
  if (const auto text = members.Text("class", true, true); text && !IsEnvelopeClass(*text)) {
    members.Add("class", "pattern", "must be lowercase segments joined by dots");
  }
  if (const auto key = members.Text("idempotency_key", true, false); key && !key->empty()) {
    // Two actions under one key would let a request and a run mean different things.
    if (!keys.emplace(*key).second) {
      members.Add("idempotency_key", "uniqueItems", "is the key of another action of this task");
    }
  }
  members.Text("summary", false, true);
  if (const Json* reversible = members.Get("reversible", false);
      reversible != nullptr && !reversible->is_bool()) {
    members.Add("reversible", "type", "must be true or false");
  }
  members.Number("est_cost_usd", 0, kMaxCost);
  if (const auto hash = members.Text("payload_hash", false, true); hash && !base::IsHex64(*hash)) {
    members.Add("payload_hash", "pattern", "must be 64 lowercase hex digits");
  }
}

void CheckOrigin(const Json* value, Faults& faults) {
  const JsonObject* origin = AsObject(value, "/origin", faults);
  if (origin == nullptr) return;
  Members members(*origin, "/origin", faults);
  members.Only({"app", "created_by"});
  members.Text("app", true, false);
  if (const auto by = members.Text("created_by", true, true); by && !base::IsHumanOrAgent(*by)) {
    members.Add("created_by", "pattern", "must be human: or agent: and a name");
  }
}

void CheckRoute(const Json* value, Faults& faults) {
  const JsonObject* route = AsObject(value, "/route", faults);
  if (route == nullptr) return;
  Members members(*route, "/route", faults);
  members.Only({"assignee", "rationale", "confidence"});
  if (const auto to = members.Text("assignee", false, true); to && !IsAssignee(*to)) {
    members.Add("assignee", "pattern", "must be human, or agent: and a name");
  }
  members.Text("rationale", false, true);
  members.Number("confidence", 0, 1);
}

void CheckBudget(const Json* value, Faults& faults) {
  const JsonObject* budget = AsObject(value, "/budget", faults);
  if (budget == nullptr) return;
  Members members(*budget, "/budget", faults);
  members.Only({"max_cost_usd", "max_latency"});
  members.Number("max_cost_usd", 0, kMaxCost);
  if (const auto wait = members.Text("max_latency", false, true); wait && !IsLatency(*wait)) {
    members.Add("max_latency", "pattern", "must be a number and ms, s, m, h or d");
  }
}

// `task-042` out of `task-042 - Chase deposit.md`.
std::string IdFromFileName(const std::string& path) {
  const std::string name = base::BaseName(path);
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  if (name.empty() || !letter(name.front())) return {};
  std::size_t at = 0;
  while (at < name.size() && (letter(name[at]) || digit(name[at]) || name[at] == '_')) ++at;
  if (at >= name.size() || name[at] != '-') return {};
  const std::size_t dash = at++;
  while (at < name.size() && digit(name[at])) ++at;
  return at == dash + 1 ? std::string() : name.substr(0, at);
}

}  // namespace

Faults ValidateEnvelope(const Json& value) {
  Faults faults;
  const JsonObject* envelope = AsObject(&value, "", faults);
  if (envelope == nullptr) return faults;
  Members members(*envelope, "", faults);
  members.Only({"origin", "state", "route", "actions", "budget"});
  CheckOrigin(members.Get("origin", true), faults);
  static constexpr std::array kStates = {"proposed", "awaiting", "approved", "executed",
                                         "rejected", "expired",  "revoked"};
  if (const auto state = members.Text("state", true, true);
      state && std::find(kStates.begin(), kStates.end(), *state) == kStates.end()) {
    members.Add("state", "enum", "is not a state of a task");
  }
  CheckRoute(members.Get("route", false), faults);
  CheckBudget(members.Get("budget", false), faults);
  if (const Json* actions = members.Get("actions", false); actions != nullptr) {
    if (!actions->is_array()) {
      members.Add("actions", "type", "must be a list");
    } else {
      std::set<std::string> keys;
      std::size_t index = 0;
      for (const Json& action : actions->get_array()) {
        CheckAction(action, "/actions/" + std::to_string(index++), faults, keys);
      }
    }
  }
  return faults;
}

base::Result<TaskFile> ReadTaskFile(const std::string& path) {
  const auto text = base::ReadFile(path, kMaxTaskFile);
  if (!text) return Fail(Code::kTaskFileUnreadable, text.error().message);
  TaskFile task;
  auto front = policy::ParseFrontmatter(*text);
  if (!front) {
    if (front.error().code == Code::kNoFrontmatter) {
      task.missing = Missing::kNoFrontmatter;
      task.id = IdFromFileName(path);
      return task;
    }
    return Fail(Code::kEnvelopeInvalid,
                "the frontmatter of " + path + " cannot be read: " + front.error().message);
  }
  const auto id = base::StringMember(*front, "id");
  if (id) task.id = *id;
  const Json* envelope = front->if_contains("approval");
  if (envelope == nullptr) {
    task.missing = Missing::kNoApprovalKey;
    return task;
  }
  if (!id || id->empty()) {
    return Fail(Code::kEnvelopeInvalid, path + " has no `id` that is a string");
  }
  const Faults faults = ValidateEnvelope(*envelope);
  if (!faults.empty()) {
    base::Error error{Code::kEnvelopeInvalid, "the envelope in " + path +
                                                  " is not valid: " + faults.front().path + " " +
                                                  faults.front().message};
    base::JsonArray list;
    for (const EnvelopeFault& fault : faults) {
      list.push_back(
          JsonObject{{"path", fault.path}, {"keyword", fault.keyword}, {"message", fault.message}});
    }
    error.details["errors"] = std::move(list);
    return Fail(std::move(error));
  }
  task.envelope = envelope->get_object();
  return task;
}

}  // namespace approval::gate
