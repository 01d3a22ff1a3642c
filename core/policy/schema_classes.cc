#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/base/names.h"
#include "core/policy/budgets.h"
#include "core/policy/pattern.h"
#include "core/policy/schema_parts.h"

namespace approval::policy {
namespace {

constexpr NumberRange kPositive{0, std::numeric_limits<double>::max(), true};
constexpr NumberRange kRate{0, 1, true};

bool IsCount(std::string_view limit) {
  return limit == "max_pending" || limit == "requests_per_hour" || limit == "daily_actions";
}

// A count and an amount alike; only `must_be_whole` ones are proved to have no fraction.
std::optional<base::Micros> Ceiling(const Field& field, bool must_be_whole) {
  if (must_be_whole && field.present() && !base::IsIntegral(*field.value())) {
    field.Report("type", "must be a whole number");
    return std::nullopt;
  }
  const std::optional<double> number = field.Number(kPositive);
  if (!number) return std::nullopt;
  return RoundMicros(*number);
}

std::optional<Limits> ReadLimits(const Field& field) {
  const base::JsonObject* map = field.OpenMap();
  if (map == nullptr) return std::nullopt;
  if (map->empty()) field.Report("minProperties", "must name at least one limit");
  Limits limits;
  for (const auto& member : *map) {
    const std::string name(member.key());
    if (!base::IsIdentifier(name)) {
      field.Report("pattern", fmt::format("has a limit with the impossible name \"{}\"", name));
      continue;
    }
    const bool whole = name == "max_pending" || name == "requests_per_hour";
    if (const auto ceiling = Ceiling(field.At(name), whole)) limits[name] = *ceiling;
  }
  return limits;
}

void ReadRates(const Field& field, Rule& rule) {
  rule.live_rate = field.At("live_rate").Number(kRate);
  rule.retro_rate = field.At("retro_rate").Number(kRate);
  const bool is_live = rule.autonomy == Autonomy::kSupervisedLive;
  if (is_live) field.Require("live_rate");
  if (!is_live && field.At("live_rate").present()) {
    field.Report("live_rate", "may have live_rate only at supervised-live");
  }
  if (!IsSupervised(rule.autonomy) && field.At("retro_rate").present()) {
    field.Report("retro_rate", "may have retro_rate only at a supervised level");
  }
}

Rule ReadRule(std::string pattern, const Field& field, Policy& policy) {
  Rule rule;
  rule.pattern = std::move(pattern);
  const base::JsonObject* map = field.Map(
      {"autonomy", "approvers", "limits", "live_rate", "retro_rate", "allow_irreversible"});
  if (map == nullptr) return rule;
  rule.source = *map;
  field.Require("autonomy");
  const auto level = field.At("autonomy")
                         .Choice({"human-only", "manual", "supervised-live", "supervised",
                                  "supervised-retro", "autonomous"});
  if (level) {
    rule.autonomy = *AutonomyFrom(TextOf(*field.At("autonomy").value()));
    ReadRates(field, rule);
  }
  rule.approvers = field.At("approvers").Texts(false);
  rule.limits = ReadLimits(field.At("limits"));
  rule.allow_irreversible = field.At("allow_irreversible").Flag().value_or(false);
  if (rule.autonomy == Autonomy::kSupervised) {
    policy.notes.push_back(
        fmt::format("{}: supervised is read as supervised-retro; write that name", rule.pattern));
  }
  for (const std::string& name : rule.approvers.value_or(std::vector<std::string>())) {
    if (!policy.approvers.contains(name)) {
      policy.notes.push_back(fmt::format("{}: the approver \"{}\" is not declared under approvers",
                                         rule.pattern, name));
    }
  }
  return rule;
}

}  // namespace

void ReadClasses(const Field& root, Policy& policy) {
  const Field classes = root.At("classes");
  const base::JsonObject* map = classes.OpenMap();
  if (map == nullptr) return;
  for (const auto& member : *map) {
    const std::string pattern(member.key());
    if (!IsPattern(pattern)) {
      classes.Report("pattern", fmt::format("has the impossible class pattern \"{}\"", pattern));
      continue;
    }
    policy.rules.push_back(ReadRule(pattern, classes.At(pattern), policy));
  }
  std::sort(policy.rules.begin(), policy.rules.end(),
            [](const Rule& a, const Rule& b) { return a.pattern < b.pattern; });
}

void ReadBudgets(const Field& root, Policy& policy) {
  const Field budgets = root.At("budgets");
  const base::JsonObject* map = budgets.OpenMap();
  if (map == nullptr) return;
  for (const auto& member : *map) {
    const std::string name(member.key());
    const Field scope = budgets.At(name);
    const base::JsonObject* limits = scope.Map({"daily_usd", "daily_actions", "max_pending"});
    if (limits == nullptr) continue;
    if (limits->empty()) scope.Report("minProperties", "must name at least one limit");
    for (const auto& limit : *limits) {
      const std::string limit_name(limit.key());
      const auto ceiling = Ceiling(scope.At(limit_name), IsCount(limit_name));
      if (ceiling) policy.budgets[name][limit_name] = *ceiling;
    }
  }
}

}  // namespace approval::policy
