// Money as integer micro-dollars; never through a binary double into a hash (core.md 4.13, 8.2).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/json.h"

namespace approval::base {

using Micros = std::int64_t;

// The canonical decimal string, `^(0|[1-9][0-9]*)(\.[0-9]{0,5}[1-9])?$`, of a value >= 0. Negative
// values (remaining budget) get a leading minus sign.
std::string MoneyText(Micros micros);

// A canonical decimal string; anything else is nothing.
std::optional<Micros> ParseMoneyText(std::string_view text);

// A cost in a record: a canonical decimal string, or a finite number >= 0 rounded to micros.
std::optional<Micros> MoneyFromJson(const Json& value);

// "$0.02": at least two decimals, more when the value has them.
std::string DollarText(Micros micros);

}  // namespace approval::base
