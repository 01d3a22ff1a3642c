#include "core/base/instant.h"

#include <chrono>
#include <cstdio>

#include "core/base/utf8.h"

namespace approval::base {
namespace {

struct Reading {
  bool accepted = false;
  std::optional<std::int64_t> instant;
};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Takes exactly `count` digits off the front of `text`.
bool TakeDigits(std::string_view& text, std::size_t count, int& out) {
  if (text.size() < count) return false;
  out = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (!IsDigit(text[i])) return false;
    out = out * 10 + (text[i] - '0');
  }
  text.remove_prefix(count);
  return true;
}

bool TakeChar(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

struct Split {
  std::string_view date;
  std::string_view time;
  bool with_t;
};

// At each t, T or white space; exactly two parts.
std::optional<Split> SplitOnce(std::string_view text) {
  std::optional<Split> found;
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint cp = DecodeAt(text, i);
    const bool letter = cp.value == U't' || cp.value == U'T';
    if (letter || (cp.ok && IsEcmaSpace(cp.value))) {
      if (found) return std::nullopt;
      found = Split{text.substr(0, i), text.substr(i + cp.length), letter};
    }
    i += cp.length;
  }
  return found;
}

// With a blank between date and time the convention's runtime reads a year below 100 as one of the
// years 1950 to 2049; `two_digit_years` follows it, so that instants agree.
std::optional<std::chrono::sys_days> ReadDate(std::string_view text, bool two_digit_years) {
  int year = 0;
  int month = 0;
  int day = 0;
  if (!TakeDigits(text, 4, year) || !TakeChar(text, '-') || !TakeDigits(text, 2, month) ||
      !TakeChar(text, '-') || !TakeDigits(text, 2, day) || !text.empty()) {
    return std::nullopt;
  }
  if (two_digit_years && year < 100) year += year < 50 ? 2000 : 1900;
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date);
}

struct Zone {
  int minutes = 0;  // east of UTC
  bool hour_only = false;
};

std::optional<Zone> ReadZone(std::string_view text) {
  if (text == "z" || text == "Z") return Zone{};
  int sign = 0;
  if (TakeChar(text, '+')) sign = 1;
  if (sign == 0 && TakeChar(text, '-')) sign = -1;
  int hours = 0;
  if (sign == 0 || !TakeDigits(text, 2, hours) || hours > 23) return std::nullopt;
  if (text.empty()) return Zone{sign * hours * 60, true};
  TakeChar(text, ':');
  int minutes = 0;
  if (!TakeDigits(text, 2, minutes) || minutes > 59 || !text.empty()) return std::nullopt;
  return Zone{sign * (hours * 60 + minutes), false};
}

Reading Read(std::string_view text) {
  const std::optional<Split> split = SplitOnce(text);
  if (!split) return {};
  const auto date = ReadDate(split->date, !split->with_t);
  std::string_view rest = split->time;
  int hour = 0;
  int minute = 0;
  int second = 0;
  if (!date || !TakeDigits(rest, 2, hour) || !TakeChar(rest, ':') || !TakeDigits(rest, 2, minute) ||
      !TakeChar(rest, ':') || !TakeDigits(rest, 2, second)) {
    return {};
  }
  int millis = 0;
  if (TakeChar(rest, '.')) {
    int digits = 0;
    for (; !rest.empty() && IsDigit(rest.front()); rest.remove_prefix(1), ++digits) {
      if (digits < 3) millis = millis * 10 + (rest.front() - '0');
    }
    if (digits == 0) return {};
    for (; digits < 3; ++digits) millis *= 10;
  }
  const std::optional<Zone> zone = ReadZone(rest);
  if (!zone) return {};
  const bool normal = hour <= 23 && minute <= 59 && second < 60;
  if (!normal) {
    // A leap second is accepted at 23:59 UTC only, and has no instant.
    int utc = (hour * 60 + minute - zone->minutes) % (24 * 60);
    if (utc < 0) utc += 24 * 60;
    const bool leap = hour <= 23 && minute <= 59 && second == 60 && utc == 23 * 60 + 59;
    return {leap, std::nullopt};
  }
  if (zone->hour_only && split->with_t) return {true, std::nullopt};
  const std::int64_t days = date->time_since_epoch().count();
  const std::int64_t minutes = days * 24 * 60 + hour * 60 + minute - zone->minutes;
  return {true, (minutes * 60 + second) * 1000 + millis};
}

}  // namespace

bool IsDateTime(std::string_view text) { return Read(text).accepted; }

std::optional<std::int64_t> ParseInstant(std::string_view text) { return Read(text).instant; }

CivilTime CivilFromMs(std::int64_t epoch_ms) {
  using std::chrono::duration_cast;
  const std::chrono::sys_time<std::chrono::milliseconds> at{std::chrono::milliseconds(epoch_ms)};
  const auto day = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss clock{at - day};
  return {static_cast<int>(date.year()),
          static_cast<int>(static_cast<unsigned>(date.month())),
          static_cast<int>(static_cast<unsigned>(date.day())),
          static_cast<int>(clock.hours().count()),
          static_cast<int>(clock.minutes().count()),
          static_cast<int>(clock.seconds().count()),
          static_cast<int>(duration_cast<std::chrono::milliseconds>(clock.subseconds()).count())};
}

std::string FormatInstant(std::int64_t epoch_ms) {
  const CivilTime t = CivilFromMs(epoch_ms);
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", t.year, t.month,
                t.day, t.hour, t.minute, t.second, t.millisecond);
  return buffer;
}

}  // namespace approval::base
