// How a request that a surface delivered earlier stands by now.
#include <gtest/gtest.h>

#include "core/gate/pending.h"
#include "tests/gate/rig.h"

namespace approval::gate {
namespace {

using testing::kHour;
using testing::Rig;

class SettlementTest : public ::testing::Test {
 protected:
  SettlementTest() {
    EXPECT_TRUE(rig_.Ask());
    hash_ = rig_.Last().hash;
  }
  Settlement Now() const { return SettlementOf(rig_.Log(), "k", hash_, kHour, rig_.clock.NowMs()); }

  Rig rig_;
  std::string hash_;
};

TEST_F(SettlementTest, AnOpenRequestIsRequestedUpToTheLimitAndExpiredAfterIt) {
  EXPECT_EQ(Now().state, State::kRequested);
  rig_.clock.Advance(kHour);
  EXPECT_EQ(Now().state, State::kRequested);
  rig_.clock.Advance(1);
  EXPECT_EQ(Now().state, State::kExpired);
  EXPECT_EQ(Now().seq, 0);
}

TEST_F(SettlementTest, ADecisionIsNamedWithWhoWhenAndWhere) {
  DecisionAsk ask;
  ask.decision = Decision::kReject;
  ask.action_key = "k";
  ask.actor = "human:alice";
  ask.note = "wording";
  ask.channel = "web";
  const auto decided = rig_.gate.Decide(ask);
  ASSERT_TRUE(decided);
  const Settlement settled = Now();
  EXPECT_EQ(settled.state, State::kRejected);
  EXPECT_EQ(settled.seq, decided->seq);
  EXPECT_EQ(settled.actor, "human:alice");
  EXPECT_EQ(settled.ts, decided->ts);
  EXPECT_EQ(settled.note, "wording");
  EXPECT_EQ(settled.channel, "web");
}

TEST_F(SettlementTest, ARevocationReplacesTheGrant) {
  ASSERT_TRUE(rig_.Grant());
  EXPECT_EQ(Now().state, State::kGranted);
  ASSERT_TRUE(rig_.Revoke());
  EXPECT_EQ(Now().state, State::kRevoked);
}

TEST_F(SettlementTest, AnAnswerToALaterRequestSaysNothingOfTheEarlierOne) {
  ASSERT_TRUE(rig_.Reject());
  ASSERT_TRUE(rig_.Request());
  ASSERT_TRUE(rig_.Grant());
  EXPECT_EQ(Now().state, State::kRejected);
}

TEST_F(SettlementTest, ARequestThatOnlyLapsedBeforeItWasAskedAgainIsExpired) {
  rig_.clock.Advance(kHour + 1);
  ASSERT_TRUE(rig_.Request());
  ASSERT_TRUE(rig_.Grant());
  EXPECT_EQ(Now().state, State::kExpired);
}

TEST_F(SettlementTest, ARecordThatIsNotThereSaysNothing) {
  hash_ = std::string(64, '0');
  EXPECT_EQ(Now().state, State::kNone);
}

}  // namespace
}  // namespace approval::gate
