#include "render/words.h"

#include <gtest/gtest.h>

namespace approval::render {
namespace {

constexpr std::int64_t kMinute = 60'000;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kDay = 24 * kHour;
constexpr std::int64_t kNow = 1'787'745'600'000;  // 2026-08-26T12:00:00Z

gate::WaitingView Waiting(std::optional<std::int64_t> deadline, bool requester) {
  return {"2026-08-26T11:55:00.000Z", kNow - 5 * kMinute, deadline, requester};
}

TEST(Words, TimeLeftNamesTheTwoLargestUnits) {
  EXPECT_EQ(LeftWords(2 * kHour + 5 * kMinute), "2h 5m left");
  EXPECT_EQ(LeftWords(4 * kMinute + 10'000), "4m 10s left");
  EXPECT_EQ(LeftWords(12'000), "12s left");
  EXPECT_EQ(LeftWords(0), "EXPIRED");
  EXPECT_EQ(LeftWords(std::nullopt), "no TTL declared");
}

TEST(Words, AnAgeIsCoarse) {
  EXPECT_EQ(AgeWords(59'999), "just now");
  EXPECT_EQ(AgeWords(12 * kMinute), "12 min ago");
  EXPECT_EQ(AgeWords(2 * kHour + 5 * kMinute), "2h 05m ago");
}

TEST(Words, AClockNamesTheDayWhenItIsNotToday) {
  EXPECT_EQ(ClockWords(kNow + kHour, kNow), "13:00 UTC");
  EXPECT_EQ(ClockWords(kNow + 12 * kHour, kNow), "tomorrow 00:00 UTC");
  EXPECT_EQ(ClockWords(kNow + 2 * kDay, kNow), "28 Aug 12:00 UTC");
  EXPECT_EQ(ClockWords(kNow - kDay, kNow), "25 Aug 12:00 UTC");
}

TEST(Words, TheWaitingLinePrefersTheRequestersWait) {
  EXPECT_EQ(WaitingLine(Waiting(kNow + kHour, true), kNow),
            "requested 5 min ago · requester waits until 13:00 UTC");
  EXPECT_EQ(WaitingLine(Waiting(kNow + kHour, false), kNow),
            "requested 5 min ago · expires 13:00 UTC");
  EXPECT_EQ(WaitingLine(Waiting(std::nullopt, false), kNow), "requested 5 min ago · no deadline");
}

TEST(Words, AnUnreadableRequestTimeIsShownAsItIsQuoted) {
  EXPECT_EQ(WaitingLine({"yester\nday", std::nullopt, std::nullopt, false}, kNow),
            "requested at yester ⏎ day");
}

TEST(Words, PlainDurationsChangeUnitAtNinetyMinutesAndThirtySixHours) {
  EXPECT_EQ(PlainDuration(59'999), "less than a minute");
  EXPECT_EQ(PlainDuration(kMinute), "about 1 minute");
  EXPECT_EQ(PlainDuration(89 * kMinute), "about 89 minutes");
  EXPECT_EQ(PlainDuration(90 * kMinute), "about 2 hours");
  EXPECT_EQ(PlainDuration(35 * kHour), "about 35 hours");
  EXPECT_EQ(PlainDuration(36 * kHour), "about 2 days");
}

TEST(Words, TheDeadlineSaysWhoWaitsAndThatSilenceMeansNo) {
  EXPECT_EQ(DeadlineSentence(Waiting(kNow + 3 * kHour, true), kNow),
            "about 3 hours left, until 15:00 UTC · the agent is blocked and waiting · without an "
            "answer it will not happen");
  EXPECT_EQ(DeadlineSentence(Waiting(kNow + 3 * kHour, false), kNow),
            "about 3 hours left, until 15:00 UTC · the request is open, the agent is not blocked · "
            "without an answer it will not happen");
  EXPECT_EQ(DeadlineSentence(Waiting(std::nullopt, false), kNow),
            "no time limit · the request is open · without an answer it will not happen");
  EXPECT_EQ(DeadlineSentence(Waiting(kNow - kMinute, true), kNow),
            "the time ended at 11:59 UTC · it will not happen");
}

// 6.4 OURS: an approver plans in local time.
TEST(Words, ALocalClockStandsBesideUtcEachWithItsOwnDay) {
  const LocalTime madrid{"Madrid", [](std::int64_t) { return 2 * kHour; }};
  EXPECT_EQ(ClockWords(kNow + kHour, kNow, madrid), "15:00 Madrid (13:00 UTC)");
  EXPECT_EQ(ClockWords(kNow + 10 * kHour, kNow, madrid), "tomorrow 00:00 Madrid (22:00 UTC)");
  EXPECT_EQ(ClockWords(kNow + 2 * kDay, kNow, madrid), "28 Aug 14:00 Madrid (28 Aug 12:00 UTC)");
}

TEST(Words, ADeadlineBehindTheSwitchOfTheClocksShowsTheTimeOfThen) {
  const std::int64_t change = kNow + kHour;
  const LocalTime there{"Madrid",
                        [change](std::int64_t at) { return at < change ? 2 * kHour : kHour; }};
  EXPECT_EQ(ClockWords(kNow + 2 * kHour, kNow, there), "15:00 Madrid (14:00 UTC)");
}

TEST(Words, TheWaitingLineAndTheDeadlineTakeTheLocalClock) {
  const LocalTime madrid{"Madrid", [](std::int64_t) { return 2 * kHour; }};
  EXPECT_EQ(WaitingLine(Waiting(kNow + kHour, false), kNow, madrid),
            "requested 5 min ago · expires 15:00 Madrid (13:00 UTC)");
  EXPECT_NE(DeadlineSentence(Waiting(kNow + kHour, true), kNow, madrid)
                .find("until 15:00 Madrid (13:00 UTC)"),
            std::string::npos);
}

}  // namespace
}  // namespace approval::render
