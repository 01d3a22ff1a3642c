// Budgets and intake limits as the gate applies them (core.md 4.12, 4.13, 5.5, 5.7, 5.10).
#include <gtest/gtest.h>

#include "tests/gate/rig.h"

namespace approval::gate {
namespace {

using testing::Action;
using testing::CodeOf;
using testing::kHour;
using testing::Letter;
using testing::Rig;
using testing::SeqIn;

std::string Limited(const std::string& limits, const std::string& level = "manual") {
  return "defaults:\n  approval_ttl: 1h\nclasses:\n  communicate.email.external: {autonomy: " +
         level + ", limits: {" + limits + "}}\n";
}

std::vector<Action> Three(std::optional<double> cost = std::nullopt) {
  std::vector<Action> actions;
  for (const char* key : {"a", "b", "c"}) {
    Action action;
    action.key = key;
    action.cost = cost;
    actions.push_back(action);
  }
  return actions;
}

TEST(IntakeLimits, AFullQueueRefusesAndAppendsNothing) {
  Rig rig(Limited("max_pending: 2"));
  ASSERT_TRUE(rig.Register("t-1", Three()));
  ASSERT_TRUE(rig.Request("a"));
  ASSERT_TRUE(rig.Request("b"));
  const std::size_t before = rig.Count();
  const auto refused = rig.Request("c");
  ASSERT_EQ(CodeOf(refused), "queue-full");
  const base::JsonObject& limits = refused.error().details.at("limits").as_object();
  EXPECT_EQ(limits.at("limit"), "max_pending");
  EXPECT_EQ(limits.at("observed"), 2);
  EXPECT_EQ(limits.at("ceiling"), 2);
  EXPECT_EQ(limits.at("remaining"), -1);
  EXPECT_EQ(rig.Count(), before);
}

TEST(IntakeLimits, AnAnswerMakesRoomInTheQueue) {
  Rig rig(Limited("max_pending: 1"));
  ASSERT_TRUE(rig.Register("t-1", Three()));
  ASSERT_TRUE(rig.Request("a"));
  ASSERT_EQ(CodeOf(rig.Request("b")), "queue-full");
  ASSERT_TRUE(rig.Reject("a"));
  EXPECT_EQ(CodeOf(rig.Request("b")), "ok");
}

TEST(IntakeLimits, ARequestThatLapsedDoesNotFillTheQueue) {
  Rig rig(Limited("max_pending: 1"));
  ASSERT_TRUE(rig.Register("t-1", Three()));
  ASSERT_TRUE(rig.Request("a"));
  rig.clock.Advance(kHour + 1);
  EXPECT_EQ(CodeOf(rig.Request("b")), "ok");
}

TEST(IntakeLimits, TooManyRequestsInAnHourAreRateLimited) {
  Rig rig(Limited("requests_per_hour: 2"));
  ASSERT_TRUE(rig.Register("t-1", Three()));
  ASSERT_TRUE(rig.Request("a"));
  ASSERT_TRUE(rig.Request("b"));
  const std::size_t before = rig.Count();
  EXPECT_EQ(CodeOf(rig.Request("c")), "rate-limited");
  EXPECT_EQ(rig.Count(), before);
}

TEST(IntakeLimits, AnHourLaterTheSameActorMayAskAgain) {
  Rig rig(Limited("requests_per_hour: 1"));
  ASSERT_TRUE(rig.Register("t-1", Three()));
  ASSERT_TRUE(rig.Request("a"));
  rig.clock.Advance(kHour - 1);
  ASSERT_EQ(CodeOf(rig.Request("b")), "rate-limited");
  rig.clock.Advance(1);
  EXPECT_EQ(CodeOf(rig.Request("b")), "ok");
}

TEST(IntakeLimits, TheRateIsCountedPerActor) {
  Rig rig(Limited("requests_per_hour: 1"));
  ASSERT_TRUE(rig.Register("t-1", Three()));
  ASSERT_TRUE(rig.Request("a"));
  EXPECT_EQ(CodeOf(rig.Request("b", Letter(), "t-1", "agent:other")), "ok");
}

TEST(IntakeLimits, ADuplicateIsNamedBeforeAFullQueue) {
  Rig rig(Limited("max_pending: 1"));
  ASSERT_TRUE(rig.Register("t-1", Three()));
  ASSERT_TRUE(rig.Request("a"));
  EXPECT_EQ(CodeOf(rig.Request("a")), "duplicate-request");
}

TEST(IntakeLimits, AFullQueueIsNamedBeforeABudget) {
  Rig rig(Limited("max_pending: 1, per_action_usd: 1"));
  auto actions = Three();
  actions[1].cost = 5;
  ASSERT_TRUE(rig.Register("t-1", actions));
  ASSERT_TRUE(rig.Request("a"));
  EXPECT_EQ(CodeOf(rig.Request("b")), "queue-full");
}

TEST(Budgets, ARefusedRequestLeavesOneRecordWithEveryVerdict) {
  Rig rig(Limited("per_action_usd: 1, daily_usd: 10"));
  ASSERT_TRUE(rig.Register("t-1", Three(2.5)));
  const std::size_t before = rig.Count();
  const auto refused = rig.Request("a");
  ASSERT_EQ(CodeOf(refused), "budget-exceeded");
  EXPECT_EQ(rig.Count(), before + 1);
  const log::Record last = rig.Last();
  EXPECT_EQ(last.event, "budget.exceeded");
  EXPECT_EQ(last.actor, "agent:claude");
  EXPECT_EQ(last.seq, SeqIn(refused));
  EXPECT_EQ(last.payload.at("stage"), "request");
  EXPECT_EQ(last.payload.at("est_cost_usd"), "2.5");
  EXPECT_EQ(last.payload.at("verdicts").as_array().size(), 2U);
  EXPECT_EQ(refused.error().details.at("verdicts").as_array().size(), 1U);
}

TEST(Budgets, ARefusedRequestStoresNoPayload) {
  Rig rig(Limited("per_action_usd: 1"));
  ASSERT_TRUE(rig.Register("t-1", Three(2.5)));
  ASSERT_EQ(CodeOf(rig.Request("a")), "budget-exceeded");
  EXPECT_EQ(CodeOf(rig.gate.store().Get(testing::HashOf(Letter()))), "absent");
}

TEST(Budgets, AGrantThatWouldOverspendIsRefusedUnderTheNameOfThePerson) {
  Rig rig(Limited("daily_usd: 3"));
  ASSERT_TRUE(rig.Register("t-1", Three(2)));
  ASSERT_TRUE(rig.Request("a"));
  ASSERT_TRUE(rig.Request("b"));
  ASSERT_TRUE(rig.Grant("a"));
  const auto refused = rig.Grant("b");
  ASSERT_EQ(CodeOf(refused), "budget-exceeded");
  EXPECT_EQ(testing::Detail(refused, "state"), "requested");
  EXPECT_EQ(rig.Last().actor, "human:alice");
  EXPECT_EQ(rig.LastText("stage"), "grant");
}

TEST(Budgets, ExactlyTheCeilingPasses) {
  Rig rig(Limited("daily_usd: 0.3"));
  ASSERT_TRUE(rig.Register("t-1", Three(0.1)));
  for (const char* key : {"a", "b", "c"}) {
    ASSERT_TRUE(rig.Request(key));
    EXPECT_EQ(CodeOf(rig.Grant(key)), "ok") << key;
  }
}

TEST(Budgets, ARevokedGrantStillCounts) {
  Rig rig(Limited("daily_actions: 1"));
  ASSERT_TRUE(rig.Register("t-1", Three()));
  ASSERT_TRUE(rig.Request("a"));
  ASSERT_TRUE(rig.Grant("a"));
  ASSERT_TRUE(rig.Revoke("a"));
  EXPECT_EQ(CodeOf(rig.Request("b")), "budget-exceeded");
}

TEST(Budgets, SpendingATokenAsksNoBudget) {
  Rig rig(Limited("daily_actions: 1"));
  ASSERT_TRUE(rig.Register("t-1", Three()));
  ASSERT_TRUE(rig.Request("a"));
  const auto granted = rig.Grant("a");
  ASSERT_TRUE(granted);
  EXPECT_EQ(CodeOf(rig.Start(granted->token->Reveal(), Letter(), "a")), "ok");
}

TEST(Budgets, AnUngatedStartThatWouldOverspendIsRefused) {
  Rig rig(Limited("daily_actions: 1", "autonomous"));
  ASSERT_TRUE(rig.Register("t-1", Three()));
  ASSERT_TRUE(rig.Start("", Letter(), "a"));
  const auto refused = rig.Start("", Letter(), "b");
  ASSERT_EQ(CodeOf(refused), "budget-exceeded");
  EXPECT_EQ(rig.Last().event, "budget.exceeded");
  EXPECT_EQ(rig.LastText("stage"), "execution");
  EXPECT_EQ(rig.Last().seq, SeqIn(refused, "event_seq"));
}

}  // namespace
}  // namespace approval::gate
