#include "core/base/encoding.h"
#include "gateway/verbs/handlers.h"

namespace approval::gateway {

using base::JsonObject;

namespace {

base::Json OrNull(const std::optional<std::string>& text) {
  return text ? base::Json(*text) : base::Json(nullptr);
}

}  // namespace

int TokenVerb(Invocation& call) {
  const auto key = call.Positional(0, "<key>");
  if (!key) return call.Usage(key.error().message);
  const auto view = call.MakeGate().Token(*key);
  if (!view) return call.Refuse(view.error());
  return call.Succeed({{"ok", true},
                       {"action_key", view->action_key},
                       {"state", "granted"},
                       {"live", true},
                       {"token_sha256", view->token_sha256},
                       {"grant_seq", view->grant_seq},
                       {"class", OrNull(view->action_class)},
                       {"est_cost_usd", base::MoneyText(view->est_cost)},
                       {"payload_hash", OrNull(view->payload_hash)},
                       {"task", OrNull(view->task)}},
                      "live: granted at record " + std::to_string(view->grant_seq));
}

int ConsumeVerb(Invocation& call) {
  const auto key = call.Positional(0, "<key>");
  if (!key) return call.Usage(key.error().message);
  const auto token = call.args().Flag("token");
  if (!token || token->empty()) return call.Usage("missing --token <token>");
  const auto actor = call.Actor();
  if (!actor) return call.Usage(actor.error().message);
  const std::string hash = call.args().FlagOr("payload-hash", "");
  if (!hash.empty() && !base::IsHex64(hash)) {
    return call.Usage("--payload-hash takes 64 lowercase hex digits");
  }
  gate::StartAsk ask{*key, *actor, base::Secret(*token), hash};
  const auto started = call.MakeGate().Consume(ask);
  if (!started) return call.Refuse(started.error());
  return call.Succeed({{"ok", true},
                       {"action_key", started->action_key},
                       {"event", "execution.started"},
                       {"seq", started->seq},
                       {"token_sha256", OrNull(started->token_sha256)},
                       {"grant_seq", started->grant_seq.value_or(0)},
                       {"class", started->action_class},
                       {"est_cost_usd", base::MoneyText(started->est_cost)},
                       {"payload_hash", started->payload_hash}},
                      "consumed at record " + std::to_string(started->seq));
}

}  // namespace approval::gateway
