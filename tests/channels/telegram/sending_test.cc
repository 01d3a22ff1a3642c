// Sending: channels.md 3.4, 3.10, 3.11, 3.15, 3.16, checklist 53 to 60, 82 to 91.
#include "channels/telegram/deliveries.h"
#include "core/base/sha256.h"
#include "tests/channels/telegram/rig.h"

namespace approval::telegram {
namespace {

std::string LongBody() {
  std::string body;
  for (int i = 1; i <= 500; ++i)
    body += "line " + std::to_string(i) + " of twenty kilobytes of mail\n";
  return body;
}

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

// Vector 05
TEST(Sending, TwentyKilobytesAreOneCardAndOneDocumentWhoseHashIsTheDisplayHash) {
  Rig rig;
  rig.Start();
  rig.Add(SampleRequest(EmailPayload(LongBody()), Keyed("task-1:long")));
  const BotMessage card = rig.Card();
  const std::vector<BotMessage> messages = rig.server->Messages();
  ASSERT_EQ(messages.size(), 3u);
  EXPECT_EQ(messages[1].document_name.substr(0, 8), "payload-");
  EXPECT_TRUE(messages[1].silent);
  EXPECT_LT(messages[1].id, card.id);
  EXPECT_NE(card.text.find(base::Sha256Hex(messages[1].document)), std::string::npos);
  EXPECT_NE(card.text.find(messages[1].document_name), std::string::npos);
  EXPECT_FALSE(card.Data(kApprove).empty());
}

TEST(Sending, WithoutItsDocumentACardHasNoApprove) {
  Rig rig;
  rig.server->Script("sendDocument", {BotFault::Kind::kStatus, 400, "Bad Request: no"});
  rig.Start();
  rig.Add(SampleRequest(EmailPayload(LongBody()), Keyed("task-1:long")));
  const BotMessage card = rig.Card();
  EXPECT_TRUE(card.Data(kApprove).empty());
  EXPECT_FALSE(card.Data(kReject).empty());
  rig.Toast(rig.server->Tap(card.id, "🔁 Show again"));
  const BotMessage again = rig.Card(1);
  EXPECT_FALSE(again.Data(kApprove).empty());
  EXPECT_TRUE(rig.runtime.reports().empty());
}

// FR-014
TEST(Sending, AfterAFailedCardTheDocumentIsNotSentAgain) {
  Rig rig;
  rig.Start();
  rig.server->Script("sendMessage", {}, 2);
  rig.Add(SampleRequest(EmailPayload(LongBody()), Keyed("task-1:long")));
  rig.Card();
  EXPECT_EQ(rig.server->Calls("sendDocument").size(), 1u);
}

// FR-008
TEST(Sending, RefusedMarkupIsSentAgainAsPlainTextWithTheSameButtons) {
  Rig rig;
  rig.Start();
  rig.server->Script("sendMessage", {BotFault::Kind::kStatus, 500, "summary"});
  rig.server->Script("sendMessage",
                     {BotFault::Kind::kStatus, 400, "Bad Request: can't parse entities"});
  rig.Add(Mail());
  const BotMessage card = rig.Card();
  EXPECT_EQ(card.parse_mode, "");
  EXPECT_FALSE(card.Data(kApprove).empty());
  rig.Toast(rig.server->Tap(card.id, kApprove));
  EXPECT_TRUE(rig.WaitEdited(card.id, "Approved"));
  EXPECT_EQ(rig.server->Message(card.id)->parse_mode, "");
}

TEST(Sending, PlainTextRefusedAsWellIsADocumentAndAShortCard) {
  Rig rig;
  rig.Start();
  rig.server->Script("sendMessage", {BotFault::Kind::kStatus, 500, "summary"});
  rig.server->Script("sendMessage", {BotFault::Kind::kStatus, 400, "Bad Request: no"}, 2);
  rig.Add(Mail());
  const BotMessage card = rig.Card();
  EXPECT_EQ(rig.server->Calls("sendDocument").size(), 1u);
  EXPECT_EQ(card.text.find("21 days"), std::string::npos);
  EXPECT_FALSE(card.Data(kApprove).empty());
}

// FR-006, FR-007, FR-046
TEST(Sending, ACardThatIsAlwaysRefusedIsUndeliverableAndTheNextGoesOut) {
  Rig rig;
  rig.Start();
  rig.server->Script("sendMessage", {BotFault::Kind::kStatus, 500, "summary"});
  rig.server->Script("sendMessage", {BotFault::Kind::kStatus, 400, "Bad Request: no"}, 3);
  rig.runtime.Add(Mail("task-1:bad"));
  rig.Add(Mail("task-2:good", 4));
  const BotMessage card = rig.Card();
  EXPECT_NE(card.text.find("task-2:good"), std::string::npos);
  EXPECT_EQ(rig.runtime.CountWarnings("undeliverable"), 1u);
  EXPECT_TRUE(WaitFor([&] { return !rig.channel->health().ok; }));
}

// Vectors 18 and 19
TEST(Sending, RetryAfterIsWaitedForAndNothingIsLost) {
  Rig rig;
  rig.runtime.Add(Mail());
  BotFault busy{BotFault::Kind::kStatus, 429, "Too Many Requests: retry after 1", 1};
  rig.server->Script("sendMessage", busy, 2);
  rig.Start();
  rig.Card();
  const auto calls = rig.server->Calls("sendMessage");
  ASSERT_EQ(calls.size(), 3u);
  EXPECT_GE(calls[1].at_ms - calls[0].at_ms, 1'000);
  EXPECT_GE(calls[2].at_ms - calls[1].at_ms, 1'000);
  EXPECT_FALSE(rig.channel->failure().has_value());
}

// FR-053
TEST(Sending, SendsWithoutAnAnswerAreBoundedAndEveryCopyDecidesOnce) {
  Rig rig;
  rig.call_timeout_ms = 150;
  rig.Start();
  BotFault stalled{BotFault::Kind::kHang};
  stalled.act_first = true;
  rig.server->Script("sendMessage", {BotFault::Kind::kStatus, 500, "summary"});
  rig.server->Script("sendMessage", stalled, 50);
  rig.Add(Mail());
  ASSERT_TRUE(WaitFor([&] { return rig.runtime.CountWarnings("undeliverable") == 1; }));
  Pause(400);
  const std::vector<BotMessage> copies = rig.Cards();
  ASSERT_EQ(copies.size(), 3u);
  EXPECT_EQ(copies[0].Data(kApprove), copies[2].Data(kApprove));
  rig.Toast(rig.server->Tap(copies[0].id, kApprove));
  rig.Toast(rig.server->Tap(copies[2].id, kApprove));
  EXPECT_TRUE(rig.WaitEdited(copies[0].id, "Approved"));
  EXPECT_TRUE(rig.WaitEdited(copies[2].id, "Approved"));
  EXPECT_EQ(rig.runtime.reports().size(), 1u);
}

TEST(Sending, AReminderComesOnceAsAReplyToTheCard) {
  Rig rig;
  rig.Start();
  rig.Add(Mail());
  const BotMessage card = rig.Card();
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

// FR-022, FR-049, vector 09
TEST(Sending, AfterARestartTheOldCardStandsAndDecides) {
  Rig rig;
  rig.Start();
  rig.Add(Mail());
  const BotMessage card = rig.Card();
  rig.Restart();
  Pause(300);
  EXPECT_EQ(rig.Cards().size(), 1u);
  rig.Toast(rig.server->Tap(card.id, kApprove));
  ASSERT_TRUE(rig.WaitEdited(card.id, "Approved"));
  EXPECT_NE(rig.server->Message(card.id)->text.find("21 days late"), std::string::npos);
}

TEST(Sending, WithoutItsMemoryARestartRepeatsTheCardAndBothDecide) {
  Rig rig;
  rig.Start();
  rig.Add(Mail());
  const BotMessage card = rig.Card();
  rig.channel.reset();
  rig.folder.Write("private/telegram-deliveries.json", "broken");
  rig.Start();
  const BotMessage second = rig.Card(1);
  rig.Toast(rig.server->Tap(card.id, kApprove));
  EXPECT_TRUE(rig.WaitEdited(card.id, "Approved"));
  EXPECT_TRUE(rig.WaitEdited(second.id, "Approved"));
}

TEST(Sending, WithoutItsMemoryAnOldCardBehindTheCurrentOneStillDecides) {
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
TEST(Sending, ADecisionMadeWhileStoppedRetiresTheCardAtTheNextStart) {
  Rig rig;
  rig.Start();
  rig.Add(Mail());
  const BotMessage card = rig.Card();
  rig.channel.reset();
  rig.runtime.Close("task-101:chaser", gate::State::kGranted);
  rig.Start();
  EXPECT_TRUE(rig.WaitEdited(card.id, "Approved by human:sam"));
}

// FR-029
TEST(Sending, ADeletedCardIsSentAgainAfterARestart) {
  Rig rig;
  rig.Start();
  rig.Add(Mail());
  const BotMessage card = rig.Card();
  rig.server->Delete(card.id);
  rig.Restart();
  const BotMessage again = rig.Card(1);
  EXPECT_NE(again.id, card.id);
  EXPECT_FALSE(again.Data(kApprove).empty());
}

TEST(Sending, MemoryStaysBoundedOverManyDecidedCards) {
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

TEST(Sending, ARequestThatCannotBeShownWholeHasNoApprove) {
  Rig rig;
  rig.Start();
  gate::RequestModel request = Mail();
  request.payload_hash.value = std::string(64, '0');
  rig.Add(request);
  EXPECT_TRUE(rig.Card().Data(kApprove).empty());
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
