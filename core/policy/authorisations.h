// Which records of a log stand for an authorised action, and what each is said to cost.
//
// core.md 4.12. `records` must outlive what is answered.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/money.h"
#include "core/log/record.h"

namespace approval::policy {

// The largest amount that adds up exactly.
inline constexpr base::Micros kMaxMicros = (base::Micros{1} << 53) - 1;

// Every grant, and every start whose key has no grant among the kept records.
std::vector<const log::Record*> Authorisations(std::span<const log::Record> records,
                                               const std::function<bool(const log::Record&)>& keep);

// `payload.est_cost_usd` as number or decimal string; an absent or impossible one is 0, one beyond
// the exact range is that range's end.
base::Micros CostOf(const log::Record& record);

// `payload.class`, or an empty text.
std::string_view ClassOf(const log::Record& record);

// Whether the record's instant lies in (now - span, now]; an unknown instant counts as inside.
bool IsWithin(const log::Record& record, std::int64_t now_ms, std::int64_t span_ms);

// Two amounts that are not negative, at most kMaxMicros.
base::Micros AddSaturating(base::Micros a, base::Micros b);

}  // namespace approval::policy
