// Granting, rejecting, revoking (core.md 5.7, order of level N).
#include <gtest/gtest.h>

#include "tests/gate/rig.h"

namespace approval::gate {
namespace {

using testing::Action;
using testing::CodeOf;
using testing::Detail;
using testing::HashOf;
using testing::kHour;
using testing::kLines;
using testing::Letter;
using testing::Rig;
using testing::SeqIn;

Action Refund() {
  Action action;
  action.action_class = "payments.refund";
  return action;
}

TEST(Grant, ItRecordsTheDigestOfTheTokenAndNeverTheToken) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  const auto granted = rig.Grant();
  ASSERT_TRUE(granted);
  ASSERT_TRUE(granted->token);
  EXPECT_EQ(granted->token->Reveal().size(), 64U);
  EXPECT_EQ(rig.LastText("token_sha256"), base::Sha256Hex(granted->token->Reveal()));
  EXPECT_EQ(base::ReadFile(rig.gate.log_path())->find(granted->token->Reveal()), std::string::npos);
}

TEST(Grant, ItBindsTheBytesTheClassAndThePolicyThatWereAskedFor) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  const std::string policy = rig.LastText("policy_sha256");
  ASSERT_TRUE(rig.Grant());
  EXPECT_EQ(rig.LastText("payload_hash"), HashOf(Letter()));
  EXPECT_EQ(rig.LastText("class"), "communicate.email.external");
  EXPECT_EQ(rig.LastText("policy_sha256"), policy);
  EXPECT_EQ(rig.Last().actor, "human:alice");
  EXPECT_EQ(rig.Last().task, "t-1");
}

// channels.md 3.4: how it was drawn, when the policy asks for short cards.
TEST(Decide, TheRecordKeepsHowTheRequestWasDrawn) {
  for (const gate::Decision decision : {gate::Decision::kGrant, gate::Decision::kReject}) {
    Rig rig;
    ASSERT_TRUE(rig.Ask());
    gate::DecisionAsk ask;
    ask.decision = decision;
    ask.action_key = "k";
    ask.actor = "human:alice";
    ask.rendering = gate::Rendering{"technical", "anomaly"};
    ASSERT_TRUE(rig.gate.Decide(ask));
    EXPECT_EQ(rig.Last().payload.at("rendering"),
              (base::JsonObject{{"style", "technical"}, {"fallback", "anomaly"}}));
  }
}

TEST(Decide, UnderATechnicalPolicyTheRecordSaysNothingOfIt) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  ASSERT_TRUE(rig.Grant());
  EXPECT_FALSE(rig.Last().payload.contains("rendering"));
}

TEST(Grant, EveryGrantMintsAnotherToken) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  const auto first = rig.Grant();
  ASSERT_TRUE(rig.Revoke());
  ASSERT_TRUE(rig.Request());
  const auto second = rig.Grant();
  ASSERT_TRUE(second);
  EXPECT_NE(first->token->Reveal(), second->token->Reveal());
}

// channels.md 8.13
TEST(Decide, AnAgentDecidesNothing) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  const std::size_t before = rig.Count();
  for (const char* actor : {"agent:claude", "system:gate", "human:", "owner", ""}) {
    EXPECT_EQ(CodeOf(rig.Grant("k", actor)), "actor-not-human") << actor;
  }
  EXPECT_EQ(rig.Count(), before);
}

TEST(Decide, AKeyNobodyAskedForIsNotRequested) {
  Rig rig;
  const auto refused = rig.Grant();
  EXPECT_EQ(CodeOf(refused), "not-requested");
  EXPECT_EQ(Detail(refused, "state"), "none");
}

TEST(Decide, AnEditedPolicyStopsTheGrantAndNotTheReject) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  rig.SetPolicy(std::string(kLines) + "payload_retention: 30d\n");
  const auto refused = rig.Grant();
  EXPECT_EQ(CodeOf(refused), "policy-not-attested");
  EXPECT_EQ(Detail(refused, "detail"), "hash-mismatch");
  EXPECT_EQ(CodeOf(rig.Reject()), "ok");
}

TEST(Decide, ADriftedRequestIsWithdrawnBySystem) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  rig.SetPolicy(std::string(kLines) + "payload_retention: 30d\n");
  ASSERT_TRUE(rig.Attest());
  const auto refused = rig.Grant();
  EXPECT_EQ(CodeOf(refused), "policy-drift");
  EXPECT_EQ(Detail(refused, "state"), "withdrawn");
  const log::Record last = rig.Last();
  EXPECT_EQ(last.event, "approval.withdrawn");
  EXPECT_EQ(last.actor, "system:gate");
  EXPECT_EQ(last.seq, SeqIn(refused));
  EXPECT_EQ(rig.LastText("reason"), "policy-drift");
  EXPECT_EQ(CodeOf(rig.Grant()), "request-withdrawn");
  EXPECT_EQ(CodeOf(rig.Request()), "ok");
}

TEST(Decide, OnlyNamedApproversMayGrant) {
  Rig rig;
  ASSERT_TRUE(rig.Ask(Refund()));
  const std::size_t before = rig.Count();
  EXPECT_EQ(CodeOf(rig.Grant("k", "human:alice")), "actor-not-approver");
  EXPECT_EQ(CodeOf(rig.Grant("k", "human:bob")), "actor-not-approver");
  EXPECT_EQ(rig.Count(), before);
  EXPECT_EQ(CodeOf(rig.Grant("k", "human:bo")), "ok");
}

TEST(Decide, AnybodyMayRejectWhatOnlyNamedApproversMayGrant) {
  Rig rig;
  ASSERT_TRUE(rig.Ask(Refund()));
  EXPECT_EQ(CodeOf(rig.Reject()), "ok");
}

TEST(Decide, AnAnswerAtTheLimitCountsAndOneMillisecondLaterIsExpired) {
  Rig early;
  ASSERT_TRUE(early.Ask());
  early.clock.Advance(kHour);
  EXPECT_EQ(CodeOf(early.Grant()), "ok");
  Rig late;
  ASSERT_TRUE(late.Ask());
  late.clock.Advance(kHour + 1);
  EXPECT_EQ(CodeOf(late.Grant()), "expired");
}

TEST(Decide, AnAnswerAfterTheWindowPutsTheExpiryOnRecordOnce) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  rig.clock.Advance(kHour + 1);
  const auto first = rig.Grant();
  ASSERT_EQ(CodeOf(first), "expired");
  EXPECT_EQ(rig.Last().event, "approval.expired");
  EXPECT_EQ(rig.Last().actor, "system:gate");
  EXPECT_EQ(rig.Last().seq, SeqIn(first));
  const std::size_t before = rig.Count();
  EXPECT_EQ(CodeOf(rig.Reject()), "expired");
  EXPECT_EQ(rig.Count(), before);
}

TEST(Decide, WithoutAWindowARequestNeverLapses) {
  Rig rig("classes:\n  communicate.email.external: {autonomy: manual}\n");
  ASSERT_TRUE(rig.Ask());
  rig.clock.Advance(1000 * kHour);
  EXPECT_EQ(CodeOf(rig.Grant()), "ok");
}

// channels.md 8.14
TEST(Decide, TheFirstAnswerStands) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  ASSERT_TRUE(rig.Grant());
  const std::size_t before = rig.Count();
  for (const Decision decision : {Decision::kGrant, Decision::kReject}) {
    const auto second = rig.Decide(decision);
    EXPECT_EQ(CodeOf(second), "already-decided");
    EXPECT_EQ(Detail(second, "state"), "granted");
  }
  EXPECT_EQ(rig.Count(), before);
}

TEST(Decide, ARejectedRequestIsNeitherGrantedNorRevoked) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  ASSERT_TRUE(rig.Reject());
  EXPECT_EQ(Detail(rig.Grant(), "state"), "rejected");
  EXPECT_EQ(CodeOf(rig.Grant()), "already-decided");
  EXPECT_EQ(CodeOf(rig.Revoke()), "already-decided");
}

// channels.md 8.21
TEST(Decide, AWithdrawnRequestTellsThatNobodyWaits) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  ASSERT_TRUE(rig.gate.Withdraw("t-1", "k", "agent:claude", "cancelled", std::nullopt));
  EXPECT_EQ(CodeOf(rig.Grant()), "request-withdrawn");
  EXPECT_EQ(CodeOf(rig.Reject()), "request-withdrawn");
}

TEST(Decide, OnlyAGrantIsRevoked) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  EXPECT_EQ(CodeOf(rig.Revoke()), "not-granted");
}

TEST(Decide, RevokeAfterStartIsAlreadyExecuted) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  const auto granted = rig.Grant();
  ASSERT_TRUE(rig.Consume(granted->token->Reveal()));
  EXPECT_EQ(CodeOf(rig.Revoke()), "already-executed");
}

TEST(Decide, ARequestWithoutAClassCannotBeGranted) {
  Rig rig;
  log::Draft bare{"approval.requested", "agent:claude", "t-1", "k"};
  bare.payload = base::JsonObject{{"payload_hash", HashOf(Letter())}};
  ASSERT_TRUE(rig.Append(bare));
  EXPECT_EQ(CodeOf(rig.Grant()), "grant-classless-request");
}

TEST(Decide, AClassThatBecameHumanOnlyCannotBeGranted) {
  Rig rig;
  log::Draft asked{"approval.requested", "agent:claude", "t-1", "k"};
  asked.payload =
      base::JsonObject{{"class", "deploy.production"}, {"payload_hash", HashOf(Letter())}};
  ASSERT_TRUE(rig.Append(asked));
  EXPECT_EQ(CodeOf(rig.Grant()), "class-human-only");
  EXPECT_EQ(CodeOf(rig.Reject()), "ok");
}

TEST(Decide, AnAnswerToAnEarlierRequestDoesNotDecideTheNewOne) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  DecisionAsk ask;
  ask.action_key = "k";
  ask.actor = "human:alice";
  ask.request_hash = rig.Last().hash;
  ASSERT_TRUE(rig.Reject());
  ASSERT_TRUE(rig.Request());
  const std::size_t before = rig.Count();
  EXPECT_EQ(CodeOf(rig.gate.Decide(ask)), "request-changed");
  EXPECT_EQ(rig.Count(), before);
}

TEST(Decide, NoteChannelAndSenderAreRecordedAsTheTransportGaveThem) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  DecisionAsk ask;
  ask.decision = Decision::kReject;
  ask.action_key = "k";
  ask.actor = "human:alice";
  ask.note = "wrong recipient";
  ask.channel = "telegram";
  ask.sender = Sender{"telegram", "700000001"};
  ask.batch_delivery_id = "b-1";
  ASSERT_TRUE(rig.gate.Decide(ask));
  const log::Record last = rig.Last();
  EXPECT_EQ(last.channel, "telegram");
  EXPECT_EQ(rig.LastText("note"), "wrong recipient");
  EXPECT_EQ(rig.LastText("batch_delivery_id"), "b-1");
  EXPECT_EQ(last.payload.at("sender").at("id"), "700000001");
}

TEST(Decide, AHarnessRequestIsGrantedWithoutAToken) {
  Rig rig;
  log::Draft asked{"approval.requested", "agent:claude", "t-1", "k"};
  asked.payload = base::JsonObject{{"class", "communicate.email.external"},
                                   {"payload_hash", HashOf(Letter())},
                                   {"execution", "harness"}};
  ASSERT_TRUE(rig.Append(asked));
  const auto granted = rig.Grant();
  ASSERT_TRUE(granted);
  EXPECT_FALSE(granted->token);
  EXPECT_EQ(rig.LastText("execution"), "harness");
  EXPECT_FALSE(rig.Last().payload.contains("token_sha256"));
  EXPECT_EQ(CodeOf(rig.gate.Token("k")), "harness-executed");
}

TEST(RefusedGesture, ATapOfAStrangerIsRecordedOnceForARequest) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  const Sender stranger{"telegram", "42"};
  const auto note = [&] {
    return rig.gate.RecordRefusedGesture("k", Decision::kGrant, base::Code::kSenderUnmapped,
                                         stranger);
  };
  EXPECT_EQ(note().value_or(false), true);
  EXPECT_EQ(note().value_or(true), false);
  EXPECT_EQ(rig.Last().event, "audit.decision_refused");
  EXPECT_EQ(rig.LastText("code"), "sender-unmapped");
  EXPECT_EQ(CodeOf(rig.Grant()), "ok");
}

TEST(RefusedGesture, AKeyNobodyAskedForLeavesNoRecord) {
  Rig rig;
  const std::size_t before = rig.Count();
  EXPECT_EQ(rig.gate
                .RecordRefusedGesture("k", Decision::kGrant, base::Code::kSenderUnmapped,
                                      {"telegram", "42"})
                .value_or(true),
            false);
  EXPECT_EQ(rig.Count(), before);
}

}  // namespace
}  // namespace approval::gate
