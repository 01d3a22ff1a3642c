// Timestamps: what we write, what we accept, and the instants they stand for (core.md 2.6, 2.7).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace approval::base {

// `YYYY-MM-DDTHH:MM:SS.mmmZ`, UTC.
std::string FormatInstant(std::int64_t epoch_ms);

// Whether the text is an accepted date-time. Accepted forms without an instant exist.
bool IsDateTime(std::string_view text);

// Milliseconds since 1970, further fraction digits cut off. Nothing for text that is not accepted,
// for leap seconds and for an hour-only zone after a T.
std::optional<std::int64_t> ParseInstant(std::string_view text);

struct CivilTime {
  int year, month, day, hour, minute, second, millisecond;
};

CivilTime CivilFromMs(std::int64_t epoch_ms);

}  // namespace approval::base
