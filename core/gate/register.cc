#include <boost/json/array.hpp>

#include "core/base/names.h"
#include "core/gate/envelope.h"
#include "core/gate/facts.h"

namespace approval::gate {
namespace {

using base::Code;
using base::Fail;
using base::Json;
using base::JsonObject;
using base::Result;

// Amounts of an envelope, written as level N writes them.
Json Money(const Json& number) {
  const auto micros = base::MoneyFromJson(number);
  return micros ? Json(base::MoneyText(*micros)) : number;
}

base::JsonArray ActionsFor(const JsonObject& envelope) {
  base::JsonArray list;
  const Json* actions = envelope.if_contains("actions");
  if (actions == nullptr || !actions->is_array()) return list;
  for (const Json& action : actions->get_array()) {
    JsonObject copy = action.get_object();
    if (Json* cost = copy.if_contains("est_cost_usd")) *cost = Money(*cost);
    list.push_back(std::move(copy));
  }
  return list;
}

}  // namespace

Result<Registered> Gate::Register(const std::string& task_file, const std::string& actor) {
  if (!base::IsHumanOrAgent(actor)) {
    return Fail(Code::kActorInvalid, "an actor is human: or agent: and a name");
  }
  auto task = ReadTaskFile(task_file);
  if (!task) return tl::unexpected(task.error());
  return log_.Transact<Registered>([&](log::Session& session) -> Result<Registered> {
    bool known = false;
    for (const log::Record& record : session.log().records()) {
      known = known || (record.event == "task.registered" && record.task == task->id);
    }
    if (task->missing != Missing::kNothing) {
      const std::string what = task->missing == Missing::kNoFrontmatter
                                   ? task_file + " has no frontmatter"
                                   : task_file + " has no `approval` in its frontmatter";
      if (known && !task->id.empty()) {
        return Fail(Code::kEnvelopeMissing,
                    what + " although the task is registered; its envelope was removed");
      }
      return Fail(Code::kEnvelopeInvalid, what);
    }
    if (known) {
      return Fail(Code::kTaskAlreadyRegistered,
                  "this task is registered already; a task is registered once");
    }
    base::JsonArray actions = ActionsFor(task->envelope);
    for (const Json& action : actions) {
      const std::string key(*base::StringMember(action.get_object(), "idempotency_key"));
      if (const auto other = TaskDeclaring(session.log(), key)) {
        return Fail(Code::kTaskAlreadyRegistered,
                    "a key of this task is declared by another task already; keys are unique");
      }
    }
    Registered answer;
    answer.task = task->id;
    answer.actions = actions.size();
    log::Draft draft{"task.registered", actor, task->id};
    JsonObject payload;
    payload["actions"] = std::move(actions);
    payload["state"] = task->envelope.at("state");
    if (const Json* budget = task->envelope.if_contains("budget")) {
      JsonObject copy = budget->get_object();
      if (Json* most = copy.if_contains("max_cost_usd")) *most = Money(*most);
      payload["budget"] = std::move(copy);
    }
    draft.payload = std::move(payload);
    const auto appended = session.Append(draft);
    if (!appended) return tl::unexpected(appended.error());
    answer.seq = appended->seq;
    return answer;
  });
}

}  // namespace approval::gate
