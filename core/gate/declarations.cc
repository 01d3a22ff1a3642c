#include "core/gate/declarations.h"

#include <boost/json/array.hpp>

#include "core/base/encoding.h"
#include "core/gate/state.h"

namespace approval::gate {
namespace {

using base::Code;
using base::Json;
using base::JsonObject;
using log::Record;

const base::JsonArray* ActionsOf(const Record& record) {
  if (record.event != "task.registered") return nullptr;
  const Json* actions = record.payload.if_contains("actions");
  return actions == nullptr ? nullptr : actions->if_array();
}

// Whether the action declares the key and can be judged: without a class no rule applies to it, and
// a cost that cannot be read would count as none.
bool Declares(const Json& action, std::string_view key) {
  if (!action.is_object()) return false;
  const JsonObject& members = action.get_object();
  if (base::StringMember(members, "idempotency_key") != key) return false;
  const Json* cost = members.if_contains("est_cost_usd");
  return base::StringMember(members, "class").has_value() &&
         (cost == nullptr || cost->is_null() || base::MoneyFromJson(*cost).has_value());
}

Declaration Read(const Record& record, const JsonObject& action) {
  Declaration found;
  found.task = record.task.value_or("");
  found.action_class = std::string(base::StringMember(action, "class").value_or(""));
  if (const auto summary = base::StringMember(action, "summary")) found.summary = *summary;
  if (const Json* reversible = action.if_contains("reversible");
      reversible != nullptr && reversible->is_bool()) {
    found.reversible = reversible->get_bool();
  }
  if (const Json* cost = action.if_contains("est_cost_usd")) {
    found.est_cost = base::MoneyFromJson(*cost);
  }
  if (const auto hash = base::StringMember(action, "payload_hash"); hash && base::IsHex64(*hash)) {
    found.payload_hash = *hash;
  }
  return found;
}

}  // namespace

base::Result<Declaration> DeclaredInTask(const log::VerifiedLog& log, std::string_view task,
                                         std::string_view key) {
  const Record* latest = nullptr;
  for (const Record& record : log.records()) {
    if (record.event == "task.registered" && record.task == task) latest = &record;
  }
  if (latest == nullptr) {
    return base::Fail(Code::kNotRegistered,
                      "no such task is registered; register its task file "
                      "first with `approval register <task-file>`");
  }
  if (const base::JsonArray* actions = ActionsOf(*latest)) {
    for (const Json& action : *actions) {
      if (Declares(action, key)) return Read(*latest, action.get_object());
    }
  }
  return base::Fail(Code::kActionNotRegistered,
                    "the task's envelope declares no action with this key; a new action needs a "
                    "new registration");
}

base::Result<Declaration> DeclaredAnywhere(const log::VerifiedLog& log, std::string_view key) {
  std::optional<Declaration> found;
  bool several = false;
  for (const Record& record : log.records()) {
    const base::JsonArray* actions = ActionsOf(record);
    if (actions == nullptr) continue;
    for (const Json& action : *actions) {
      if (!Declares(action, key)) continue;
      if (found && found->task != record.task) several = true;
      found = Read(record, action.get_object());
    }
  }
  if (!found || several) {
    return base::Fail(Code::kActionNotRegistered,
                      several ? "more than one task declares this key; it cannot be run"
                              : "no registered task declares this key; register it first");
  }
  return *found;
}

std::optional<std::string> TaskDeclaring(const log::VerifiedLog& log, std::string_view key) {
  for (const Record& record : log.records()) {
    const base::JsonArray* actions = ActionsOf(record);
    if (actions == nullptr) continue;
    for (const Json& action : *actions) {
      if (Declares(action, key)) return record.task;
    }
  }
  return std::nullopt;
}

}  // namespace approval::gate
