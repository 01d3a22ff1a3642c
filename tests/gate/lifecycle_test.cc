// Withdrawal, expiry, the queue and what a waiter is told (core.md 5.8).
#include <gtest/gtest.h>

#include "tests/gate/rig.h"

namespace approval::gate {
namespace {

using testing::Action;
using testing::CodeOf;
using testing::Detail;
using testing::kHour;
using testing::kLines;
using testing::Letter;
using testing::Rig;
using testing::SeqIn;

base::Result<Withdrawn> Withdraw(Rig& rig, const std::string& actor = "agent:claude") {
  return rig.gate.Withdraw("t-1", "k", actor, "cancelled", "changed my mind");
}

TEST(Withdraw, ItRecordsTheReasonAndTheNote) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  const auto withdrawn = Withdraw(rig);
  ASSERT_TRUE(withdrawn);
  EXPECT_EQ(withdrawn->seq, rig.Last().seq);
  EXPECT_EQ(rig.Last().event, "approval.withdrawn");
  EXPECT_EQ(rig.LastText("reason"), "cancelled");
  EXPECT_EQ(rig.LastText("note"), "changed my mind");
}

TEST(Withdraw, AnActorIsAHumanOrAnAgent) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  EXPECT_EQ(CodeOf(Withdraw(rig, "system:gate")), "actor-invalid");
}

TEST(Withdraw, OnlyTheOneWhoAskedMayWithdraw) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  EXPECT_EQ(CodeOf(Withdraw(rig, "agent:other")), "not-requester");
  EXPECT_EQ(CodeOf(Withdraw(rig, "human:claude")), "not-requester");
}

TEST(Withdraw, AKeyNobodyAskedForIsNotRequested) {
  Rig rig;
  EXPECT_EQ(CodeOf(Withdraw(rig)), "not-requested");
}

TEST(Withdraw, TwiceIsRefusedByItsOwnCode) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  ASSERT_TRUE(Withdraw(rig));
  EXPECT_EQ(CodeOf(Withdraw(rig)), "request-withdrawn");
}

TEST(Withdraw, ADecidedRequestStaysDecided) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  ASSERT_TRUE(rig.Grant());
  const auto refused = Withdraw(rig);
  EXPECT_EQ(CodeOf(refused), "already-decided");
  EXPECT_EQ(Detail(refused, "state"), "granted");
}

TEST(Withdraw, AfterTheWindowTheExpiryIsRecordedInstead) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  rig.clock.Advance(kHour + 1);
  const auto refused = Withdraw(rig);
  EXPECT_EQ(CodeOf(refused), "expired");
  EXPECT_EQ(rig.Last().event, "approval.expired");
  EXPECT_EQ(rig.Last().seq, SeqIn(refused));
}

TEST(Withdraw, ItNeedsNoAttestedPolicy) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  rig.SetPolicy(std::string(kLines) + "payload_retention: 30d\n");
  EXPECT_EQ(CodeOf(Withdraw(rig)), "ok");
}

TEST(Expire, ALapsedRequestIsPutOnRecordByTheGate) {
  Rig rig("defaults:\n  approval_ttl: 1h\n  on_expiry: reject\n");
  ASSERT_TRUE(rig.Ask());
  const std::string requested_ts = rig.Last().ts;
  rig.clock.Advance(kHour + 1);
  const auto seq = rig.gate.Expire("k");
  ASSERT_TRUE(seq);
  const log::Record last = rig.Last();
  EXPECT_EQ(last.seq, *seq);
  EXPECT_EQ(last.event, "approval.expired");
  EXPECT_EQ(last.actor, "system:gate");
  EXPECT_EQ(last.payload.at("ttl_ms"), kHour);
  EXPECT_EQ(rig.LastText("requested_ts"), requested_ts);
  EXPECT_EQ(rig.LastText("on_expiry"), "reject");
}

TEST(Expire, ExactlyAtTheLimitIsLive) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  rig.clock.Advance(kHour);
  EXPECT_EQ(CodeOf(rig.gate.Expire("k")), "not-expired");
}

TEST(Expire, WithoutAWindowNothingExpires) {
  Rig rig("classes:\n  communicate.email.external: {autonomy: manual}\n");
  ASSERT_TRUE(rig.Ask());
  rig.clock.Advance(1000 * kHour);
  EXPECT_EQ(CodeOf(rig.gate.Expire("k")), "not-expired");
}

TEST(Expire, AKeyNobodyAskedForIsNotRequested) {
  Rig rig;
  EXPECT_EQ(CodeOf(rig.gate.Expire("k")), "not-requested");
}

TEST(Expire, WhatIsDecidedOrExpiredOnRecordIsAlreadyDecided) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  rig.clock.Advance(kHour + 1);
  ASSERT_TRUE(rig.gate.Expire("k"));
  EXPECT_EQ(CodeOf(rig.gate.Expire("k")), "already-decided");
  Rig decided;
  ASSERT_TRUE(decided.Ask());
  ASSERT_TRUE(decided.Reject());
  decided.clock.Advance(kHour + 1);
  EXPECT_EQ(CodeOf(decided.gate.Expire("k")), "already-decided");
}

TEST(Queue, ItListsWhatWaitsByItsRequestAndWhatIsLeftOfTheWindow) {
  Rig rig;
  Action a, b;
  a.key = "a";
  a.cost = 0.5;
  b.key = "b";
  ASSERT_TRUE(rig.Register("t-1", {a, b}));
  ASSERT_TRUE(rig.Request("b"));
  rig.clock.Advance(1000);
  ASSERT_TRUE(rig.Request("a"));
  const auto queue = rig.gate.Queue();
  ASSERT_TRUE(queue);
  ASSERT_EQ(queue->size(), 2U);
  EXPECT_EQ((*queue)[0].action_key, "b");
  EXPECT_EQ((*queue)[0].ttl_remaining_ms, kHour - 1000);
  EXPECT_EQ((*queue)[1].action_key, "a");
  EXPECT_EQ((*queue)[1].est_cost, 500'000);
}

TEST(Queue, WhatLapsedIsGoneBeforeAnybodyRecordsIt) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  rig.clock.Advance(kHour);
  EXPECT_EQ(rig.gate.Queue()->size(), 1U);
  rig.clock.Advance(1);
  EXPECT_TRUE(rig.gate.Queue()->empty());
}

TEST(Queue, WithoutAWindowNothingIsLeftToTell) {
  Rig rig("classes:\n  communicate.email.external: {autonomy: manual}\n");
  ASSERT_TRUE(rig.Ask());
  EXPECT_FALSE(rig.gate.Queue()->at(0).ttl_remaining_ms);
}

TEST(Queue, AMissingPolicyFileDoesNotHideWhatWaits) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  rig.SetPolicy("nonsense: true\n");
  EXPECT_EQ(rig.gate.Queue()->size(), 1U);
}

TEST(Wait, EveryKeyOfTheTaskIsToldInTheOrderOfItsFirstRequest) {
  Rig rig;
  Action a, b;
  a.key = "a";
  b.key = "b";
  ASSERT_TRUE(rig.Register("t-1", {a, b}));
  ASSERT_TRUE(rig.Request("b"));
  ASSERT_TRUE(rig.Request("a"));
  ASSERT_TRUE(rig.Reject("b"));
  ASSERT_TRUE(rig.Request("b"));
  const auto view = rig.gate.WaitView("t-1");
  ASSERT_TRUE(view);
  ASSERT_EQ(view->size(), 2U);
  EXPECT_EQ((*view)[0].action_key, "b");
  EXPECT_EQ((*view)[0].state, State::kRequested);
  EXPECT_EQ((*view)[1].action_key, "a");
}

TEST(Wait, ADecisionIsNamedByItsRecordAndItsNote) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  DecisionAsk ask;
  ask.decision = Decision::kReject;
  ask.action_key = "k";
  ask.actor = "human:alice";
  ask.note = "wording";
  const auto rejected = rig.gate.Decide(ask);
  const auto view = rig.gate.WaitView("t-1");
  EXPECT_EQ(view->at(0).seq, rejected->seq);
  EXPECT_EQ(view->at(0).note, "wording");
}

TEST(Wait, ATaskThatAskedForNothingHasNoActions) {
  Rig rig;
  EXPECT_TRUE(rig.gate.WaitView("t-1")->empty());
}

// FR-090
TEST(Wait, OneMillisecondAfterTheWindowTheAnswerIsExpired) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  rig.clock.Advance(kHour);
  EXPECT_EQ(rig.gate.WaitView("t-1")->at(0).state, State::kRequested);
  rig.clock.Advance(1);
  EXPECT_EQ(rig.gate.WaitView("t-1")->at(0).state, State::kExpired);
}

}  // namespace
}  // namespace approval::gate
