// Who taps: other chats, other accounts, forged and old buttons (channels.md 3.5 to 3.7).
#include "tests/channels/telegram/rig.h"

namespace approval::telegram {
namespace {

constexpr std::int64_t kOther = 700000002;

// Vector 11, FR-039
TEST(TapSenders, AnotherChatIsAnsweredAndChangesNothing) {
  Rig rig;
  const BotMessage card = rig.StartWith(Mail());
  const std::string query = rig.server->TapData(card.id, card.Data(kApprove), 700000001, 700000009);
  EXPECT_FALSE(rig.Toast(query).empty());
  EXPECT_TRUE(rig.runtime.reports().empty());
  EXPECT_EQ(rig.runtime.CountWarnings("foreign-chat"), 1u);
}

// Vector 12, FR-037, FR-038
TEST(TapSenders, AnotherAccountIsRefusedAndTheCardStaysForTheRightOne) {
  Rig rig;
  rig.runtime.AllowSenders({"700000001"});
  const BotMessage card = rig.StartWith(Mail());
  const std::string query = rig.server->Tap(card.id, kApprove, kOther);
  EXPECT_NE(rig.Toast(query).find("sender-unmapped"), std::string::npos);
  EXPECT_EQ(rig.server->Message(card.id)->edits, 0);
  rig.Toast(rig.server->Tap(card.id, kApprove));
  EXPECT_TRUE(rig.WaitEdited(card.id, "Approved"));
  EXPECT_EQ(rig.runtime.reports().at(0).sender->id, "700000002");
}

// FR-041
TEST(TapSenders, AnIdAsTextCountsAndAnIdAsObjectDoesNot) {
  Rig rig;
  rig.runtime.AllowSenders({"700000001"});
  const BotMessage card = rig.StartWith(Mail());
  const std::string data = card.Data(kApprove);
  rig.Toast(rig.server->TapData(card.id, data, base::JsonObject{{"id", 700000001}}, 700000001));
  rig.Toast(rig.server->TapData(card.id, data, "alex_example", 700000001));
  EXPECT_TRUE(rig.runtime.reports().empty());
  rig.Toast(rig.server->TapData(card.id, data, "700000001", 700000001));
  EXPECT_EQ(rig.runtime.reports().size(), 1u);
}

TEST(TapSenders, AnAccountThatManyShareIsNobody) {
  Rig rig;
  const BotMessage card = rig.StartWith(Mail());
  rig.Toast(rig.server->Tap(card.id, kApprove, 1087968824));
  EXPECT_TRUE(rig.runtime.reports().empty());
}

TEST(TapSenders, AStrangerIsNotToldWhoDecided) {
  Rig rig;
  const BotMessage card = rig.StartWith(Mail());
  rig.Toast(rig.server->Tap(card.id, kApprove));
  const std::string query = rig.server->TapData(card.id, card.Data(kApprove), kOther, 700000001);
  EXPECT_EQ(rig.Toast(query).find("alex"), std::string::npos);
}

TEST(TapSenders, AForgedButtonWithAValidRefNeverReachesTheGate) {
  Rig rig;
  const BotMessage card = rig.StartWith(Mail());
  std::string data = card.Data(kApprove);
  data[5] = data[5] == 'A' ? 'B' : 'A';
  rig.Toast(rig.server->TapData(card.id, data, 700000001, 700000001));
  std::string turned = card.Data(kReject);
  turned[0] = 'g';
  rig.Toast(rig.server->TapData(card.id, turned, 700000001, 700000001));
  EXPECT_TRUE(rig.runtime.reports().empty());
  EXPECT_EQ(rig.runtime.CountWarnings("key-mismatch"), 2u);
}

TEST(TapSenders, AButtonOfAnEarlierRequestOfTheKeyDoesNotDecideALaterOne) {
  Rig rig;
  const BotMessage first = rig.StartWith(Mail("task-1:a", 3));
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

}  // namespace
}  // namespace approval::telegram
