#include "core/base/canonical.h"
#include "core/gate/declarations.h"
#include "core/log/read.h"
#include "core/policy/autonomy.h"
#include "gateway/verbs/handlers.h"
#include "render/quote.h"
#include "vault/mail/email_payload.h"
#include "vault/mail/lint.h"

namespace approval::gateway {

using base::Code;
using base::JsonObject;
using render::QuoteLine;

namespace {

// Why a mail could never be sent, when the action is one. The class is looked up for bad mails
// only.
std::optional<base::Error> UnsendableMail(const Invocation& call, const gate::RequestAsk& ask) {
  if (!ask.payload) return std::nullopt;
  const auto wrong = mail::LintMail(*ask.payload);
  if (!wrong) return std::nullopt;
  const auto log = log::ReadVerified(call.LogPath());
  if (!log) return std::nullopt;  // the request says what is wrong with it
  const auto declared = gate::DeclaredInTask(*log, ask.task, ask.action_key);
  if (!declared || declared->action_class != mail::kMailClass) return std::nullopt;
  return base::Error{Code::kEmailPayloadInvalid,
                     "this mail could never be sent: " + *wrong + "; correct the payload"};
}

}  // namespace

int PayloadHashVerb(Invocation& call) {
  const auto path = call.Positional(0, "<file|->");
  if (!path) return call.Usage(path.error().message);
  const auto value = call.ReadJsonArgument(*path);
  if (!value) return call.CommandError(value.error().code, value.error().message);
  const auto hash = base::CanonicalHash(*value);
  if (!hash) return call.CommandError(Code::kUsage, hash.error().message);
  return call.Succeed({{"ok", true}, {"hash", *hash}}, *hash);
}

int RegisterVerb(Invocation& call) {
  const auto file = call.Positional(0, "<task-file>");
  if (!file) return call.Usage(file.error().message);
  const auto actor = call.Actor();
  if (!actor) return call.Usage(actor.error().message);
  const auto registered = call.MakeGate().Register(*file, *actor);
  if (!registered) return call.Refuse(registered.error());
  return call.Succeed({{"ok", true},
                       {"seq", registered->seq},
                       {"task", registered->task},
                       {"actions", registered->actions}},
                      "registered " + QuoteLine(registered->task) + " with " +
                          std::to_string(registered->actions) + " action(s) at record " +
                          std::to_string(registered->seq) + "\nnext: approval request " +
                          QuoteLine(registered->task) + " --action <key> --payload <file>");
}

int RequestVerb(Invocation& call) {
  const auto task = call.Positional(0, "<task>");
  if (!task) return call.Usage(task.error().message);
  const auto key = call.args().Flag("action");
  if (!key || key->empty()) return call.Usage("missing --action <key>");
  const auto actor = call.Actor();
  if (!actor) return call.Usage(actor.error().message);
  gate::RequestAsk ask{*task, *key, *actor};
  if (const auto path = call.args().Flag("payload")) {
    auto payload = call.ReadJsonArgument(*path);
    if (!payload) return call.CommandError(payload.error().code, payload.error().message);
    ask.payload = std::move(*payload);
  }
  if (const auto unsendable = UnsendableMail(call, ask)) return call.Refuse(*unsendable);
  const auto requested = call.MakeGate().Request(ask);
  if (!requested) return call.Refuse(requested.error());
  JsonObject answer{{"ok", true},
                    {"task", requested->task},
                    {"action_key", requested->action_key},
                    {"class", requested->action_class},
                    {"autonomy", policy::Spelling(requested->autonomy)},
                    {"proceed", requested->proceed},
                    {"requested", requested->requested}};
  answer["seq"] = requested->seq ? base::Json(*requested->seq) : base::Json(nullptr);
  const std::string words = requested->proceed
                                ? QuoteLine(requested->action_key) + " needs no approval; go on"
                                : "asked at record " + std::to_string(*requested->seq) +
                                      "\nnext: approval wait " + QuoteLine(requested->task) +
                                      " --timeout 1h   and a person: approval grant " +
                                      QuoteLine(requested->action_key) + ", or `approval up`";
  return call.Succeed(answer, words);
}

}  // namespace approval::gateway
