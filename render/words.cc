#include "render/words.h"

#include <fmt/format.h>

#include <array>

#include "core/base/duration.h"
#include "core/base/instant.h"
#include "render/quote.h"

namespace approval::render {
namespace {

constexpr std::int64_t kMinute = 60'000;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kDay = 24 * kHour;

constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

std::int64_t DayOf(std::int64_t ms) { return ms >= 0 ? ms / kDay : (ms - kDay + 1) / kDay; }

std::string About(std::int64_t count, std::string_view unit) {
  return fmt::format("about {} {}{}", count, unit, count == 1 ? "" : "s");
}

// In the calendar that both instants are given in.
std::string DayAndClock(std::int64_t instant_ms, std::int64_t now_ms) {
  const base::CivilTime time = base::CivilFromMs(instant_ms);
  const std::string clock = fmt::format("{:02}:{:02}", time.hour, time.minute);
  const std::int64_t days = DayOf(instant_ms) - DayOf(now_ms);
  if (days == 0) return clock;
  if (days == 1) return "tomorrow " + clock;
  return fmt::format("{} {} {}", time.day, kMonths.at(static_cast<std::size_t>(time.month - 1)),
                     clock);
}

}  // namespace

std::string LeftWords(std::optional<std::int64_t> left_ms) {
  if (!left_ms) return "no TTL declared";
  if (*left_ms <= 0) return "EXPIRED";
  return base::DurationWords(*left_ms) + " left";
}

std::string AgeWords(std::int64_t age_ms) {
  if (age_ms < kMinute) return "just now";
  if (age_ms < kHour) return fmt::format("{} min ago", age_ms / kMinute);
  return fmt::format("{}h {:02}m ago", age_ms / kHour, age_ms / kMinute % 60);
}

std::string ClockWords(std::int64_t instant_ms, std::int64_t now_ms,
                       const std::optional<LocalTime>& local) {
  const std::string utc = DayAndClock(instant_ms, now_ms) + " UTC";
  if (!local) return utc;
  const std::string there =
      DayAndClock(instant_ms + local->offset_ms(instant_ms), now_ms + local->offset_ms(now_ms));
  return there + " " + QuoteLine(local->place) + " (" + utc + ")";
}

std::string WaitingLine(const gate::WaitingView& waiting, std::int64_t now_ms,
                        const std::optional<LocalTime>& local) {
  if (!waiting.requested_ms) return "requested at " + QuoteLine(waiting.requested_ts);
  const std::string asked = "requested " + AgeWords(now_ms - *waiting.requested_ms);
  if (!waiting.deadline_ms) return asked + " · no deadline";
  return asked + (waiting.requester_waits ? " · requester waits until " : " · expires ") +
         ClockWords(*waiting.deadline_ms, now_ms, local);
}

std::string PlainDuration(std::int64_t ms) {
  if (ms < kMinute) return "less than a minute";
  if (ms < 90 * kMinute) return About(ms / kMinute, "minute");
  if (ms < 36 * kHour) return About((ms + kHour / 2) / kHour, "hour");
  return About((ms + kDay / 2) / kDay, "day");
}

std::string DeadlineSentence(const gate::WaitingView& waiting, std::int64_t now_ms,
                             const std::optional<LocalTime>& local) {
  if (!waiting.deadline_ms) {
    return "no time limit · the request is open · without an answer it will not happen";
  }
  const std::int64_t left = *waiting.deadline_ms - now_ms;
  const std::string clock = ClockWords(*waiting.deadline_ms, now_ms, local);
  if (left <= 0) return "the time ended at " + clock + " · it will not happen";
  return PlainDuration(left) + " left, until " + clock +
         (waiting.requester_waits ? " · the agent is blocked and waiting"
                                  : " · the request is open, the agent is not blocked") +
         " · without an answer it will not happen";
}

}  // namespace approval::render
