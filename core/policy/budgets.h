// Budgets: what was authorised according to the log, and whether one more action fits.
//
// core.md 4.12 with the integer amounts of 4.13. Only records of a verified log may be passed.
// Costs in records are read as numbers (level A) and as decimal strings (level N). Pure; any
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/money.h"
#include "core/log/record.h"
#include "core/policy/budget_verdict.h"
#include "core/policy/policy.h"
#include "core/policy/resolve.h"

namespace approval::policy {

struct BudgetQuestion {
  base::Micros cost = 0;               // of this action; absent counts nothing
  std::optional<std::string> task;     // its task
  std::optional<std::int64_t> now_ms;  // nothing (an unreadable clock) refuses windowed limits
};

struct BudgetResult {
  bool pass = true;
  std::vector<BudgetVerdict> verdicts;  // in the order of core.md 4.12
};

// `resolution` is that of the action's class under the same policy.
BudgetResult EvaluateBudgets(std::span<const log::Record> records, const Policy& policy,
                             const Resolution& resolution, const BudgetQuestion& question);

// round(v) = floor(v * 10^6 + 0.5), in micros; saturates at the exact range, NaN counts 0.
base::Micros RoundMicros(double value);

// One verdict: amounts and counts as decimal strings (core.md 4.13).
base::JsonObject BudgetVerdictJson(const BudgetVerdict& verdict);
base::JsonArray BudgetVerdictsJson(const std::vector<BudgetVerdict>& verdicts);

}  // namespace approval::policy
