// Cards over a restart, with what the channel remembers and without (channels.md 3.16).
#include "channels/telegram/deliveries.h"
#include "tests/channels/telegram/rig.h"

namespace approval::telegram {
namespace {

// FR-022, FR-049, vector 09
TEST(Restart, AfterARestartTheOldCardStandsAndDecides) {
  Rig rig;
  const BotMessage card = rig.StartWith(Mail());
  rig.Restart();
  Pause(300);
  EXPECT_EQ(rig.Cards().size(), 1u);
  rig.Toast(rig.server->Tap(card.id, kApprove));
  ASSERT_TRUE(rig.WaitEdited(card.id, "Approved"));
  EXPECT_NE(rig.server->Message(card.id)->text.find("21 days late"), std::string::npos);
}

TEST(Restart, WithoutItsMemoryARestartRepeatsTheCardAndBothDecide) {
  Rig rig;
  const BotMessage card = rig.StartWith(Mail());
  rig.channel.reset();
  rig.folder.Write("private/telegram-deliveries.json", "broken");
  rig.Start();
  const BotMessage second = rig.Card(1);
  rig.Toast(rig.server->Tap(card.id, kApprove));
  EXPECT_TRUE(rig.WaitEdited(card.id, "Approved"));
  EXPECT_TRUE(rig.WaitEdited(second.id, "Approved"));
}

TEST(Restart, WithoutItsMemoryAnOldCardBehindTheCurrentOneStillDecides) {
  Rig rig;
  policy::Policy burst;
  burst.channels.telegram.delivery = policy::TelegramDelivery::kBurst;
  rig.runtime.SetPolicy(burst);
  rig.runtime.Add(Mail("task-1:a"));
  rig.runtime.Add(SampleRequest(EmailPayload(LongBody()), Keyed("task-2:long", 4)));
  rig.Start();
  const BotMessage card = rig.Card(1);
  rig.channel.reset();
  rig.folder.Write("private/telegram-deliveries.json", "broken");
  rig.runtime.SetPolicy({});
  rig.Start();
  rig.Toast(rig.server->Tap(card.id, kApprove));
  EXPECT_TRUE(rig.WaitEdited(card.id, "Approved"));
  EXPECT_EQ(rig.runtime.reports().size(), 1u);
}

// FR-023
TEST(Restart, ADecisionMadeWhileStoppedRetiresTheCardAtTheNextStart) {
  Rig rig;
  const BotMessage card = rig.StartWith(Mail());
  rig.channel.reset();
  rig.runtime.Close("task-101:chaser", gate::State::kGranted);
  rig.Start();
  EXPECT_TRUE(rig.WaitEdited(card.id, "Approved by human:sam"));
}

// A gesture may wait at the server while the channel is away.
TEST(Restart, ATapThatWaitedForTheChannelOnASettledRequestIsAnswered) {
  Rig rig;
  const BotMessage card = rig.StartWith(Mail());
  rig.channel.reset();
  rig.runtime.Close("task-101:chaser", gate::State::kRejected, "human:sam");
  const std::string query = rig.server->Tap(card.id, kApprove);
  rig.Start();
  EXPECT_NE(rig.Toast(query).find("recorded nothing"), std::string::npos);
  EXPECT_TRUE(rig.WaitEdited(card.id, "Rejected by human:sam"));
  EXPECT_TRUE(rig.runtime.reports().empty());
}

// FR-029
TEST(Restart, ADeletedCardIsSentAgainAfterARestart) {
  Rig rig;
  const BotMessage card = rig.StartWith(Mail());
  rig.server->Delete(card.id);
  rig.Restart();
  const BotMessage again = rig.Card(1);
  EXPECT_NE(again.id, card.id);
  EXPECT_FALSE(again.Data(kApprove).empty());
}

TEST(Restart, MemoryStaysBoundedOverManyDecidedCards) {
  Rig rig;
  policy::Policy policy;
  rig.runtime.SetPolicy(policy);
  DeliveryState state{"1234567890", "700000001", 0, 0, {}};
  for (int i = 0; i < 1'000; ++i) {
    Delivery old;
    old.action_key = "task-" + std::to_string(i) + ":a";
    old.request_hash = testing::SampleHash(old.action_key, i);
    old.message_id = 1 + i;
    old.retired = true;
    state.deliveries.push_back(old);
  }
  rig.folder.Write("private/x", "");
  const std::string path = rig.folder.Path("private/telegram-deliveries.json");
  ASSERT_TRUE(SaveDeliveries(path, state).has_value());
  rig.Start();
  rig.Add(Mail());
  rig.Card();
  rig.channel->Stop();
  EXPECT_LE(LoadDeliveries(path, "1234567890", "700000001").deliveries.size(), kMostRetired + 1);
}

}  // namespace
}  // namespace approval::telegram
