// Durations as the policy and the flags spell them: `^[1-9][0-9]*(ms|s|m|h|d|w)$` (core.md 4.11).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace approval::base {

bool MatchesDurationPattern(std::string_view text);

// Milliseconds; nothing when the pattern does not match or the number is above 2^53 - 1. The
// product saturates at the largest int64.
std::optional<std::int64_t> ParseDurationMs(std::string_view text);

// `3h 10m left` words for people: `Hh Mm`, else `Mm Ss`, else `Ss` (channels.md 6.2).
std::string DurationWords(std::int64_t ms);

}  // namespace approval::base
