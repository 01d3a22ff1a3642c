#include "core/log/event_schema.h"

#include <algorithm>
#include <array>

#include "core/base/encoding.h"
#include "core/base/instant.h"
#include "core/base/names.h"
#include "core/base/utf8.h"
#include "core/log/payload_schema.h"

namespace approval::log {
namespace {

using base::Json;
using base::JsonObject;

enum class ActorRule { kAny, kHuman, kSystem, kSystemLog, kHumanOrAgent, kWithdrawer };

struct EventRule {
  std::string_view name;
  bool task;
  bool key;
  ActorRule actor;
};

constexpr std::array kRules = {
    EventRule{"approval.requested", true, true, ActorRule::kAny},
    EventRule{"approval.granted", true, true, ActorRule::kHuman},
    EventRule{"approval.rejected", true, true, ActorRule::kHuman},
    EventRule{"approval.expired", true, true, ActorRule::kAny},
    EventRule{"approval.revoked", true, true, ActorRule::kAny},
    EventRule{"approval.withdrawn", true, true, ActorRule::kWithdrawer},
    EventRule{"execution.started", true, true, ActorRule::kAny},
    EventRule{"execution.completed", true, true, ActorRule::kAny},
    EventRule{"execution.failed", true, true, ActorRule::kAny},
    EventRule{"task.registered", true, false, ActorRule::kAny},
    EventRule{"route.proposed", true, false, ActorRule::kAny},
    EventRule{"route.accepted", true, false, ActorRule::kAny},
    EventRule{"envelope.drift", true, false, ActorRule::kAny},
    EventRule{"budget.exceeded", true, false, ActorRule::kAny},
    EventRule{"audit.reviewed", false, false, ActorRule::kHuman},
    EventRule{"audit.sampled", false, false, ActorRule::kAny},
    EventRule{"payload.pruned", false, false, ActorRule::kSystem},
    EventRule{"policy.updated", false, false, ActorRule::kAny},
    // Level N
    EventRule{"execution.indeterminate", true, true, ActorRule::kAny},
    EventRule{"execution.reconciled", true, true, ActorRule::kHuman},
    EventRule{"policy.proposed", false, false, ActorRule::kHumanOrAgent},
    EventRule{"policy.declined", false, false, ActorRule::kHuman},
    EventRule{"audit.dark_session", false, false, ActorRule::kSystem},
    EventRule{"audit.decision_refused", false, false, ActorRule::kSystem},
    EventRule{"audit.gesture_refused", false, false, ActorRule::kSystem},
    EventRule{"audit.question_preempted", false, false, ActorRule::kSystem},
    EventRule{"audit.lock_reclaimed", false, false, ActorRule::kSystemLog},
    EventRule{"reconciliation.required", false, false, ActorRule::kSystem},
    EventRule{"reconciliation.satisfied", false, false, ActorRule::kHuman},
    EventRule{"gate.opened", false, false, ActorRule::kHuman},
    EventRule{"gate.closed", false, false, ActorRule::kHuman},
    EventRule{"gate.bypassed", false, false, ActorRule::kHumanOrAgent},
    EventRule{"gate.organ.attested", false, false, ActorRule::kHuman},
    EventRule{"gate.path.signed_off", false, false, ActorRule::kHuman},
    EventRule{"log.checkpoint", false, false, ActorRule::kHuman},
};

const EventRule* RuleFor(std::string_view event) {
  const auto found = std::find_if(kRules.begin(), kRules.end(),
                                  [&](const EventRule& rule) { return rule.name == event; });
  return found == kRules.end() ? nullptr : &*found;
}

bool StartsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

bool ActorAllowed(ActorRule rule, std::string_view actor) {
  switch (rule) {
    case ActorRule::kAny:
      return true;
    case ActorRule::kHuman:
      return StartsWith(actor, "human:");
    case ActorRule::kSystem:
      return StartsWith(actor, "system:");
    case ActorRule::kSystemLog:
      return actor == "system:log";
    case ActorRule::kHumanOrAgent:
      return StartsWith(actor, "human:") || StartsWith(actor, "agent:");
    case ActorRule::kWithdrawer:
      return true;  // judged with the payload's reason
  }
  return false;
}

bool IsDaemonId(std::string_view text) {
  if (text.empty() || text.size() > 64) return false;
  const auto lower = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return lower(text.front()) && std::all_of(text.begin(), text.end(), [&](char c) {
           return lower(c) || c == '.' || c == '_' || c == '-';
         });
}

class Check {
 public:
  Check(const JsonObject& record, Violations& found) : record_(record), found_(found) {}

  void Members() {
    static constexpr std::array kAllowed = {"seq",        "ts",      "event",   "actor",
                                            "alg",        "prev",    "hash",    "task",
                                            "action_key", "channel", "payload", "daemon"};
    for (const auto& member : record_) {
      const std::string_view key = member.key();
      if (std::none_of(kAllowed.begin(), kAllowed.end(),
                       [&](const char* name) { return key == name; })) {
        Add(key, "additionalProperties", "no such member exists in a record");
      }
    }
    Seq();
    if (const auto ts = Text("ts", true); ts && !base::IsDateTime(*ts)) {
      Add("ts", "format", "not a date-time");
    }
    if (const auto actor = Text("actor", true); actor && !base::IsActor(*actor)) {
      Add("actor", "pattern", "an actor is human:, agent: or system: and a name");
    }
    if (const auto alg = Text("alg", true); alg && *alg != "sha256/jcs") {
      Add("alg", "const", "the algorithm is sha256/jcs");
    }
    if (const auto hash = Text("hash", true); hash && !base::IsHex64(*hash)) {
      Add("hash", "pattern", "64 lowercase hex digits are due");
    }
    Prev();
    for (const char* name : {"task", "action_key", "channel"}) {
      if (const auto text = Text(name, false); text && text->empty()) {
        Add(name, "minLength", "may be left out but not empty");
      }
    }
    if (const auto daemon = Text("daemon", false); daemon && !IsDaemonId(*daemon)) {
      Add("daemon", "pattern", "not a daemon id");
    }
    if (const Json* payload = record_.if_contains("payload");
        payload != nullptr && !payload->is_object()) {
      Add("payload", "type", "must be an object");
    }
  }

  // The rule of the record's event, or nothing when the type is unknown.
  const EventRule* Event() {
    const auto event = Text("event", true);
    if (!event) return nullptr;
    const EventRule* rule = RuleFor(*event);
    if (rule == nullptr) {
      Add("event", "enum", "unknown event type");
      return nullptr;
    }
    if (rule->task && !record_.contains("task")) Add("task", "required", "is required");
    if (rule->key && !record_.contains("action_key")) Add("action_key", "required", "is required");
    const auto actor = base::StringMember(record_, "actor");
    if (actor && !ActorAllowed(rule->actor, *actor)) {
      Add("actor", "pattern", "this event may not be written by such an actor");
    }
    return rule;
  }

 private:
  void Add(std::string_view name, std::string_view keyword, std::string_view message) {
    found_.push_back({"/" + std::string(name), std::string(keyword), std::string(message)});
  }

  std::optional<std::string_view> Text(std::string_view name, bool required) {
    const Json* member = record_.if_contains(name);
    if (member == nullptr) {
      if (required) Add(name, "required", "is required");
      return std::nullopt;
    }
    if (!member->is_string()) {
      Add(name, "type", "must be a string");
      return std::nullopt;
    }
    return base::StringMember(record_, name);
  }

  void Seq() {
    const Json* seq = record_.if_contains("seq");
    if (seq == nullptr) {
      Add("seq", "required", "is required");
    } else if (!base::IsIntegral(*seq)) {
      Add("seq", "type", "must be an integer");
    } else if (*base::AsDouble(*seq) < 1) {
      Add("seq", "minimum", "must be at least 1");
    }
  }

  void Prev() {
    const Json* prev = record_.if_contains("prev");
    if (prev == nullptr) {
      Add("prev", "required", "must be there, null in the first record");
    } else if (!prev->is_null() &&
               !(prev->is_string() && base::IsHex64(*base::StringMember(record_, "prev")))) {
      Add("prev", "pattern", "null or 64 lowercase hex digits are due");
    }
  }

  const JsonObject& record_;
  Violations& found_;
};

}  // namespace

std::vector<Violation> ValidateRecord(const JsonObject& record, SchemaUse use) {
  Violations found;
  Check check(record, found);
  check.Members();
  if (const EventRule* rule = check.Event(); rule != nullptr) {
    ValidatePayload(record, rule->name, use, found);
  }
  return found;
}

bool IsKnownEvent(std::string_view event) { return RuleFor(event) != nullptr; }

bool IsGateEvent(std::string_view event) {
  for (const std::string_view prefix : {"approval.", "execution.", "budget.", "audit.", "gate."}) {
    if (StartsWith(event, prefix)) return true;
  }
  return event == "policy.updated" || event == "log.checkpoint";
}

}  // namespace approval::log
