// What a tap or a reply decides and reports (channels.md 3.6 to 3.8; checklist 64 to 81 together
// with tap_senders, tap_faults and settled_cards).
#include "core/base/files.h"
#include "tests/channels/telegram/rig.h"

namespace approval::telegram {
namespace {

TEST(Taps, ApproveIsOneReportOneAnswerOneEditAndTheButtonsAreGone) {
  Rig rig;
  const BotMessage card = rig.StartWith(Mail());
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
  const BotMessage card = rig.StartWith(Mail());
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
  const BotMessage card = rig.StartWith(Mail());
  rig.Toast(rig.server->Tap(card.id, "wording"));
  const channels::Report report = rig.runtime.reports().at(0);
  EXPECT_EQ(report.gesture, channels::Gesture::kReject);
  EXPECT_EQ(report.note, "wording");
  EXPECT_TRUE(rig.WaitEdited(card.id, "wording"));
}

TEST(Taps, AReasonButtonOfAnotherPolicyIsRefused) {
  Rig rig;
  const BotMessage card = rig.StartWith(Mail());
  policy::Policy policy;
  policy.channels.telegram.reject_reasons = {"a", "b", "c"};
  rig.runtime.SetPolicy(policy);
  rig.Publish();
  rig.Toast(rig.server->Tap(card.id, "wording"));
  EXPECT_TRUE(rig.runtime.reports().empty());
}

TEST(Taps, AReplyThatBeginsWithNoRejectsWithTheRestAsTheNote) {
  Rig rig;
  const BotMessage card = rig.StartWith(Mail());
  rig.server->Reply(card.id, "No  the amount is wrong");
  ASSERT_TRUE(rig.WaitEdited(card.id, "Rejected"));
  EXPECT_EQ(rig.runtime.reports().at(0).note, "the amount is wrong");
  EXPECT_EQ(rig.runtime.reports().at(0).sender->id, "700000001");
}

// FR-033, FR-241
TEST(Taps, FreeTextNeverApproves) {
  Rig rig;
  const BotMessage card = rig.StartWith(Mail());
  for (const char* text : {"yes", "y", "approve", "ok", "no", "no ", "nope it is fine"}) {
    rig.server->Reply(card.id, text);
  }
  rig.server->Push({{"message", base::JsonObject{{"text", "yes"},
                                                 {"from", base::JsonObject{{"id", 700000001}}},
                                                 {"chat", base::JsonObject{{"id", 700000001}}}}}});
  ASSERT_TRUE(WaitFor([&] { return rig.server->Unconfirmed() == 0; }));
  EXPECT_TRUE(rig.runtime.reports().empty());
}

// FR-049
TEST(Taps, TheSameUpdateTwiceDecidesOnce) {
  Rig rig;
  const BotMessage card = rig.StartWith(Mail());
  const std::string query = rig.server->Tap(card.id, kApprove);
  rig.Toast(query);
  rig.server->PushAgain(9001);
  ASSERT_TRUE(WaitFor([&] { return rig.server->Unconfirmed() == 0; }));
  EXPECT_EQ(rig.runtime.reports().size(), 1u);
}

// FR-048
TEST(Taps, TheOffsetMovesOnlyAfterTheDecisionIsMade) {
  Rig rig;
  const BotMessage card = rig.StartWith(Mail());
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

}  // namespace
}  // namespace approval::telegram
