// What one cycle of the gate looks at: policy, attestation, states and refusals in one shape.
// Internal to core/gate.
#pragma once

#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/gate/gate.h"
#include "core/policy/budgets.h"

namespace approval::gate {

struct Gate::Facts {
  policy::LoadResult load;
  policy::Attestation attestation;
  StateTable states;
  std::optional<std::int64_t> ttl_ms;
  std::int64_t now_ms = 0;

  State StateOf(const KeyFold& fold) const { return StateAt(fold, ttl_ms, now_ms); }
  policy::Resolution Resolve(std::string_view action_class, std::optional<bool> reversible) const {
    return policy::Resolve(load, action_class, reversible);
  }
};

// A refusal with the key's state in its details.
tl::unexpected<base::Error> RefuseIn(base::Code code, State state, std::string message);

// `policy-not-attested` with the status as `detail`, or nothing when attested.
std::optional<base::Error> AttestationRefusal(const policy::Attestation& attestation);

// Evaluates budgets; on refusal appends `budget.exceeded` (best effort) and returns
// `budget-exceeded` with the failed verdicts and the record's seq.
struct BudgetAsk {
  std::string task;
  std::string action_key;
  std::string actor;
  std::string action_class;
  base::Micros cost = 0;
  const char* stage = "request";
};
std::optional<base::Error> BudgetRefusal(log::Session& session, const policy::LoadResult& load,
                                         const policy::Resolution& resolution,
                                         const BudgetAsk& ask);

// Whether an approval is asked for at this level.
bool IsGated(policy::Autonomy autonomy);

}  // namespace approval::gate
