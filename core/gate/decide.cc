#include <algorithm>

#include "core/base/names.h"
#include "core/base/sha256.h"
#include "core/gate/facts.h"
#include "core/gate/token.h"

namespace approval::gate {
namespace {

using base::Code;
using base::Error;
using base::Fail;
using base::JsonObject;
using base::Result;

std::string_view EventFor(Decision decision) {
  switch (decision) {
    case Decision::kGrant:
      return "approval.granted";
    case Decision::kReject:
      return "approval.rejected";
    case Decision::kRevoke:
      return "approval.revoked";
  }
  return "approval.rejected";
}

State StateAfter(Decision decision) {
  switch (decision) {
    case Decision::kGrant:
      return State::kGranted;
    case Decision::kReject:
      return State::kRejected;
    case Decision::kRevoke:
      return State::kRevoked;
  }
  return State::kNone;
}

// What every decision record says beside its own members.
JsonObject Stamp(const DecisionAsk& ask) {
  JsonObject payload;
  if (ask.note) payload["note"] = *ask.note;
  if (ask.batch_delivery_id) payload["batch_delivery_id"] = *ask.batch_delivery_id;
  if (ask.sender) {
    payload["sender"] = JsonObject{{"channel", ask.sender->channel}, {"id", ask.sender->id}};
    payload["sender_source"] = "policy";
  }
  if (ask.rendering) {
    JsonObject rendering{{"style", ask.rendering->style}};
    if (ask.rendering->fallback) rendering["fallback"] = *ask.rendering->fallback;
    payload["rendering"] = std::move(rendering);
  }
  return payload;
}

Decided AnswerFor(const DecisionAsk& ask, const log::Appended& appended) {
  Decided answer;
  answer.decision = ask.decision;
  answer.state = StateAfter(ask.decision);
  answer.action_key = ask.action_key;
  answer.seq = appended.seq;
  answer.actor = ask.actor;
  answer.ts = appended.ts;
  return answer;
}

}  // namespace

std::string_view Spelling(Decision decision) {
  switch (decision) {
    case Decision::kGrant:
      return "grant";
    case Decision::kReject:
      return "reject";
    case Decision::kRevoke:
      return "revoke";
  }
  return "reject";
}

Error Gate::Lapse(log::Session& session, const Facts& facts, const std::string& action_key,
                  const KeyFold& fold) {
  Error error{Code::kExpired, "the request expired before it was answered; nothing was approved"};
  error.details["state"] = Spelling(State::kExpired);
  if (fold.decision != nullptr) return error;  // on record already
  log::Draft draft{"approval.expired", "system:gate", fold.task, action_key};
  JsonObject payload{{"requested_ts", fold.request->ts}, {"ttl_ms", facts.ttl_ms.value_or(0)}};
  if (facts.load.OrDefaults().defaults.on_expiry_reject) payload["on_expiry"] = "reject";
  if (fold.declared.action_class) payload["class"] = *fold.declared.action_class;
  draft.payload = std::move(payload);
  if (const auto appended = session.Append(draft)) error.details["seq"] = appended->seq;
  keys_.Remove(action_key);
  return error;
}

Result<Decided> Gate::Decide(const DecisionAsk& ask) {
  if (!base::IsHuman(ask.actor)) {
    return Fail(Code::kActorNotHuman, "only a person decides: human: and a name is due");
  }
  return log_.Transact<Decided>([&](log::Session& session) -> Result<Decided> {
    const Facts facts = Look(session);
    const bool grant = ask.decision == Decision::kGrant;
    if (grant) {
      if (auto refusal = AttestationRefusal(facts.attestation)) return Fail(std::move(*refusal));
    }
    const KeyFold& fold = facts.states.Of(ask.action_key);
    const State state = facts.StateOf(fold);
    if (state == State::kNone) {
      return RefuseIn(Code::kNotRequested, state, "nobody requested this key");
    }
    if (ask.request_hash && *ask.request_hash != fold.request->hash) {
      return RefuseIn(Code::kRequestChanged, state,
                      "this was asked again since you looked; look at the new request");
    }
    if (grant && fold.declared.action_class &&
        facts.Resolve(*fold.declared.action_class, fold.declared.reversible).autonomy ==
            policy::Autonomy::kHumanOnly) {
      return Fail(Code::kClassHumanOnly, "only a person may do this; it cannot be granted");
    }
    switch (state) {
      case State::kExpired:
        return Fail(Lapse(session, facts, ask.action_key, fold));
      case State::kWithdrawn:
        return RefuseIn(Code::kRequestWithdrawn, state,
                        "the asker took the request back and is not waiting");
      case State::kRejected:
      case State::kRevoked:
        return RefuseIn(Code::kAlreadyDecided, state, "this request was decided already");
      case State::kGranted:
        if (ask.decision != Decision::kRevoke) {
          return RefuseIn(Code::kAlreadyDecided, state, "this request was granted already");
        }
        if (!fold.starts.empty()) {
          return RefuseIn(Code::kAlreadyExecuted, state,
                          "the grant was spent already; it cannot be revoked any more");
        }
        break;
      case State::kNone:
      case State::kRequested:
        if (ask.decision == Decision::kRevoke) {
          return RefuseIn(Code::kNotGranted, state, "only a grant can be revoked; reject it");
        }
        break;
    }
    if (grant) return GrantOrRefuse(session, facts, ask, fold, Stamp(ask));
    log::Draft draft{std::string(EventFor(ask.decision)), ask.actor, fold.task, ask.action_key,
                     ask.channel};
    draft.payload = Stamp(ask);
    const auto appended = session.Append(draft);
    if (!appended) return tl::unexpected(appended.error());
    keys_.Remove(ask.action_key);
    return AnswerFor(ask, *appended);
  });
}

Result<Decided> Gate::GrantOrRefuse(log::Session& session, const Facts& facts,
                                    const DecisionAsk& ask, const KeyFold& fold,
                                    const JsonObject& stamp) {
  const auto asked_under = PayloadText(fold.request, "policy_sha256");
  if (asked_under && asked_under != facts.attestation.live_sha256) {
    Error error{Code::kPolicyDrift,
                "the policy changed after the question was asked; the request is withdrawn and "
                "must be made again"};
    error.details["state"] = Spelling(State::kWithdrawn);
    log::Draft draft{"approval.withdrawn", "system:gate", fold.task, ask.action_key};
    draft.payload = JsonObject{{"action_key", ask.action_key}, {"reason", "policy-drift"}};
    if (const auto appended = session.Append(draft)) error.details["seq"] = appended->seq;
    keys_.Remove(ask.action_key);
    return Fail(std::move(error));
  }
  if (!fold.declared.action_class) {
    return Fail(Code::kGrantClasslessRequest, "the request names no class; it cannot be granted");
  }
  const policy::Resolution resolution =
      facts.Resolve(*fold.declared.action_class, fold.declared.reversible);
  const std::string name = ask.actor.substr(std::string_view("human:").size());
  if (resolution.approvers && std::find(resolution.approvers->begin(), resolution.approvers->end(),
                                        name) == resolution.approvers->end()) {
    return Fail(Code::kActorNotApprover,
                "the policy names other people as approvers of this class");
  }
  const base::Micros cost = fold.declared.est_cost.value_or(0);
  if (auto refusal = BudgetRefusal(session, facts.load, resolution,
                                   {fold.task.value_or(""), ask.action_key, ask.actor,
                                    *fold.declared.action_class, cost, "grant"})) {
    refusal->details["state"] = Spelling(State::kRequested);
    return Fail(std::move(*refusal));
  }
  JsonObject payload = stamp;
  payload["class"] = *fold.declared.action_class;
  payload["est_cost_usd"] = base::MoneyText(cost);
  if (fold.declared.payload_hash) payload["payload_hash"] = *fold.declared.payload_hash;
  if (facts.attestation.live_sha256) payload["policy_sha256"] = *facts.attestation.live_sha256;
  std::optional<base::Secret> token;
  bool sealed = false;
  if (fold.declared.harness) {
    payload["execution"] = "harness";
  } else {
    token = MintToken(random_);
    payload["token_sha256"] = base::Sha256Hex(token->Reveal());
    // A recipient key that cannot be used drops the seal; the grant stands.
    if (const auto recipient = PayloadText(fold.request, "token_recipient_key")) {
      if (auto box = SealToken(token->Reveal(), *recipient, ask.action_key, random_)) {
        payload["token_sealed"] = std::move(*box);
        sealed = true;
      }
    }
  }
  log::Draft draft{"approval.granted", ask.actor, fold.task, ask.action_key, ask.channel};
  draft.payload = std::move(payload);
  const auto appended = session.Append(draft);
  if (!appended) return tl::unexpected(appended.error());
  Decided answer = AnswerFor(ask, *appended);
  answer.token = std::move(token);
  answer.sealed = sealed;
  return answer;
}

Result<bool> Gate::RecordRefusedGesture(const std::string& action_key, Decision decision, Code code,
                                        const Sender& sender) {
  return log_.Transact<bool>([&](log::Session& session) -> Result<bool> {
    const StateTable states = StateTable::Fold(session.log());
    const KeyFold& fold = states.Of(action_key);
    if (fold.request == nullptr) return false;
    for (const log::Record& record : session.log().records()) {
      if (record.seq < fold.request->seq || record.event != "audit.decision_refused") continue;
      const base::Json* from = record.payload.if_contains("sender");
      if (PayloadText(&record, "action_key") == action_key && from != nullptr &&
          from->is_object() && base::StringMember(from->get_object(), "id") == sender.id) {
        return false;
      }
    }
    log::Draft draft{"audit.decision_refused", "system:gate"};
    draft.payload =
        JsonObject{{"action_key", action_key},
                   {"channel", sender.channel},
                   {"decision", Spelling(decision)},
                   {"code", base::Spelling(code)},
                   {"sender", JsonObject{{"channel", sender.channel}, {"id", sender.id}}}};
    const auto appended = session.Append(draft);
    if (!appended) return tl::unexpected(appended.error());
    return true;
  });
}

}  // namespace approval::gate
