#include "core/policy/budgets.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/policy/authorisations.h"

namespace approval::policy {
namespace {

constexpr std::int64_t kDayMs = 86'400'000;

// What the authorised actions in one set add up to.
struct Consumed {
  base::Micros usd = 0;
  base::Micros actions = 0;
};

Consumed Sum(const std::vector<const log::Record*>& authorisations) {
  Consumed out;
  for (const log::Record* record : authorisations) {
    out.usd = AddSaturating(out.usd, CostOf(*record));
    out.actions = AddSaturating(out.actions, kMicrosPerUnit);
  }
  return out;
}

// Intake limits stand beside the budgets in a policy and are checked by CheckIntake (core.md 4.13).
bool IsIntake(std::string_view limit) {
  return limit == "max_pending" || limit == "requests_per_hour";
}

class Evaluation {
 public:
  Evaluation(std::span<const log::Record> records, const BudgetQuestion& question)
      : records_(records),
        question_(question),
        cost_(std::clamp(question.cost, base::Micros{0}, kMaxMicros)) {}

  void Class(const Resolution& resolution);
  void Scopes(const Policy& policy);
  void Task();
  BudgetResult Take() { return std::move(result_); }

 private:
  void Add(BudgetVerdict verdict, base::Micros ceiling) {
    verdict.remaining = ceiling - verdict.consumed - verdict.requested;
    verdict.pass = verdict.remaining >= 0;
    Push(std::move(verdict));
  }
  void Refuse(std::string limit, std::string scope, std::string note) {
    Push({std::move(limit), std::move(scope), "per-action", 0, 0, 0, false, std::move(note)});
  }
  void Push(BudgetVerdict verdict) {
    result_.pass = result_.pass && verdict.pass;
    result_.verdicts.push_back(std::move(verdict));
  }
  void AddDaily(const std::string& label, const char* scope, bool is_count,
                const Consumed& consumed, base::Micros ceiling) {
    Add({label, scope, "rolling-24h", is_count ? consumed.actions : consumed.usd,
         is_count ? kMicrosPerUnit : cost_, 0, false, std::nullopt},
        ceiling);
  }

  std::span<const log::Record> records_;
  const BudgetQuestion& question_;
  base::Micros cost_;
  BudgetResult result_;
};

void Evaluation::Class(const Resolution& resolution) {
  if (!resolution.limits) return;
  Consumed consumed;
  if (resolution.pattern && question_.now_ms) {
    consumed = Sum(Authorisations(records_, [&](const log::Record& record) {
      return IsWithin(record, *question_.now_ms, kDayMs) &&
             Matches(*resolution.pattern, ClassOf(record));
    }));
  }
  for (const auto& [name, ceiling] : *resolution.limits) {
    if (IsIntake(name)) continue;
    const bool is_daily = name == "daily_usd" || name == "daily_actions";
    if (!is_daily && name != "per_action_usd") {
      Refuse(name, "class", "no rule for a limit of this name; remove it from the policy");
    } else if (!question_.now_ms) {
      Refuse(name, "class", "the time is unknown");
    } else if (!is_daily) {
      Add({name, "class", "per-action", 0, cost_, 0, false, std::nullopt}, ceiling);
    } else if (!resolution.pattern) {
      Refuse(name, "class", "the limit belongs to no pattern");
    } else {
      AddDaily(name, "class", name == "daily_actions", consumed, ceiling);
    }
  }
}

void Evaluation::Scopes(const Policy& policy) {
  if (policy.budgets.empty()) return;
  Consumed consumed;
  if (question_.now_ms) {
    consumed = Sum(Authorisations(records_, [&](const log::Record& record) {
      return IsWithin(record, *question_.now_ms, kDayMs);
    }));
  }
  for (const auto& [scope, limits] : policy.budgets) {
    for (const auto& [name, ceiling] : limits) {
      if (IsIntake(name)) continue;
      const std::string label = scope + "." + name;
      if (!question_.now_ms) {
        Refuse(label, "global", "the time is unknown");
      } else {
        AddDaily(label, "global", name == "daily_actions", consumed, ceiling);
      }
    }
  }
}

void Evaluation::Task() {
  if (!question_.task) return;
  std::optional<base::Micros> ceiling;
  for (const log::Record& record : records_) {
    if (record.event != "task.registered" || record.task != question_.task) continue;
    const base::Json* budget = record.payload.if_contains("budget");
    if (budget == nullptr || !budget->is_object()) continue;
    const base::Json* most = budget->get_object().if_contains("max_cost_usd");
    if (most == nullptr) continue;
    if (const auto micros = base::MoneyFromJson(*most)) {
      ceiling = *micros;
    } else if (const auto number = base::AsDouble(*most); number && *number >= 0) {
      ceiling = RoundMicros(*number);
    }
  }
  if (!ceiling) return;
  const Consumed consumed = Sum(Authorisations(
      records_, [&](const log::Record& record) { return record.task == question_.task; }));
  Add({"budget.max_cost_usd", "task", "task-total", consumed.usd, cost_, 0, false, std::nullopt},
      *ceiling);
}

}  // namespace

BudgetResult EvaluateBudgets(std::span<const log::Record> records, const Policy& policy,
                             const Resolution& resolution, const BudgetQuestion& question) {
  Evaluation evaluation(records, question);
  evaluation.Class(resolution);
  evaluation.Scopes(policy);
  evaluation.Task();
  return evaluation.Take();
}

base::Micros RoundMicros(double value) {
  if (std::isnan(value)) return 0;
  const double micros = std::floor(value * static_cast<double>(kMicrosPerUnit) + 0.5);
  const double most = static_cast<double>(kMaxMicros);
  return static_cast<base::Micros>(std::clamp(micros, -most, most));
}

base::JsonObject BudgetVerdictJson(const BudgetVerdict& verdict) {
  base::JsonObject out;
  out["limit"] = verdict.limit;
  out["scope"] = verdict.scope;
  out["window"] = verdict.window;
  out["consumed"] = base::MoneyText(verdict.consumed);
  out["requested"] = base::MoneyText(verdict.requested);
  out["remaining"] = base::MoneyText(verdict.remaining);
  out["pass"] = verdict.pass;
  if (verdict.note) out["note"] = *verdict.note;
  return out;
}

base::JsonArray BudgetVerdictsJson(const std::vector<BudgetVerdict>& verdicts) {
  base::JsonArray out;
  for (const BudgetVerdict& verdict : verdicts) out.push_back(BudgetVerdictJson(verdict));
  return out;
}

}  // namespace approval::policy
