#include "gateway/verbs/handlers.h"
#include "render/quote.h"

namespace approval::gateway {

using base::JsonObject;
using render::QuoteLine;

int DecideVerb(Invocation& call) {
  const auto key = call.Positional(0, "<key>");
  if (!key) return call.Usage(key.error().message);
  const auto human = call.HumanActor();
  if (!human) return call.Usage(human.error().message);
  gate::DecisionAsk ask;
  ask.decision = call.verb().name == "grant"    ? gate::Decision::kGrant
                 : call.verb().name == "reject" ? gate::Decision::kReject
                                                : gate::Decision::kRevoke;
  ask.action_key = *key;
  ask.actor = *human;
  ask.note = call.args().Flag("note");
  const auto decided = call.MakeGate().Decide(ask);
  if (!decided) return call.Refuse(decided.error());
  JsonObject answer{{"ok", true},
                    {"decision", gate::Spelling(decided->decision)},
                    {"state", gate::Spelling(decided->state)},
                    {"action_key", decided->action_key},
                    {"seq", decided->seq}};
  std::string words = std::string(gate::Spelling(decided->state)) + " " + QuoteLine(*key) +
                      " at record " + std::to_string(decided->seq);
  if (decided->token) {
    // The raw token appears here and nowhere else.
    answer["token"] = decided->token->Reveal();
    words += "\ntoken (shown once): " + std::string(decided->token->Reveal());
    if (decided->sealed) words += "\nthe requester can open its sealed copy by itself";
    const std::string shown = QuoteLine(*key);
    words += "\nnext: the agent runs approval adapter email " + shown +
             " --payload <file>   or: approval run " + shown + " -- <command>";
  }
  return call.Succeed(answer, words);
}

int WithdrawVerb(Invocation& call) {
  const auto task = call.Positional(0, "<task>");
  if (!task) return call.Usage(task.error().message);
  const auto key = call.args().Flag("action");
  if (!key || key->empty()) return call.Usage("missing --action <key>");
  const auto actor = call.Actor();
  if (!actor) return call.Usage(actor.error().message);
  const std::string reason = call.args().FlagOr("reason", "cancelled");
  if (reason != "timeout" && reason != "cancelled" && reason != "superseded") {
    return call.Usage("--reason takes timeout, cancelled or superseded");
  }
  const auto withdrawn =
      call.MakeGate().Withdraw(*task, *key, *actor, reason, call.args().Flag("note"));
  if (!withdrawn) return call.Refuse(withdrawn.error());
  return call.Succeed(
      {{"ok", true},
       {"task", withdrawn->task},
       {"action_key", withdrawn->action_key},
       {"state", "withdrawn"},
       {"reason", withdrawn->reason},
       {"seq", withdrawn->seq}},
      "withdrew " + QuoteLine(*key) + " at record " + std::to_string(withdrawn->seq));
}

int ExpireVerb(Invocation& call) {
  const auto key = call.Positional(0, "<key>");
  if (!key) return call.Usage(key.error().message);
  const auto seq = call.MakeGate().Expire(*key);
  if (!seq) return call.Refuse(seq.error());
  return call.Succeed({{"ok", true}, {"action_key", *key}, {"actor", "system:gate"}, {"seq", *seq}},
                      "expired " + QuoteLine(*key) + " at record " + std::to_string(*seq));
}

}  // namespace approval::gateway
