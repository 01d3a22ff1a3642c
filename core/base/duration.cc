#include "core/base/duration.h"

#include <charconv>
#include <limits>

namespace approval::base {
namespace {

struct Parts {
  std::string_view digits;
  std::int64_t unit_ms;
};

std::optional<Parts> Split(std::string_view text) {
  const std::size_t end = text.find_first_not_of("0123456789");
  if (end == 0 || end == std::string_view::npos || text.front() == '0') return std::nullopt;
  const std::string_view unit = text.substr(end);
  std::int64_t ms = 0;
  if (unit == "ms") ms = 1;
  if (unit == "s") ms = 1000;
  if (unit == "m") ms = 60'000;
  if (unit == "h") ms = 3'600'000;
  if (unit == "d") ms = 86'400'000;
  if (unit == "w") ms = 604'800'000;
  if (ms == 0) return std::nullopt;
  return Parts{text.substr(0, end), ms};
}

}  // namespace

bool MatchesDurationPattern(std::string_view text) { return Split(text).has_value(); }

std::optional<std::int64_t> ParseDurationMs(std::string_view text) {
  const std::optional<Parts> parts = Split(text);
  if (!parts) return std::nullopt;
  std::int64_t number = 0;
  const char* end = parts->digits.data() + parts->digits.size();
  const auto read = std::from_chars(parts->digits.data(), end, number);
  constexpr std::int64_t kMaxSafe = (std::int64_t{1} << 53) - 1;
  if (read.ec != std::errc() || number > kMaxSafe) return std::nullopt;
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  if (number > kMax / parts->unit_ms) return kMax;
  return number * parts->unit_ms;
}

std::string DurationWords(std::int64_t ms) {
  const std::int64_t seconds = ms > 0 ? ms / 1000 : 0;
  const std::int64_t hours = seconds / 3600;
  const std::int64_t minutes = seconds / 60 % 60;
  if (hours > 0) return std::to_string(hours) + "h " + std::to_string(minutes) + "m";
  if (minutes > 0) return std::to_string(minutes) + "m " + std::to_string(seconds % 60) + "s";
  return std::to_string(seconds) + "s";
}

}  // namespace approval::base
