// What one budget says about an action: consumed, requested, left, and whether it passes.
#pragma once

#include <optional>
#include <string>

#include "core/base/money.h"

namespace approval::policy {

// Amounts are micro-dollars for money and plain counts times 1'000'000 for actions, so that one
// rounding rule serves both (core.md 4.12, 4.13).
struct BudgetVerdict {
  std::string limit;   // `daily_usd`, `global.daily_actions`, `budget.max_cost_usd`
  std::string scope;   // `class`, `global`, `task`
  std::string window;  // `per-action`, `rolling-24h`, `task-total`
  base::Micros consumed = 0;
  base::Micros requested = 0;
  base::Micros remaining = 0;
  bool pass = false;
  std::optional<std::string> note;
};

}  // namespace approval::policy
