#include "core/gate/facts.h"

#include <boost/json/array.hpp>

namespace approval::gate {

using base::Code;
using base::Error;

Gate::Facts Gate::Look(const log::Session& session) const {
  Facts facts{policy::LoadPolicy(options_.policy_path),
              {},
              StateTable::Fold(session.log()),
              {},
              session.now_ms()};
  facts.attestation = policy::CheckAttestation(session.log().records(), facts.load);
  facts.ttl_ms = facts.load.OrDefaults().defaults.approval_ttl_ms;
  return facts;
}

tl::unexpected<Error> RefuseIn(Code code, State state, std::string message) {
  Error error{code, std::move(message)};
  error.details["state"] = Spelling(state);
  return base::Fail(std::move(error));
}

std::optional<Error> AttestationRefusal(const policy::Attestation& attestation) {
  if (attestation.ok()) return std::nullopt;
  std::string why;
  switch (attestation.status) {
    case policy::AttestationStatus::kAttested:
      return std::nullopt;
    case policy::AttestationStatus::kNotAttested:
      why = "no person has attested the policy yet";
      break;
    case policy::AttestationStatus::kHashMismatch:
      why = "the policy file changed since a person attested it";
      break;
    case policy::AttestationStatus::kUnreadable:
      why = "the policy file cannot be read";
      break;
  }
  Error error{Code::kPolicyNotAttested,
              why + "; a person reads it and runs `approval policy attest`"};
  error.details["detail"] = policy::Spelling(attestation.status);
  return error;
}

std::optional<Error> BudgetRefusal(log::Session& session, const policy::LoadResult& load,
                                   const policy::Resolution& resolution, const BudgetAsk& ask) {
  const policy::BudgetResult result = policy::EvaluateBudgets(
      session.log().records(), load.OrDefaults(), resolution,
      {ask.cost, ask.task.empty() ? std::nullopt : std::optional(ask.task), session.now_ms()});
  if (result.pass) return std::nullopt;
  Error error{Code::kBudgetExceeded, "a budget does not allow this action now"};
  std::vector<policy::BudgetVerdict> failed;
  for (const policy::BudgetVerdict& verdict : result.verdicts) {
    if (!verdict.pass) failed.push_back(verdict);
  }
  if (!failed.empty()) error.message += ": " + failed.front().limit;
  error.details["verdicts"] = policy::BudgetVerdictsJson(failed);
  log::Draft draft{"budget.exceeded", ask.actor, ask.task, ask.action_key};
  draft.payload = base::JsonObject{{"class", ask.action_class},
                                   {"est_cost_usd", base::MoneyText(ask.cost)},
                                   {"stage", ask.stage},
                                   {"verdicts", policy::BudgetVerdictsJson(result.verdicts)}};
  if (const auto appended = session.Append(draft)) {
    error.details["seq"] = appended->seq;
  } else {
    error.message += " (the refusal could not be recorded: " + appended.error().message + ")";
  }
  return error;
}

bool IsGated(policy::Autonomy autonomy) {
  switch (autonomy) {
    case policy::Autonomy::kHumanOnly:
    case policy::Autonomy::kManual:
    // Without a draw the live level is asked like manual: no secret, no selection, so it is gated.
    case policy::Autonomy::kSupervisedLive:
      return true;
    case policy::Autonomy::kSupervised:
    case policy::Autonomy::kSupervisedRetro:
    case policy::Autonomy::kAutonomous:
      return false;
  }
  return true;
}

}  // namespace approval::gate
