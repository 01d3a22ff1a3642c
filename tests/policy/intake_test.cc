#include "core/policy/intake.h"

#include <gtest/gtest.h>

#include "tests/policy/records.h"

namespace approval::policy {
namespace {

constexpr std::int64_t kNow = 1'785'834'000'000;

log::Record Request(const char* actor, const char* action_class, std::int64_t at) {
  log::Record record = testing::MakeRecord("approval.requested", actor, at);
  record.payload = {{"class", action_class}};
  return record;
}

Resolution With(Limits limits) {
  Resolution out;
  out.pattern = "a.*";
  out.limits = std::move(limits);
  return out;
}

TEST(Intake, AFullQueueOfTheClassRefuses) {
  const std::vector<std::string> pending = {"a.b", "a.c", "z"};
  const Resolution two = With({{"max_pending", 2'000'000}});
  const auto refusal = CheckIntake({}, Policy(), two, {"agent:x", pending, kNow});
  ASSERT_TRUE(refusal);
  EXPECT_EQ(base::ToText(IntakeVerdictJson(*refusal)),
            R"({"limit":"max_pending","scope":"class","window":"simultaneous",)"
            R"("refusal":"queue-full","observed":2,"requested":1,"remaining":-1,"ceiling":2,)"
            R"("pass":false})");
  const Resolution three = With({{"max_pending", 3'000'000}});
  EXPECT_FALSE(CheckIntake({}, Policy(), three, {"agent:x", pending, kNow}));
}

TEST(Intake, AFullQueueOfAScopeCountsEveryClass) {
  Policy policy;
  policy.budgets["global"]["max_pending"] = 2'000'000;
  const std::vector<std::string> pending = {"y", "z"};
  const auto refusal = CheckIntake({}, policy, Resolution(), {"agent:x", pending, kNow});
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->limit, "global.max_pending");
  EXPECT_EQ(refusal->scope, "global");
}

TEST(Intake, RequestsPerHourCountsThisActorInTheLastHour) {
  const std::vector<log::Record> records = {
      Request("agent:x", "a.b", kNow - 3'600'000), Request("agent:x", "a.b", kNow - 3'599'999),
      Request("agent:x", "a.c", kNow), Request("agent:y", "a.b", kNow),
      Request("agent:x", "z", kNow)};
  const Resolution two = With({{"requests_per_hour", 2'000'000}});
  const auto refusal = CheckIntake(records, Policy(), two, {"agent:x", {}, kNow});
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->refusal, base::Code::kRateLimited);
  EXPECT_EQ(refusal->observed, 2);
  EXPECT_EQ(refusal->window, "rolling-1h");
  EXPECT_FALSE(CheckIntake(records, Policy(), two, {"agent:y", {}, kNow}));
}

TEST(Intake, AnUnknownTimeRefusesALimitPerHour) {
  const Resolution many = With({{"requests_per_hour", 9'000'000}});
  EXPECT_TRUE(CheckIntake({}, Policy(), many, {"agent:x", {}, std::nullopt}));
}

}  // namespace
}  // namespace approval::policy
