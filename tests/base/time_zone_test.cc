#include "core/base/time_zone.h"

#include <gtest/gtest.h>

#include "core/base/instant.h"

namespace approval::base {
namespace {

constexpr std::int64_t kHour = 3'600'000;

std::int64_t OffsetOf(const std::string& zone, const std::string& instant) {
  const auto loaded = TimeZone::Load(zone);
  EXPECT_TRUE(loaded) << zone;
  return loaded ? loaded->OffsetMs(*ParseInstant(instant)) : -1;
}

TEST(TimeZone, SummerAndWinterDiffer) {
  EXPECT_EQ(OffsetOf("Europe/Madrid", "2026-08-26T12:00:00Z"), 2 * kHour);
  EXPECT_EQ(OffsetOf("Europe/Madrid", "2026-12-01T12:00:00Z"), kHour);
  EXPECT_EQ(OffsetOf("America/New_York", "2026-12-01T12:00:00Z"), -5 * kHour);
  EXPECT_EQ(OffsetOf("Asia/Kathmandu", "2026-12-01T12:00:00Z"), 5 * kHour + 45 * 60'000);
}

TEST(TimeZone, TheOffsetChangesAtTheSecondOfTheSwitch) {
  EXPECT_EQ(OffsetOf("Europe/Madrid", "2026-10-25T00:59:59Z"), 2 * kHour);
  EXPECT_EQ(OffsetOf("Europe/Madrid", "2026-10-25T01:00:00Z"), kHour);
}

TEST(TimeZone, ThePlaceIsTheLastPartOfTheName) {
  EXPECT_EQ(TimeZone::Load("America/New_York")->place(), "New York");
  EXPECT_EQ(TimeZone::Load("UTC")->place(), "UTC");
}

TEST(TimeZone, WhatIsNoZoneIsRefusedAndReachesNoFile) {
  for (const std::string name : {"", "/etc/passwd", "../../etc/passwd", "Europe/", "Europe//Madrid",
                                 "Europe/Madr id", "Europe/Nowhere", "a\nb", "Europe/Madrid\x1b"}) {
    const auto loaded = TimeZone::Load(name);
    ASSERT_FALSE(loaded) << name;
    EXPECT_EQ(loaded.error().code, Code::kUsage);
  }
}

}  // namespace
}  // namespace approval::base
