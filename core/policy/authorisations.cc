#include "core/policy/authorisations.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "core/base/json.h"

namespace approval::policy {

std::vector<const log::Record*> Authorisations(
    std::span<const log::Record> records, const std::function<bool(const log::Record&)>& keep) {
  std::vector<const log::Record*> grants_and_starts;
  std::set<std::string_view> granted;
  for (const log::Record& record : records) {
    const bool is_grant = record.event == "approval.granted";
    if ((!is_grant && record.event != "execution.started") || !keep(record)) continue;
    if (is_grant && record.action_key) granted.insert(*record.action_key);
    grants_and_starts.push_back(&record);
  }
  std::erase_if(grants_and_starts, [&granted](const log::Record* record) {
    return record->event == "execution.started" && record->action_key &&
           granted.contains(*record->action_key);
  });
  return grants_and_starts;
}

base::Micros CostOf(const log::Record& record) {
  const base::Json* cost = record.payload.if_contains("est_cost_usd");
  if (cost == nullptr) return 0;
  if (const auto micros = base::MoneyFromJson(*cost)) return std::min(*micros, kMaxMicros);
  const std::optional<double> number = base::AsDouble(*cost);
  return number && std::isfinite(*number) && *number > 0 ? kMaxMicros : 0;
}

std::string_view ClassOf(const log::Record& record) {
  return base::StringMember(record.payload, "class").value_or(std::string_view());
}

bool IsWithin(const log::Record& record, std::int64_t now_ms, std::int64_t span_ms) {
  if (!record.instant) return true;
  return *record.instant <= now_ms && *record.instant > now_ms - span_ms;
}

base::Micros AddSaturating(base::Micros a, base::Micros b) {
  return a > kMaxMicros - b ? kMaxMicros : a + b;
}

}  // namespace approval::policy
