// A decision while something fails: the gate, the answer to the tap, the edit of the card
// (channels.md 3.6, 3.8).
#include "tests/channels/telegram/rig.h"
#include "tests/support/hostile_vectors.h"

namespace approval::telegram {
namespace {

// FR-240, FR-215
TEST(TapFaults, ARefusalByTheGateIsNotShownAsRecorded) {
  Rig rig;
  const BotMessage card = rig.StartWith(Mail());
  channels::Outcome refused;
  refused.code = base::Code::kPolicyNotAttested;
  refused.sentence = channels::RefusalSentence(refused.code);
  rig.runtime.Script(refused);
  const std::string query = rig.server->Tap(card.id, kApprove);
  EXPECT_NE(rig.Toast(query).find("Not recorded"), std::string::npos);
  Pause(100);
  EXPECT_EQ(rig.server->Message(card.id)->edits, 0);
  EXPECT_FALSE(rig.server->Message(card.id)->buttons.empty());
}

// Vector 24, FR-016
TEST(TapFaults, ARefusedAnswerLeavesDecisionAndEditAlone) {
  Rig rig;
  const BotMessage card = rig.StartWith(Mail());
  rig.server->Script("answerCallbackQuery", {BotFault::Kind::kStatus, 400, "query is too old"});
  rig.server->Tap(card.id, kApprove);
  EXPECT_TRUE(rig.WaitEdited(card.id, "Approved"));
  EXPECT_EQ(rig.runtime.reports().size(), 1u);
  EXPECT_TRUE(WaitFor([&] { return rig.server->Unconfirmed() == 0; }));
}

// FR-016
TEST(TapFaults, AHangingAnswerDoesNotHoldUpTheEdit) {
  Rig rig;
  const BotMessage card = rig.StartWith(Mail());
  rig.server->Script("answerCallbackQuery", {BotFault::Kind::kHang});
  rig.server->Tap(card.id, kApprove);
  EXPECT_TRUE(WaitFor([&] { return rig.server->Message(card.id)->edits > 0; }, 1'000));
}

// Vector 23
TEST(TapFaults, ARefusedEditIsOneComplaintAndTheDecisionStands) {
  Rig rig;
  const BotMessage card = rig.StartWith(Mail());
  rig.server->Delete(card.id);
  rig.Toast(rig.server->TapData(card.id, card.Data(kApprove), 700000001, 700000001));
  ASSERT_TRUE(WaitFor([&] { return rig.runtime.CountWarnings("edit-refused") > 0; }));
  Pause(200);
  EXPECT_EQ(rig.runtime.CountWarnings("edit-refused"), 1u);
  EXPECT_EQ(rig.server->Calls("editMessageText").size(), 1u);
}

// FR-015
TEST(TapFaults, NotModifiedIsSuccess) {
  Rig rig;
  const BotMessage card = rig.StartWith(Mail());
  rig.server->Script("editMessageText",
                     {BotFault::Kind::kStatus, 400, "Bad Request: message is not modified: x"});
  rig.Toast(rig.server->Tap(card.id, kApprove));
  ASSERT_TRUE(WaitFor([&] { return rig.server->Calls("editMessageText").size() == 1; }));
  Pause(150);
  EXPECT_EQ(rig.server->Calls("editMessageText").size(), 1u);
  EXPECT_TRUE(rig.runtime.warnings().empty());
}

TEST(TapFaults, ADecisionThatThrowsIsSaidToBeNotRecordedAndIsAskedAgain) {
  Rig rig;
  const BotMessage card = rig.StartWith(Mail());
  rig.runtime.Throw();
  EXPECT_NE(rig.Toast(rig.server->Tap(card.id, kApprove)).find("Not recorded"), std::string::npos);
  EXPECT_TRUE(rig.WaitEdited(card.id, "Not recorded"));
  const bool again = WaitFor([&] { return !rig.Cards().empty() && rig.Cards()[0].id != card.id; });
  ASSERT_TRUE(again);
  rig.Toast(rig.server->Tap(rig.Cards()[0].id, kApprove));
  EXPECT_TRUE(rig.WaitEdited(rig.server->Messages().back().id, "Approved"));
}

TEST(TapFaults, ASlowGateIsAnsweredHeardAfterOneAndAHalfSeconds) {
  Rig rig;
  const BotMessage card = rig.StartWith(Mail());
  rig.runtime.Delay(std::chrono::milliseconds(2'000));
  const std::string query = rig.server->Tap(card.id, kApprove);
  EXPECT_NE(rig.Toast(query).find("Heard"), std::string::npos);
  EXPECT_TRUE(rig.WaitEdited(card.id, "Approved"));
  EXPECT_EQ(rig.server->Answers(query).size(), 1u);
}

// HV-090: data that is no button of ours is answered and consumed, and changes nothing.
TEST(TapFaults, StrangeCallbackDataChangesNothing) {
  APPROVAL_REQUIRE_VECTORS();
  Rig rig;
  const BotMessage card = rig.StartWith(Mail());
  const std::vector<std::string> texts = testing::HostileStrings("HV-090");
  ASSERT_FALSE(texts.empty());
  for (const std::string& text : texts) {
    rig.Toast(rig.server->TapData(card.id, text, 700000001, 700000001));
  }
  EXPECT_TRUE(WaitFor([&] { return rig.server->Unconfirmed() == 0; }));
  EXPECT_TRUE(rig.runtime.reports().empty());
  EXPECT_EQ(rig.server->Message(card.id)->edits, 0);
}

}  // namespace
}  // namespace approval::telegram
