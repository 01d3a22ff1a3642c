// What is sent when: cards in order, summaries, reminders (channels.md 3.4, 3.10, 3.11; checklist
// 53 to 60 and 82 to 91 together with payload_documents, sending_faults and restart).
#include "tests/channels/telegram/rig.h"

namespace approval::telegram {
namespace {

// FR-047, FR-237, vector 22
TEST(Sending, ANewRequestReachesTheServerWithinMillisecondsWhileAPollIsOpen) {
  Rig rig;
  rig.Start();
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(WaitFor([&] { return rig.server->PollOpen(); }));
    const std::string key = "task-" + std::to_string(round) + ":a";
    const auto start = std::chrono::steady_clock::now();
    rig.Add(Mail(key, 10 + round));
    ASSERT_TRUE(WaitFor([&] { return rig.Cards().size() == 1; }));
    EXPECT_LT(std::chrono::steady_clock::now() - start,
              std::chrono::milliseconds(round == 0 ? 100 : 2'100));
    EXPECT_TRUE(rig.server->PollOpen());
    rig.runtime.Close(key, gate::State::kGranted);
    rig.Publish();
    ASSERT_TRUE(WaitFor([&] { return rig.Cards().empty(); }));
  }
}

TEST(Sending, FiveAtTheStartAreOneSummaryAndOneCard) {
  Rig rig;
  for (int i = 0; i < 5; ++i) rig.runtime.Add(Mail("task-" + std::to_string(i) + ":a", 3 + i));
  rig.Start();
  const BotMessage card = rig.Card();
  Pause(200);
  const std::vector<BotMessage> messages = rig.server->Messages();
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_NE(messages[0].text.find("5 pending — oldest 5 min ago — communicate.email.external ×5"),
            std::string::npos);
  EXPECT_EQ(messages[0].text.find("task-"), std::string::npos);
  EXPECT_TRUE(messages[0].silent);
  EXPECT_FALSE(card.silent);
  EXPECT_NE(card.text.find("1 of 5"), std::string::npos);
  EXPECT_NE(card.text.find("task-0:a"), std::string::npos);
}

// Vector 16
TEST(Sending, TheNextCardComesWhenTheFirstIsSettledAnywhere) {
  Rig rig;
  for (int i = 0; i < 3; ++i) rig.runtime.Add(Mail("task-" + std::to_string(i) + ":a", 3 + i));
  rig.Start();
  rig.Card();
  rig.runtime.Close("task-0:a", gate::State::kRejected);
  rig.Publish();
  ASSERT_TRUE(WaitFor([&] {
    return rig.Cards().size() == 1 && rig.Cards()[0].text.find("task-1:a") != std::string::npos;
  }));
  std::size_t summaries = 0;
  for (const BotMessage& message : rig.server->Messages()) {
    summaries += message.text.find("pending —") != std::string::npos ? 1u : 0u;
  }
  EXPECT_EQ(summaries, 1u);
}

TEST(Sending, ANewRequestBehindAnOpenCardSendsNothing) {
  Rig rig;
  rig.Start();
  rig.Add(Mail("task-1:a"));
  rig.Card();
  const std::size_t before = rig.server->Messages().size();
  rig.Add(Mail("task-2:a", 4));
  Pause(200);
  EXPECT_EQ(rig.server->Messages().size(), before);
}

TEST(Sending, AWaitingToolCallBehindASlowOneIsASecondUrgentCard) {
  Rig rig;
  rig.Start();
  rig.Add(Mail("task-1:slow"));
  rig.Card();
  for (int i = 0; i < 2; ++i) {
    SampleOptions quick = Keyed("task-2:quick" + std::to_string(i), 5 + i);
    quick.requested_ms = testing::kSampleNow;
    quick.window_ms = 300'000;
    quick.requester_waits = true;
    rig.Add(SampleRequest(CommandPayload(), quick));
  }
  const BotMessage urgent = rig.Card(1);
  EXPECT_NE(urgent.text.find("urgent"), std::string::npos);
  EXPECT_NE(urgent.text.find("task-2:quick0"), std::string::npos);
  Pause(200);
  EXPECT_EQ(rig.Cards().size(), 2u);
}

TEST(Sending, BurstSendsEverythingAfterOneBanner) {
  Rig rig;
  policy::Policy policy;
  policy.channels.telegram.delivery = policy::TelegramDelivery::kBurst;
  rig.runtime.SetPolicy(policy);
  for (int i = 0; i < 2; ++i) rig.runtime.Add(Mail("task-" + std::to_string(i) + ":a", 3 + i));
  rig.Start();
  rig.Card(1);
  const std::vector<BotMessage> messages = rig.server->Messages();
  ASSERT_EQ(messages.size(), 3u);
  EXPECT_NE(messages[0].text.find("listening"), std::string::npos);
}

TEST(Sending, TheRateIsThreeAtOnceAndThenOneASecond) {
  Rig rig;
  policy::Policy policy;
  policy.channels.telegram.delivery = policy::TelegramDelivery::kBurst;
  rig.runtime.SetPolicy(policy);
  for (int i = 0; i < 5; ++i) rig.runtime.Add(Mail("task-" + std::to_string(i) + ":a", 3 + i));
  rig.Start();
  rig.Card(4);
  const auto calls = rig.server->Calls("sendMessage");
  ASSERT_EQ(calls.size(), 6u);
  EXPECT_GE(calls[5].at_ms - calls[0].at_ms, 2'900);
}

TEST(Sending, AReminderComesOnceAsAReplyToTheCard) {
  Rig rig;
  const BotMessage card = rig.StartWith(Mail());
  rig.clock.Advance(2'600'000);
  rig.Publish();
  ASSERT_TRUE(WaitFor([&] { return rig.server->Messages().back().reply_to == card.id; }));
  rig.clock.Advance(60'000);
  rig.Publish();
  Pause(200);
  std::size_t reminders = 0;
  for (const auto& message : rig.server->Messages()) reminders += message.reply_to != 0 ? 1u : 0u;
  EXPECT_EQ(reminders, 1u);
}

TEST(Sending, NoReminderUnderTwoMinutes) {
  Rig rig;
  rig.Start();
  rig.Add(Mail());
  rig.Card();
  rig.clock.Advance(3'190'000);
  rig.Publish();
  Pause(200);
  for (const auto& message : rig.server->Messages()) EXPECT_EQ(message.reply_to, 0);
}

// FR-066
TEST(Sending, FortyRequestsAreOneCardAtATimeWithTheCountOnIt) {
  Rig rig;
  for (int i = 0; i < 40; ++i) rig.runtime.Add(Mail("task-" + std::to_string(i) + ":a", 3 + i));
  rig.Start();
  EXPECT_NE(rig.Card().text.find("1 of 40"), std::string::npos);
  Pause(200);
  EXPECT_EQ(rig.Cards().size(), 1u);
}

// FR-232
TEST(Sending, NoButtonApprovesMoreThanOneRequest) {
  Rig rig;
  for (int i = 0; i < 20; ++i) rig.runtime.Add(Mail("task-" + std::to_string(i) + ":a", 3 + i));
  rig.Start();
  for (const testing::BotButton& button : rig.Card().buttons) {
    EXPECT_EQ(button.text.find("all"), std::string::npos);
  }
}

TEST(Sending, InAGroupTheCardSaysWhoMayAnswer) {
  Rig rig(-1001234567890);
  policy::Policy policy;
  policy.approvers["alex"].senders["telegram"] = {"700000001"};
  rig.runtime.SetPolicy(policy);
  rig.runtime.Add(Mail());
  rig.Start();
  EXPECT_NE(rig.Card().text.find("may answer: alex"), std::string::npos);
}

}  // namespace
}  // namespace approval::telegram
