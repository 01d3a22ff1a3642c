// Cards whose request is settled, elsewhere or by the clock, and taps on them
// (channels.md 3.6, 3.8).
#include "tests/channels/telegram/rig.h"

namespace approval::telegram {
namespace {

// Vector 13, FR-018, FR-030
TEST(SettledCards, TheSecondTapSaysWhoDecidedAndChangesNothing) {
  Rig rig;
  const BotMessage card = rig.StartWith(Mail());
  const std::string first = rig.server->Tap(card.id, kApprove);
  const std::string second = rig.server->TapData(card.id, card.Data(kReject), 700000001, 700000001);
  rig.Toast(first);
  const std::string toast = rig.Toast(second);
  EXPECT_NE(toast.find("recorded nothing"), std::string::npos);
  EXPECT_NE(toast.find("Approved by human:alex at 12:00 UTC"), std::string::npos);
  EXPECT_EQ(rig.runtime.reports().size(), 1u);
}

// Vector 10, FR-023, FR-031
TEST(SettledCards, ADecisionElsewhereRetiresTheCardWithinACycle) {
  Rig rig;
  const BotMessage card = rig.StartWith(Mail());
  rig.runtime.Close("task-101:chaser", gate::State::kGranted);
  rig.Publish();
  ASSERT_TRUE(rig.WaitEdited(card.id, "Approved by human:sam"));
  const std::string query = rig.server->TapData(card.id, card.Data(kReject), 700000001, 700000001);
  EXPECT_NE(rig.Toast(query).find("human:sam"), std::string::npos);
  EXPECT_TRUE(rig.runtime.reports().empty());
}

// Vector 17
TEST(SettledCards, AWithdrawnRequestSaysThatThereIsNothingToDo) {
  Rig rig;
  const BotMessage card = rig.StartWith(Mail());
  rig.runtime.Close("task-101:chaser", gate::State::kWithdrawn, "agent:drafter");
  rig.Publish();
  EXPECT_TRUE(rig.WaitEdited(card.id, "Withdrawn"));
  EXPECT_TRUE(rig.server->Message(card.id)->buttons.empty());
}

// Vector 25, FR-020, FR-021, FR-239
TEST(SettledCards, ATapAfterTheEndIsToldSoAndTheCardLosesItsButtons) {
  Rig rig;
  const BotMessage card = rig.StartWith(Mail());
  rig.runtime.OnDecide([&] { rig.clock.Advance(3'600'001); });
  const std::string query = rig.server->Tap(card.id, kReject);
  EXPECT_NE(rig.Toast(query).find("Too late"), std::string::npos);
  ASSERT_TRUE(rig.WaitEdited(card.id, "Expired"));
  EXPECT_TRUE(rig.server->Message(card.id)->buttons.empty());
}

// FR-027
TEST(SettledCards, AtTheDeadlineTheCardIsEditedWithoutATap) {
  Rig rig;
  const BotMessage card = rig.StartWith(Mail());
  EXPECT_NE(card.text.find("until 12:55 UTC"), std::string::npos);
  rig.clock.Advance(3'300'001);
  EXPECT_TRUE(rig.WaitEdited(card.id, "Expired"));
}

TEST(SettledCards, PolicyDriftIsToldAndTheCardIsClosed) {
  Rig rig;
  const BotMessage card = rig.StartWith(Mail());
  channels::Outcome drift;
  drift.code = base::Code::kPolicyDrift;
  drift.sentence = channels::RefusalSentence(drift.code);
  rig.runtime.Script(drift);
  rig.runtime.OnDecide(
      [&] { rig.runtime.Close("task-101:chaser", gate::State::kWithdrawn, "system:gate"); });
  const std::string query = rig.server->Tap(card.id, kApprove);
  EXPECT_NE(rig.Toast(query).find("policy changed"), std::string::npos);
  EXPECT_TRUE(rig.WaitEdited(card.id, "Withdrawn"));
}

// 6.4 OURS: an approver plans in local time.
TEST(SettledCards, TimesStandInTheZoneThatThePolicyNames) {
  Rig rig;
  policy::Policy policy;
  policy.channels.zones["telegram"] = "Europe/Madrid";
  rig.runtime.SetPolicy(policy);
  const BotMessage card = rig.StartWith(Mail());
  EXPECT_NE(card.text.find("until 14:55 Madrid (12:55 UTC)"), std::string::npos) << card.text;
  const std::string first = rig.server->Tap(card.id, kApprove);
  const std::string second = rig.server->TapData(card.id, card.Data(kReject), 700000001, 700000001);
  rig.Toast(first);
  EXPECT_NE(rig.Toast(second).find("at 14:00 Madrid (12:00 UTC)"), std::string::npos);
  EXPECT_TRUE(rig.WaitEdited(card.id, "at 14:00 Madrid (12:00 UTC)"));
}

}  // namespace
}  // namespace approval::telegram
