// Starting and finishing (core.md 5.10, 5.12, 5.13; spec README item 22).
#include <gtest/gtest.h>

#include "tests/gate/rig.h"

namespace approval::gate {
namespace {

using testing::Action;
using testing::CodeOf;
using testing::kLines;
using testing::Letter;
using testing::Rig;
using testing::SeqIn;

std::vector<Action> Writes(int count) {
  std::vector<Action> actions;
  for (int i = 0; i < count; ++i) {
    Action action;
    action.key = "w" + std::to_string(i);
    action.action_class = "files.write";
    actions.push_back(action);
  }
  return actions;
}

Action Of(const std::string& action_class) {
  Action action;
  action.action_class = action_class;
  return action;
}

TEST(Start, AKeyNobodyDeclaredIsNotRegistered) {
  Rig rig;
  EXPECT_EQ(CodeOf(rig.Start("")), "action-not-registered");
}

TEST(Start, AManualActionNeedsAToken) {
  Rig rig;
  ASSERT_TRUE(rig.Register("t-1", {Action{}}));
  const std::size_t before = rig.Count();
  EXPECT_EQ(CodeOf(rig.Start("")), "token-required");
  EXPECT_EQ(rig.Count(), before);
}

TEST(Start, AManualActionStartsWithItsToken) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  const auto granted = rig.Grant();
  const auto started = rig.Start(granted->token->Reveal());
  ASSERT_TRUE(started);
  EXPECT_EQ(started->autonomy, policy::Autonomy::kManual);
  EXPECT_EQ(started->grant_seq, granted->seq);
}

TEST(Start, AnythingThatWasAskedForNeedsATokenWhateverItsLevel) {
  Rig rig;
  log::Draft asked{"approval.requested", "agent:claude", "t-1", "k"};
  asked.payload =
      base::JsonObject{{"class", "read.web"}, {"payload_hash", testing::HashOf(Letter())}};
  ASSERT_TRUE(rig.Register("t-1", {Of("read.web")}));
  ASSERT_TRUE(rig.Append(asked));
  EXPECT_EQ(CodeOf(rig.Start("")), "token-required");
}

TEST(Start, AnUngatedActionRunsOnceOnItsDeclaredBytes) {
  Rig rig;
  ASSERT_TRUE(rig.Register("t-1", {Of("read.web")}));
  const std::size_t before = rig.Count();
  EXPECT_EQ(CodeOf(rig.Start("", Letter("Hello!"))), "payload-mismatch");
  EXPECT_EQ(rig.Count(), before);
  const auto started = rig.Start("");
  ASSERT_TRUE(started);
  EXPECT_FALSE(started->token_sha256);
  EXPECT_EQ(rig.LastText("payload_hash"), testing::HashOf(Letter()));
  const auto again = rig.Start("");
  EXPECT_EQ(CodeOf(again), "already-executed");
  EXPECT_EQ(SeqIn(again), started->seq);
}

TEST(Start, AnUngatedActionWithoutADeclaredHashDoesNotRun) {
  Rig rig;
  Action bare = Of("read.web");
  bare.payload.reset();
  ASSERT_TRUE(rig.Register("t-1", {bare}));
  EXPECT_EQ(CodeOf(rig.Start("")), "payload-mismatch");
}

TEST(Start, AnEditedPolicyStopsAnUngatedStart) {
  Rig rig;
  ASSERT_TRUE(rig.Register("t-1", {Of("read.web")}));
  rig.SetPolicy(std::string(kLines) + "payload_retention: 30d\n");
  EXPECT_EQ(CodeOf(rig.Start("")), "policy-not-attested");
}

TEST(Start, APolicyThatDoesNotLoadNeedsATokenForEveryClass) {
  Rig rig("classes:\n  read.*: {autonomy: no-such-level}\n");
  ASSERT_TRUE(rig.Register("t-1", {Of("read.web")}));
  EXPECT_EQ(CodeOf(rig.Start("")), "token-required");
}

TEST(Start, WhatOnlyAPersonMayDoIsNotRun) {
  Rig rig;
  ASSERT_TRUE(rig.Register("t-1", {Of("deploy.production")}));
  EXPECT_EQ(CodeOf(rig.Start("")), "class-human-only");
}

TEST(Start, AnActorIsAHumanOrAnAgent) {
  Rig rig;
  StartAsk ask = Rig::StartOf("k", Letter(), "");
  ask.actor = "claude";
  EXPECT_EQ(CodeOf(rig.gate.Start(ask)), "actor-invalid");
}

TEST(Start, AKeyUnderTwoTasksIsNotRun) {
  Rig rig;
  ASSERT_TRUE(rig.Register("t-1", {Of("read.web")}));
  log::Draft foreign{"task.registered", "agent:a", "t-2"};
  foreign.payload = base::JsonObject{{"actions", Rig::Envelope({Of("read.web")}).at("actions")},
                                     {"state", "proposed"}};
  ASSERT_TRUE(rig.Append(foreign));
  EXPECT_EQ(CodeOf(rig.Start("")), "action-not-registered");
}

TEST(Start, VariablesTakenFromTheChildAreCountedOnRecord) {
  Rig rig;
  ASSERT_TRUE(rig.Register("t-1", {Of("read.web")}));
  StartAsk ask = Rig::StartOf("k", Letter(), "");
  ask.env_stripped = 3;
  ASSERT_TRUE(rig.gate.Start(ask));
  EXPECT_EQ(rig.Last().payload.at("env_stripped"), 3);
}

TEST(Finish, TheOutcomeIsRecordedWithItsExitCode) {
  Rig rig;
  ASSERT_TRUE(rig.Register("t-1", {Of("read.web")}));
  ASSERT_TRUE(rig.Start(""));
  ASSERT_TRUE(rig.Finish(Outcome::kFailed));
  EXPECT_EQ(rig.Last().event, "execution.failed");
  EXPECT_EQ(rig.Last().payload.at("exit_code"), 1);
}

TEST(Finish, WhatWasNeverStartedHasNoOutcome) {
  Rig rig;
  EXPECT_EQ(CodeOf(rig.Finish(Outcome::kCompleted)), "not-started");
}

TEST(Finish, AnExecutionHasOneOutcome) {
  Rig rig;
  ASSERT_TRUE(rig.Register("t-1", {Of("read.web")}));
  ASSERT_TRUE(rig.Start(""));
  const auto first = rig.Finish(Outcome::kCompleted);
  const auto second = rig.Finish(Outcome::kFailed);
  EXPECT_EQ(CodeOf(second), "already-finished");
  EXPECT_EQ(SeqIn(second), *first);
}

// FR-082
TEST(Finish, AnUnknownOutcomeIsIndeterminateAndTheKeyIsBurned) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  const auto granted = rig.Grant();
  ASSERT_TRUE(rig.Start(granted->token->Reveal()));
  const auto outcome = rig.Finish(Outcome::kIndeterminate);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(rig.Last().event, "execution.indeterminate");
  const auto again = rig.Start(granted->token->Reveal());
  EXPECT_EQ(CodeOf(again), "execution-indeterminate");
  EXPECT_EQ(SeqIn(again), *outcome);
  EXPECT_EQ(CodeOf(rig.Request()), "already-executed");
}

TEST(Resolve, APersonClosesADanglingExecutionWithANote) {
  Rig rig;
  ASSERT_TRUE(rig.Register("t-1", {Of("read.web")}));
  ASSERT_TRUE(rig.Start(""));
  const auto resolved = rig.gate.Resolve({"k", "human:alice", Outcome::kCompleted, "I looked"});
  ASSERT_TRUE(resolved);
  EXPECT_EQ(resolved->task, "t-1");
  EXPECT_EQ(rig.Last().event, "execution.completed");
  EXPECT_EQ(rig.LastText("note"), "I looked");
  EXPECT_EQ(rig.Last().payload.at("attested_by_human"), true);
  EXPECT_EQ(CodeOf(rig.gate.Resolve({"k", "human:alice", Outcome::kFailed, "again"})),
            "already-finished");
}

TEST(Resolve, AnAgentResolvesNothing) {
  Rig rig;
  ASSERT_TRUE(rig.Register("t-1", {Of("read.web")}));
  ASSERT_TRUE(rig.Start(""));
  EXPECT_EQ(CodeOf(rig.gate.Resolve({"k", "agent:claude", Outcome::kCompleted, "done"})),
            "actor-not-human");
}

TEST(Resolve, WhatWasNeverStartedIsNotResolved) {
  Rig rig;
  EXPECT_EQ(CodeOf(rig.gate.Resolve({"k", "human:alice", Outcome::kFailed, "n"})), "not-started");
}

class LoopTest : public ::testing::Test {
 protected:
  void FailTimes(int times) {
    for (int i = 0; i < times; ++i) {
      const std::string key = "w" + std::to_string(next_++);
      ASSERT_TRUE(rig_.Start("", Letter(), key));
      ASSERT_TRUE(rig_.Finish(Outcome::kFailed, key));
    }
  }
  std::string NextStart() { return CodeOf(rig_.Start("", Letter(), "w" + std::to_string(next_))); }

  Rig rig_;
  int next_ = 0;
};

TEST_F(LoopTest, ThreeFailuresInARowStopUngatedStartsAndRequests) {
  ASSERT_TRUE(rig_.Register("t-1", Writes(9)));
  FailTimes(2);
  ASSERT_EQ(CodeOf(rig_.Request("w8")), "ok");
  FailTimes(1);
  EXPECT_EQ(NextStart(), "loop-escalated");
  EXPECT_EQ(CodeOf(rig_.Request("w8")), "loop-escalated");
}

TEST_F(LoopTest, OneCompletedExecutionClearsTheCount) {
  ASSERT_TRUE(rig_.Register("t-1", Writes(9)));
  FailTimes(2);
  const std::string key = "w" + std::to_string(next_++);
  ASSERT_TRUE(rig_.Start("", Letter(), key));
  ASSERT_TRUE(rig_.Finish(Outcome::kCompleted, key));
  FailTimes(2);
  EXPECT_EQ(NextStart(), "ok");
}

TEST_F(LoopTest, TheManualPathStaysOpen) {
  auto actions = Writes(3);
  actions.push_back(Action{});
  ASSERT_TRUE(rig_.Register("t-1", actions));
  FailTimes(3);
  EXPECT_EQ(CodeOf(rig_.Request()), "ok");
}

TEST_F(LoopTest, ReadsThatFailDoNotEscalate) {
  auto actions = Writes(4);
  for (Action& action : actions) action.action_class = "read.web";
  ASSERT_TRUE(rig_.Register("t-1", actions));
  FailTimes(3);
  EXPECT_EQ(NextStart(), "ok");
}

TEST_F(LoopTest, AnotherTaskIsNotStopped) {
  ASSERT_TRUE(rig_.Register("t-1", Writes(3)));
  FailTimes(3);
  ASSERT_TRUE(rig_.Register("t-2", {Of("files.write")}));
  EXPECT_EQ(CodeOf(rig_.Start("")), "ok");
}

}  // namespace
}  // namespace approval::gate
