// Spending: tokens are consumed by an append, executions start and end on record.
#include "core/base/names.h"
#include "core/base/sha256.h"
#include "core/gate/facts.h"
#include "core/gate/token.h"

namespace approval::gate {

using base::Code;
using base::Error;
using base::Fail;
using base::JsonObject;
using base::Result;

std::string_view EventOf(Outcome outcome) {
  switch (outcome) {
    case Outcome::kCompleted:
      return "execution.completed";
    case Outcome::kFailed:
      return "execution.failed";
    case Outcome::kIndeterminate:
      return "execution.indeterminate";
  }
  return "execution.indeterminate";
}

Result<TokenView> Gate::Token(const std::string& action_key) {
  return log_.Transact<TokenView>([&](log::Session& session) -> Result<TokenView> {
    const Facts facts = Look(session);
    const KeyFold& fold = facts.states.Of(action_key);
    const auto live = TokenStatus(fold, facts.ttl_ms, facts.now_ms);
    if (!live) return tl::unexpected(live.error());
    TokenView view;
    view.action_key = action_key;
    view.token_sha256 = live->token_sha256;
    view.grant_seq = live->grant_seq;
    view.action_class = PayloadText(fold.last_grant, "class");
    view.est_cost = fold.declared.est_cost.value_or(0);
    view.payload_hash = live->payload_hash;
    view.task = fold.task;
    return view;
  });
}

Result<Started> Gate::Spend(log::Session& session, const Facts& facts, const StartAsk& ask,
                            const KeyFold& fold, const base::Secret& token) {
  const auto live = VerifyToken(fold, facts.ttl_ms, facts.now_ms, token);
  if (!live) return tl::unexpected(live.error());
  const auto refuse = [&](Code code, std::string message) {
    Error error{code, std::move(message)};
    error.details["state"] = Spelling(State::kGranted);
    error.details["seq"] = live->grant_seq;
    return Fail(std::move(error));
  };
  if (!live->payload_hash || *live->payload_hash != ask.payload_hash) {
    return refuse(Code::kPayloadMismatch,
                  "these are not the bytes that were approved; nothing was spent");
  }
  if (!fold.task) return RefuseIn(Code::kNotGranted, State::kGranted, "the grant names no task");
  // A grant that says under which policy it was given holds only while that policy is in force.
  if (const auto granted_under = PayloadText(fold.last_grant, "policy_sha256")) {
    if (auto refusal = AttestationRefusal(facts.attestation)) return Fail(std::move(*refusal));
    if (granted_under != facts.attestation.live_sha256) {
      return refuse(Code::kPolicyDrift,
                    "the policy changed after the grant; a person must decide under the new one");
    }
  }
  Started answer;
  answer.action_key = ask.action_key;
  answer.task = *fold.task;
  answer.action_class = PayloadText(fold.last_grant, "class").value_or("");
  answer.payload_hash = ask.payload_hash;
  answer.token_sha256 = live->token_sha256;
  answer.grant_seq = live->grant_seq;
  answer.est_cost = fold.declared.est_cost.value_or(0);
  log::Draft draft{"execution.started", ask.actor, fold.task, ask.action_key};
  JsonObject payload{{"class", answer.action_class},
                     {"est_cost_usd", base::MoneyText(answer.est_cost)},
                     {"token_sha256", live->token_sha256},
                     {"payload_hash", ask.payload_hash}};
  if (ask.env_stripped > 0) payload["env_stripped"] = ask.env_stripped;
  draft.payload = std::move(payload);
  const auto appended = session.Append(draft);
  if (!appended) return tl::unexpected(appended.error());
  keys_.Remove(ask.action_key);
  answer.seq = appended->seq;
  return answer;
}

Result<Started> Gate::Consume(const StartAsk& ask) {
  if (!base::IsHumanOrAgent(ask.actor)) {
    return Fail(Code::kActorInvalid, "an actor is human: or agent: and a name");
  }
  return log_.Transact<Started>([&](log::Session& session) -> Result<Started> {
    const Facts facts = Look(session);
    const KeyFold& fold = facts.states.Of(ask.action_key);
    if (!ask.token) return Fail(Code::kTokenRequired, "a token is required to consume a grant");
    return Spend(session, facts, ask, fold, *ask.token);
  });
}

Result<Started> Gate::Start(const StartAsk& ask) {
  if (!base::IsHumanOrAgent(ask.actor)) {
    return Fail(Code::kActorInvalid, "an actor is human: or agent: and a name");
  }
  return log_.Transact<Started>([&](log::Session& session) -> Result<Started> {
    const auto declared = DeclaredAnywhere(session.log(), ask.action_key);
    if (!declared) return tl::unexpected(declared.error());
    const Facts facts = Look(session);
    const KeyFold& fold = facts.states.Of(ask.action_key);
    if (fold.indeterminate != nullptr && fold.reconciled == nullptr) {
      Error error{Code::kExecutionIndeterminate,
                  "it is not known whether an earlier execution had its effect; a person must "
                  "find out, and a new action needs a new key"};
      error.details["seq"] = fold.indeterminate->seq;
      return Fail(std::move(error));
    }
    const policy::Resolution resolution =
        facts.Resolve(declared->action_class, declared->reversible);
    if (resolution.harness_launch_unruled) {
      return Fail(Code::kHarnessLaunchUnruled, "this class needs a rule of its own in the policy");
    }
    if (resolution.autonomy == policy::Autonomy::kHumanOnly) {
      return Fail(Code::kClassHumanOnly, "only a person may do this; no agent can run it");
    }
    const bool gated = IsGated(resolution.autonomy) || fold.request != nullptr;
    if (!gated) return StartUngated(session, facts, ask, *declared, resolution);
    std::optional<base::Secret> opened;
    if (!ask.token) opened = OpenSealed(fold, ask.action_key);
    if (!ask.token && !opened) {
      // A sealed grant opens by itself, so what stands in its way is the answer: spent, revoked.
      if (fold.last_grant != nullptr && fold.last_grant->payload.contains("token_sealed")) {
        if (const auto status = TokenStatus(fold, facts.ttl_ms, facts.now_ms); !status) {
          return tl::unexpected(status.error());
        }
      }
      return Fail(Code::kTokenRequired,
                  "this action needs a token: request it, wait for a person, then pass --token");
    }
    auto started = Spend(session, facts, ask, fold, ask.token ? *ask.token : *opened);
    if (started) started->autonomy = resolution.autonomy;
    return started;
  });
}

Result<Started> Gate::StartUngated(log::Session& session, const Facts& facts, const StartAsk& ask,
                                   const Declaration& declared,
                                   const policy::Resolution& resolution) {
  if (auto refusal = AttestationRefusal(facts.attestation)) return Fail(std::move(*refusal));
  if (ConsecutiveFailures(session.log(), declared.task) >= kLoopLimit) {
    return Fail(Code::kLoopEscalated,
                "the last three executions of this task failed; a person must look first");
  }
  const KeyFold& fold = facts.states.Of(ask.action_key);
  if (!fold.starts.empty()) {
    Error error{Code::kAlreadyExecuted,
                "this key was executed already; a new action needs a new "
                "key"};
    error.details["seq"] = fold.last_start()->seq;
    return Fail(std::move(error));
  }
  if (!declared.payload_hash || *declared.payload_hash != ask.payload_hash) {
    return Fail(Code::kPayloadMismatch,
                "these are not the bytes that the task declared; nothing was started");
  }
  const base::Micros cost = declared.est_cost.value_or(0);
  if (auto refusal = BudgetRefusal(
          session, facts.load, resolution,
          {declared.task, ask.action_key, ask.actor, declared.action_class, cost, "execution"})) {
    // Of an execution `seq` is the record spoken about; the one appended now is `event_seq`.
    if (const base::Json* seq = refusal->details.if_contains("seq")) {
      refusal->details["event_seq"] = *seq;
      refusal->details.erase("seq");
    }
    return Fail(std::move(*refusal));
  }
  Started answer;
  answer.action_key = ask.action_key;
  answer.task = declared.task;
  answer.action_class = declared.action_class;
  answer.autonomy = resolution.autonomy;
  answer.payload_hash = ask.payload_hash;
  answer.est_cost = cost;
  log::Draft draft{"execution.started", ask.actor, declared.task, ask.action_key};
  JsonObject payload{{"class", declared.action_class},
                     {"est_cost_usd", base::MoneyText(cost)},
                     {"payload_hash", ask.payload_hash}};
  if (facts.attestation.live_sha256) payload["policy_sha256"] = *facts.attestation.live_sha256;
  if (ask.env_stripped > 0) payload["env_stripped"] = ask.env_stripped;
  draft.payload = std::move(payload);
  const auto appended = session.Append(draft);
  if (!appended) return tl::unexpected(appended.error());
  answer.seq = appended->seq;
  return answer;
}

namespace {

// The last start of a key that has no outcome yet.
Result<const log::Record*> DanglingStart(const KeyFold& fold) {
  const log::Record* start = fold.last_start();
  if (start == nullptr) return Fail(Code::kNotStarted, "no execution of this key was started");
  if (fold.dangling()) return start;
  Error error{Code::kAlreadyFinished, "the execution of this key has an outcome already"};
  for (const log::Record* outcome : {fold.completed, fold.failed, fold.indeterminate}) {
    if (outcome != nullptr && outcome->seq > start->seq) error.details["seq"] = outcome->seq;
  }
  return Fail(std::move(error));
}

}  // namespace

Result<Resolved> Gate::Resolve(const ResolveAsk& ask) {
  if (!base::IsHuman(ask.actor)) {
    return Fail(Code::kActorNotHuman, "only a person says how an execution ended");
  }
  return log_.Transact<Resolved>([&](log::Session& session) -> Result<Resolved> {
    const StateTable states = StateTable::Fold(session.log());
    const auto start = DanglingStart(states.Of(ask.action_key));
    if (!start) return tl::unexpected(start.error());
    log::Draft draft{std::string(EventOf(ask.outcome)), ask.actor, (*start)->task, ask.action_key};
    draft.payload =
        JsonObject{{"note", ask.note}, {"attested_by_human", true}, {"exit_code", nullptr}};
    const auto appended = session.Append(draft);
    if (!appended) return tl::unexpected(appended.error());
    return Resolved{(*start)->task.value_or(""), appended->seq};
  });
}

Result<std::int64_t> Gate::Finish(const FinishAsk& ask) {
  return log_.Transact<std::int64_t>([&](log::Session& session) -> Result<std::int64_t> {
    const StateTable states = StateTable::Fold(session.log());
    const KeyFold& fold = states.Of(ask.action_key);
    const auto start = DanglingStart(fold);
    if (!start) return tl::unexpected(start.error());
    log::Draft draft{std::string(EventOf(ask.outcome)), ask.actor, (*start)->task, ask.action_key};
    JsonObject payload;
    if (ask.outcome == Outcome::kIndeterminate) {
      payload["reason"] = "act-threw";
    } else {
      payload["exit_code"] = ask.exit_code;
    }
    if (ask.provider_ref) payload["provider_ref"] = *ask.provider_ref;
    draft.payload = std::move(payload);
    const auto appended = session.Append(draft);
    if (!appended) return tl::unexpected(appended.error());
    return appended->seq;
  });
}

}  // namespace approval::gate
