// Taps and replies: channels.md 3.6 to 3.8, checklist 64 to 81.
#include "core/base/files.h"
#include "tests/channels/telegram/rig.h"

namespace approval::telegram {
namespace {

constexpr std::int64_t kOther = 700000002;

TEST(Taps, ApproveIsOneReportOneAnswerOneEditAndTheButtonsAreGone) {
  Rig rig;
  rig.Start();
  rig.Add(Mail());
  const BotMessage card = rig.Card();
  const std::string query = rig.server->Tap(card.id, kApprove);
  EXPECT_NE(rig.Toast(query).find("Approved"), std::string::npos);
  ASSERT_TRUE(rig.WaitEdited(card.id, "Approved by human:alex"));
  rig.Publish();
  Pause(100);
  EXPECT_EQ(rig.runtime.reports().size(), 1u);
  EXPECT_EQ(rig.server->Answers(query).size(), 1u);
  const BotMessage edited = *rig.server->Message(card.id);
  EXPECT_EQ(edited.edits, 1);
  EXPECT_TRUE(edited.buttons.empty());
  EXPECT_NE(edited.text.find("task-101:chaser"), std::string::npos);
  EXPECT_NE(edited.text.find("21 days late"), std::string::npos);
}

TEST(Taps, TheReportNamesTheAccountTheRecordAndTheMessage) {
  Rig rig;
  rig.Start();
  rig.Add(Mail());
  const BotMessage card = rig.Card();
  rig.Toast(rig.server->Tap(card.id, kApprove));
  const channels::Report report = rig.runtime.reports().at(0);
  EXPECT_EQ(report.sender->id, "700000001");
  EXPECT_EQ(report.sender->chat_id, "700000001");
  EXPECT_EQ(report.request_hash, testing::SampleHash("task-101:chaser", 3));
  EXPECT_EQ(report.delivery_id, "tg-" + std::to_string(card.id));
}

TEST(Taps, RejectSaysHowItWasCollected) {
  Rig rig;
  rig.Start();
  rig.Add(Mail());
  rig.Toast(rig.server->Tap(rig.Card().id, kReject));
  EXPECT_NE(rig.runtime.reports().at(0).note->find("tap in Telegram"), std::string::npos);
}

TEST(Taps, AReasonButtonRejectsWithThatReasonAsTheNote) {
  Rig rig;
  rig.Start();
  rig.Add(Mail());
  const BotMessage card = rig.Card();
  rig.Toast(rig.server->Tap(card.id, "wording"));
  const channels::Report report = rig.runtime.reports().at(0);
  EXPECT_EQ(report.gesture, channels::Gesture::kReject);
  EXPECT_EQ(report.note, "wording");
  EXPECT_TRUE(rig.WaitEdited(card.id, "wording"));
}

TEST(Taps, AReasonButtonOfAnotherPolicyIsRefused) {
  Rig rig;
  rig.Start();
  rig.Add(Mail());
  const BotMessage card = rig.Card();
  policy::Policy policy;
  policy.channels.telegram.reject_reasons = {"a", "b", "c"};
  rig.runtime.SetPolicy(policy);
  rig.Publish();
  rig.Toast(rig.server->Tap(card.id, "wording"));
  EXPECT_TRUE(rig.runtime.reports().empty());
}

TEST(Taps, AReplyThatBeginsWithNoRejectsWithTheRestAsTheNote) {
  Rig rig;
  rig.Start();
  rig.Add(Mail());
  const BotMessage card = rig.Card();
  rig.server->Reply(card.id, "No  the amount is wrong");
  ASSERT_TRUE(rig.WaitEdited(card.id, "Rejected"));
  EXPECT_EQ(rig.runtime.reports().at(0).note, "the amount is wrong");
  EXPECT_EQ(rig.runtime.reports().at(0).sender->id, "700000001");
}

// FR-033, FR-241
TEST(Taps, FreeTextNeverApproves) {
  Rig rig;
  rig.Start();
  rig.Add(Mail());
  const BotMessage card = rig.Card();
  for (const char* text : {"yes", "y", "approve", "ok", "no", "no ", "nope it is fine"}) {
    rig.server->Reply(card.id, text);
  }
  rig.server->Push({{"message", base::JsonObject{{"text", "yes"},
                                                 {"from", base::JsonObject{{"id", 700000001}}},
                                                 {"chat", base::JsonObject{{"id", 700000001}}}}}});
  ASSERT_TRUE(WaitFor([&] { return rig.server->Unconfirmed() == 0; }));
  EXPECT_TRUE(rig.runtime.reports().empty());
}

// Vector 11, FR-039
TEST(Taps, AnotherChatIsAnsweredAndChangesNothing) {
  Rig rig;
  rig.Start();
  rig.Add(Mail());
  const BotMessage card = rig.Card();
  const std::string query = rig.server->TapData(card.id, card.Data(kApprove), 700000001, 700000009);
  EXPECT_FALSE(rig.Toast(query).empty());
  EXPECT_TRUE(rig.runtime.reports().empty());
  EXPECT_EQ(rig.runtime.CountWarnings("foreign-chat"), 1u);
}

// Vector 12, FR-037, FR-038
TEST(Taps, AnotherAccountIsRefusedAndTheCardStaysForTheRightOne) {
  Rig rig;
  rig.runtime.AllowSenders({"700000001"});
  rig.Start();
  rig.Add(Mail());
  const BotMessage card = rig.Card();
  const std::string query = rig.server->Tap(card.id, kApprove, kOther);
  EXPECT_NE(rig.Toast(query).find("sender-unmapped"), std::string::npos);
  EXPECT_EQ(rig.server->Message(card.id)->edits, 0);
  rig.Toast(rig.server->Tap(card.id, kApprove));
  EXPECT_TRUE(rig.WaitEdited(card.id, "Approved"));
  EXPECT_EQ(rig.runtime.reports().at(0).sender->id, "700000002");
}

// FR-041
TEST(Taps, AnIdAsTextCountsAndAnIdAsObjectDoesNot) {
  Rig rig;
  rig.runtime.AllowSenders({"700000001"});
  rig.Start();
  rig.Add(Mail());
  const BotMessage card = rig.Card();
  const std::string data = card.Data(kApprove);
  rig.Toast(rig.server->TapData(card.id, data, base::JsonObject{{"id", 700000001}}, 700000001));
  rig.Toast(rig.server->TapData(card.id, data, "alex_example", 700000001));
  EXPECT_TRUE(rig.runtime.reports().empty());
  rig.Toast(rig.server->TapData(card.id, data, "700000001", 700000001));
  EXPECT_EQ(rig.runtime.reports().size(), 1u);
}

TEST(Taps, AnAccountThatManyShareIsNobody) {
  Rig rig;
  rig.Start();
  rig.Add(Mail());
  const BotMessage card = rig.Card();
  rig.Toast(rig.server->Tap(card.id, kApprove, 1087968824));
  EXPECT_TRUE(rig.runtime.reports().empty());
}

TEST(Taps, AForgedButtonWithAValidRefNeverReachesTheGate) {
  Rig rig;
  rig.Start();
  rig.Add(Mail());
  const BotMessage card = rig.Card();
  std::string data = card.Data(kApprove);
  data[5] = data[5] == 'A' ? 'B' : 'A';
  rig.Toast(rig.server->TapData(card.id, data, 700000001, 700000001));
  std::string turned = card.Data(kReject);
  turned[0] = 'g';
  rig.Toast(rig.server->TapData(card.id, turned, 700000001, 700000001));
  EXPECT_TRUE(rig.runtime.reports().empty());
  EXPECT_EQ(rig.runtime.CountWarnings("key-mismatch"), 2u);
}

TEST(Taps, AButtonOfAnEarlierRequestOfTheKeyDoesNotDecideALaterOne) {
  Rig rig;
  rig.Start();
  rig.Add(Mail("task-1:a", 3));
  const BotMessage first = rig.Card();
  rig.runtime.Close("task-1:a", gate::State::kWithdrawn, "agent:drafter");
  rig.Add(Mail("task-1:a", 9));
  const BotMessage second = rig.Card(0);
  ASSERT_TRUE(WaitFor([&] { return !rig.Cards().empty() && rig.Cards()[0].id != first.id; }));
  EXPECT_NE(first.Data(kApprove), rig.Cards()[0].Data(kApprove));
  const std::string query =
      rig.server->TapData(first.id, first.Data(kApprove), 700000001, 700000001);
  EXPECT_NE(rig.Toast(query).find("Withdrawn"), std::string::npos);
  EXPECT_TRUE(rig.runtime.reports().empty());
}

// Vector 13, FR-018, FR-030
TEST(Taps, TheSecondTapSaysWhoDecidedAndChangesNothing) {
  Rig rig;
  rig.Start();
  rig.Add(Mail());
  const BotMessage card = rig.Card();
  const std::string first = rig.server->Tap(card.id, kApprove);
  const std::string second = rig.server->TapData(card.id, card.Data(kReject), 700000001, 700000001);
  rig.Toast(first);
  const std::string toast = rig.Toast(second);
  EXPECT_NE(toast.find("recorded nothing"), std::string::npos);
  EXPECT_NE(toast.find("Approved by human:alex at 12:00 UTC"), std::string::npos);
  EXPECT_EQ(rig.runtime.reports().size(), 1u);
}

TEST(Taps, AStrangerIsNotToldWhoDecided) {
  Rig rig;
  rig.Start();
  rig.Add(Mail());
  const BotMessage card = rig.Card();
  rig.Toast(rig.server->Tap(card.id, kApprove));
  const std::string query = rig.server->TapData(card.id, card.Data(kApprove), kOther, 700000001);
  EXPECT_EQ(rig.Toast(query).find("alex"), std::string::npos);
}

// FR-049
TEST(Taps, TheSameUpdateTwiceDecidesOnce) {
  Rig rig;
  rig.Start();
  rig.Add(Mail());
  const BotMessage card = rig.Card();
  const std::string query = rig.server->Tap(card.id, kApprove);
  rig.Toast(query);
  rig.server->PushAgain(9001);
  ASSERT_TRUE(WaitFor([&] { return rig.server->Unconfirmed() == 0; }));
  EXPECT_EQ(rig.runtime.reports().size(), 1u);
}

// Vector 10, FR-023, FR-031
TEST(Taps, ADecisionElsewhereRetiresTheCardWithinACycle) {
  Rig rig;
  rig.Start();
  rig.Add(Mail());
  const BotMessage card = rig.Card();
  rig.runtime.Close("task-101:chaser", gate::State::kGranted);
  rig.Publish();
  ASSERT_TRUE(rig.WaitEdited(card.id, "Approved by human:sam"));
  const std::string query = rig.server->TapData(card.id, card.Data(kReject), 700000001, 700000001);
  EXPECT_NE(rig.Toast(query).find("human:sam"), std::string::npos);
  EXPECT_TRUE(rig.runtime.reports().empty());
}

// Vector 17
TEST(Taps, AWithdrawnRequestSaysThatThereIsNothingToDo) {
  Rig rig;
  rig.Start();
  rig.Add(Mail());
  const BotMessage card = rig.Card();
  rig.runtime.Close("task-101:chaser", gate::State::kWithdrawn, "agent:drafter");
  rig.Publish();
  EXPECT_TRUE(rig.WaitEdited(card.id, "Withdrawn"));
  EXPECT_TRUE(rig.server->Message(card.id)->buttons.empty());
}

// Vector 25, FR-020, FR-021, FR-239
TEST(Taps, ATapAfterTheEndIsToldSoAndTheCardLosesItsButtons) {
  Rig rig;
  rig.Start();
  rig.Add(Mail());
  const BotMessage card = rig.Card();
  rig.runtime.OnDecide([&] { rig.clock.Advance(3'600'001); });
  const std::string query = rig.server->Tap(card.id, kReject);
  EXPECT_NE(rig.Toast(query).find("Too late"), std::string::npos);
  ASSERT_TRUE(rig.WaitEdited(card.id, "Expired"));
  EXPECT_TRUE(rig.server->Message(card.id)->buttons.empty());
}

// FR-027
TEST(Taps, AtTheDeadlineTheCardIsEditedWithoutATap) {
  Rig rig;
  rig.Start();
  rig.Add(Mail());
  const BotMessage card = rig.Card();
  EXPECT_NE(card.text.find("until 12:55 UTC"), std::string::npos);
  rig.clock.Advance(3'300'001);
  EXPECT_TRUE(rig.WaitEdited(card.id, "Expired"));
}

// FR-240, FR-215
TEST(Taps, ARefusalByTheGateIsNotShownAsRecorded) {
  Rig rig;
  rig.Start();
  rig.Add(Mail());
  const BotMessage card = rig.Card();
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
TEST(Taps, ARefusedAnswerLeavesDecisionAndEditAlone) {
  Rig rig;
  rig.Start();
  rig.Add(Mail());
  const BotMessage card = rig.Card();
  rig.server->Script("answerCallbackQuery", {BotFault::Kind::kStatus, 400, "query is too old"});
  rig.server->Tap(card.id, kApprove);
  EXPECT_TRUE(rig.WaitEdited(card.id, "Approved"));
  EXPECT_EQ(rig.runtime.reports().size(), 1u);
  EXPECT_TRUE(WaitFor([&] { return rig.server->Unconfirmed() == 0; }));
}

// FR-016
TEST(Taps, AHangingAnswerDoesNotHoldUpTheEdit) {
  Rig rig;
  rig.Start();
  rig.Add(Mail());
  const BotMessage card = rig.Card();
  rig.server->Script("answerCallbackQuery", {BotFault::Kind::kHang});
  rig.server->Tap(card.id, kApprove);
  EXPECT_TRUE(WaitFor([&] { return rig.server->Message(card.id)->edits > 0; }, 1'000));
}

// Vector 23
TEST(Taps, ARefusedEditIsOneComplaintAndTheDecisionStands) {
  Rig rig;
  rig.Start();
  rig.Add(Mail());
  const BotMessage card = rig.Card();
  rig.server->Delete(card.id);
  rig.Toast(rig.server->TapData(card.id, card.Data(kApprove), 700000001, 700000001));
  ASSERT_TRUE(WaitFor([&] { return rig.runtime.CountWarnings("edit-refused") > 0; }));
  Pause(200);
  EXPECT_EQ(rig.runtime.CountWarnings("edit-refused"), 1u);
  EXPECT_EQ(rig.server->Calls("editMessageText").size(), 1u);
}

// FR-015
TEST(Taps, NotModifiedIsSuccess) {
  Rig rig;
  rig.Start();
  rig.Add(Mail());
  const BotMessage card = rig.Card();
  rig.server->Script("editMessageText",
                     {BotFault::Kind::kStatus, 400, "Bad Request: message is not modified: x"});
  rig.Toast(rig.server->Tap(card.id, kApprove));
  ASSERT_TRUE(WaitFor([&] { return rig.server->Calls("editMessageText").size() == 1; }));
  Pause(150);
  EXPECT_EQ(rig.server->Calls("editMessageText").size(), 1u);
  EXPECT_TRUE(rig.runtime.warnings().empty());
}

TEST(Taps, ADecisionThatThrowsIsSaidToBeNotRecordedAndIsAskedAgain) {
  Rig rig;
  rig.Start();
  rig.Add(Mail());
  const BotMessage card = rig.Card();
  rig.runtime.Throw();
  EXPECT_NE(rig.Toast(rig.server->Tap(card.id, kApprove)).find("Not recorded"), std::string::npos);
  EXPECT_TRUE(rig.WaitEdited(card.id, "Not recorded"));
  const bool again = WaitFor([&] { return !rig.Cards().empty() && rig.Cards()[0].id != card.id; });
  ASSERT_TRUE(again);
  rig.Toast(rig.server->Tap(rig.Cards()[0].id, kApprove));
  EXPECT_TRUE(rig.WaitEdited(rig.server->Messages().back().id, "Approved"));
}

TEST(Taps, ASlowGateIsAnsweredHeardAfterOneAndAHalfSeconds) {
  Rig rig;
  rig.Start();
  rig.Add(Mail());
  const BotMessage card = rig.Card();
  rig.runtime.Delay(std::chrono::milliseconds(2'000));
  const std::string query = rig.server->Tap(card.id, kApprove);
  EXPECT_NE(rig.Toast(query).find("Heard"), std::string::npos);
  EXPECT_TRUE(rig.WaitEdited(card.id, "Approved"));
  EXPECT_EQ(rig.server->Answers(query).size(), 1u);
}

// FR-048
TEST(Taps, TheOffsetMovesOnlyAfterTheDecisionIsMade) {
  Rig rig;
  rig.Start();
  rig.Add(Mail());
  const BotMessage card = rig.Card();
  std::atomic<std::int64_t> confirmed{0};
  const std::string state = rig.folder.Path("private/telegram-deliveries.json");
  std::atomic<bool> moved{false};
  rig.runtime.OnDecide([&] {
    for (const auto& call : rig.server->Calls("getUpdates")) {
      confirmed = std::max(confirmed.load(), base::AsInteger(call.body.at("offset")).value_or(0));
    }
    const std::string text = base::ReadFile(state).value_or("");
    moved = text.find("\"offset\":9002") != std::string::npos;
  });
  rig.Toast(rig.server->Tap(card.id, kApprove));
  EXPECT_LT(confirmed.load(), 9002);
  EXPECT_FALSE(moved.load());
  EXPECT_TRUE(WaitFor([&] {
    return base::ReadFile(state).value_or("").find("\"offset\":9002") != std::string::npos;
  }));
}

TEST(Taps, PolicyDriftIsToldAndTheCardIsClosed) {
  Rig rig;
  rig.Start();
  rig.Add(Mail());
  const BotMessage card = rig.Card();
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

}  // namespace
}  // namespace approval::telegram
