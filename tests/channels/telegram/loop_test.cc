// Start checks, the poll loop, faults, stop: channels.md 3.1, 3.14, 3.15, checklist 56, 92 to 98.
#include <unistd.h>

#include "tests/channels/telegram/rig.h"

namespace approval::telegram {
namespace {

channels::Channel::StartFailure StartFails(Rig& rig, TelegramConfig config) {
  TelegramChannel channel(std::move(config), rig.runtime, rig.clock, rig.random);
  const auto started = channel.Start();
  EXPECT_FALSE(started.has_value());
  return started ? channels::Channel::StartFailure{} : started.error();
}

TEST(Start, WithoutTokenOrChatItIsNotConfiguredAndNamesTheVariable) {
  Rig rig;
  TelegramConfig config = rig.Config();
  config.token = base::Secret();
  auto failure = StartFails(rig, std::move(config));
  EXPECT_EQ(failure.error.code, base::Code::kNotConfigured);
  EXPECT_NE(failure.error.message.find("APPROVAL_TG_TOKEN"), std::string::npos);
  config = rig.Config();
  config.chat_id = "";
  EXPECT_NE(StartFails(rig, std::move(config)).error.message.find("APPROVAL_TG_CHAT"),
            std::string::npos);
}

// FR-041
TEST(Start, AChatThatIsNoIntegerIsAConfigurationError) {
  Rig rig;
  for (const char* chat : {"@channel", "12x", "0", "1e9", "99999999999999999999"}) {
    TelegramConfig config = rig.Config();
    config.chat_id = chat;
    EXPECT_EQ(StartFails(rig, std::move(config)).error.code, base::Code::kNotConfigured) << chat;
  }
}

// FR-038
TEST(Start, AGroupWithoutAccountsIsRefusedWithTheKeyToAdd) {
  Rig rig(-1001234567890);
  const auto failure = StartFails(rig, rig.Config());
  EXPECT_EQ(failure.error.code, base::Code::kTelegramGroupUnmapped);
  EXPECT_NE(failure.error.message.find("senders"), std::string::npos);
  EXPECT_FALSE(failure.retry);
}

TEST(Start, ADeadTokenIsRefusedWithoutAnotherTry) {
  Rig rig;
  TelegramConfig config = rig.Config();
  config.token = base::Secret(std::string("1234567890:another-token-that-is-dead"));
  const auto failure = StartFails(rig, std::move(config));
  EXPECT_EQ(failure.error.code, base::Code::kTelegramUnauthorized);
  EXPECT_FALSE(failure.retry);
}

TEST(Start, ASecondListenerOnTheGatewayIsRefusedWithThePid) {
  Rig rig;
  rig.Start();
  const auto failure = StartFails(rig, rig.Config());
  EXPECT_EQ(failure.error.code, base::Code::kTelegramPollerRunning);
  EXPECT_NE(failure.error.message.find(std::to_string(::getpid())), std::string::npos);
}

TEST(Start, AServerOutOfReachIsNoFailure) {
  Rig rig;
  TelegramConfig config = rig.Config();
  config.api_base = "http://127.0.0.1:1";
  TelegramChannel channel(std::move(config), rig.runtime, rig.clock, rig.random);
  EXPECT_TRUE(channel.Start().has_value());
  EXPECT_TRUE(WaitFor([&] { return !channel.health().ok; }));
}

TEST(Start, PlainHttpToAnotherMachineIsNeverSpoken) {
  Rig rig;
  TelegramConfig config = rig.Config();
  config.api_base = "http://192.0.2.1";
  TelegramChannel channel(std::move(config), rig.runtime, rig.clock, rig.random);
  ASSERT_TRUE(channel.Start().has_value());
  EXPECT_TRUE(
      WaitFor([&] { return channel.health().detail.find("only https") != std::string::npos; }));
}

TEST(Loop, StopEndsWithinASecondWithAPollOpen) {
  Rig rig;
  rig.Start();
  ASSERT_TRUE(WaitFor([&] { return rig.server->PollOpen(); }));
  const auto start = std::chrono::steady_clock::now();
  rig.channel->Stop();
  rig.channel->Stop();
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(500));
}

// Vector 21, FR-056
TEST(Loop, SurvivesEveryKindOfAnswerAndTheNextTapDecides) {
  Rig rig;
  const BotMessage card = rig.StartWith(Mail());
  rig.server->Script("getUpdates", {BotFault::Kind::kStatus, 500, "Internal"});
  rig.server->Script("getUpdates", {BotFault::Kind::kGarbage});
  rig.server->Script("getUpdates", {BotFault::Kind::kReset});
  rig.server->Script("getUpdates", {BotFault::Kind::kStatus, 502, "Bad Gateway"});
  rig.server->Script("getUpdates", {BotFault::Kind::kStatus, 429, "Too Many", 1});
  // Ends the poll that is open, so that the faults come.
  rig.server->Push({{"nothing", 1}});
  ASSERT_TRUE(WaitFor([&] { return !rig.channel->health().ok; }));
  rig.Toast(rig.server->Tap(card.id, kApprove));
  EXPECT_TRUE(rig.WaitEdited(card.id, "Approved"));
  EXPECT_TRUE(WaitFor([&] { return rig.channel->health().ok; }));
}

TEST(Loop, AServerThatGoesAwayAndComesBackIsFoundAgain) {
  Rig rig;
  rig.Start();
  const int port = rig.server->port();
  rig.server.reset();
  ASSERT_TRUE(WaitFor([&] { return !rig.channel->health().ok; }));
  rig.runtime.Add(Mail());
  rig.Publish();
  Pause(100);
  rig.server = std::make_unique<BotApiServer>(Rig::kToken, 700000001, port);
  const BotMessage card = rig.Card();
  rig.Toast(rig.server->Tap(card.id, kApprove));
  EXPECT_TRUE(rig.WaitEdited(card.id, "Approved"));
}

// Vector 20, FR-057
TEST(Loop, AConflictIsNamedOnceAndItsEndIsSaid) {
  Rig rig;
  rig.Start();
  rig.server->Script("getUpdates",
                     {BotFault::Kind::kStatus, 409, "Conflict: terminated by other getUpdates"}, 4);
  rig.server->Push({{"nothing", 1}});
  ASSERT_TRUE(WaitFor([&] { return rig.runtime.CountWarnings("telegram-poller-running") == 1; }));
  ASSERT_TRUE(WaitFor([&] { return rig.server->Calls("getUpdates").size() >= 6; }));
  rig.server->Push({{"nothing", 2}});
  const bool said = WaitFor([&] {
    for (const auto& [event, members] : rig.runtime.said()) {
      if (event == "recovered") return true;
    }
    return false;
  });
  EXPECT_TRUE(said);
  EXPECT_EQ(rig.runtime.CountWarnings("telegram-poller-running"), 1u);
}

TEST(Loop, AConflictIsNotHealthy) {
  Rig rig;
  rig.Start();
  rig.server->Always("getUpdates", BotFault{BotFault::Kind::kStatus, 409, "Conflict: other"});
  rig.server->Push({{"nothing", 1}});
  EXPECT_TRUE(WaitFor(
      [&] { return rig.channel->health().detail.find("another program") != std::string::npos; }));
}

TEST(Loop, AWebhookIsToldApartFromAnotherPoller) {
  Rig rig;
  rig.Start();
  rig.server->Always("getUpdates", BotFault{BotFault::Kind::kStatus, 409,
                                            "Conflict: can't use getUpdates while webhook is set"});
  rig.server->Push({{"nothing", 1}});
  EXPECT_TRUE(WaitFor([&] { return rig.runtime.CountWarnings("webhook-registered") == 1; }));
}

TEST(Loop, ADeadTokenEndsTheChannelWithAReason) {
  Rig rig;
  rig.Start();
  rig.server->Always("sendMessage", BotFault{BotFault::Kind::kStatus, 401, "Unauthorized"});
  rig.Add(Mail());
  ASSERT_TRUE(WaitFor([&] { return rig.channel->failure().has_value(); }));
  EXPECT_EQ(rig.channel->failure()->error.code, base::Code::kTelegramUnauthorized);
  EXPECT_FALSE(rig.channel->health().ok);
}

// FR-044
TEST(Loop, AMigratedChatStopsAndNamesTheNewIdAndTheSetting) {
  Rig rig;
  rig.Start();
  BotFault moved{BotFault::Kind::kStatus, 400, "Bad Request: group chat was upgraded"};
  moved.migrate_to = -1009876543210;
  rig.server->Always("sendMessage", moved);
  rig.Add(Mail());
  ASSERT_TRUE(WaitFor([&] { return rig.channel->failure().has_value(); }));
  const auto failure = *rig.channel->failure();
  EXPECT_EQ(failure.error.code, base::Code::kTelegramChatMigrated);
  EXPECT_NE(failure.error.message.find("-1009876543210"), std::string::npos);
  EXPECT_NE(failure.error.message.find("APPROVAL_TG_CHAT"), std::string::npos);
}

// FR-045
TEST(Loop, ABlockedBotIsToldOnceAndTriedAgainUntilItWorks) {
  Rig rig;
  rig.Start();
  rig.server->Always("sendMessage",
                     BotFault{BotFault::Kind::kStatus, 403, "Forbidden: bot was blocked"});
  rig.Add(Mail());
  ASSERT_TRUE(WaitFor([&] { return !rig.channel->health().ok; }));
  Pause(500);
  EXPECT_EQ(rig.runtime.CountWarnings("telegram-forbidden"), 1u);
  rig.server->Always("sendMessage", std::nullopt);
  rig.Card();
  EXPECT_TRUE(WaitFor([&] { return rig.channel->health().ok; }));
}

// FR-054
TEST(Loop, AClockJumpReplacesAPollThatHangs) {
  Rig rig;
  const BotMessage card = rig.StartWith(Mail());
  rig.server->Script("getUpdates", {BotFault::Kind::kHang});
  rig.server->Push({{"nothing", 1}});
  ASSERT_TRUE(WaitFor([&] { return rig.server->Calls("getUpdates").size() >= 2; }));
  rig.clock.Advance(60'000);
  rig.Publish();
  rig.Toast(rig.server->Tap(card.id, kApprove));
  EXPECT_TRUE(rig.WaitEdited(card.id, "Approved"));
}

// Item 20 of the settled questions, FR-231
// channels.md 8.9
TEST(Loop, ALogThatDoesNotVerifyIsOneNoticeNoCardAndNoDecision) {
  Rig rig;
  const BotMessage card = rig.StartWith(Mail("task-1:a"));
  rig.runtime.SetStopped(base::Error{base::Code::kLogCorrupt, "damaged"});
  rig.Publish();
  rig.Publish();
  ASSERT_TRUE(WaitFor([&] { return !rig.channel->health().ok; }));
  rig.Add(Mail("task-2:a", 4));
  const std::string query = rig.server->Tap(card.id, kApprove);
  EXPECT_NE(rig.Toast(query).find("log-corrupt"), std::string::npos);
  EXPECT_TRUE(rig.runtime.reports().empty());
  std::size_t notices = 0;
  for (const BotMessage& message : rig.server->Messages()) {
    notices += message.text.find("does not verify") != std::string::npos ? 1u : 0u;
  }
  EXPECT_EQ(notices, 1u);
  EXPECT_EQ(rig.Cards().size(), 1u);
  rig.runtime.SetStopped(std::nullopt);
  rig.Publish();
  rig.Toast(rig.server->Tap(card.id, kApprove));
  EXPECT_TRUE(rig.WaitEdited(card.id, "Approved"));
}

// channels.md 8.10
TEST(Loop, ASkippedRequestIsReportedOnce) {
  Rig rig;
  rig.Start();
  rig.runtime.Skip("task-9:a", base::Code::kPayloadUnavailable);
  rig.Publish();
  rig.Publish();
  ASSERT_TRUE(WaitFor([&] { return rig.runtime.CountWarnings("payload-unavailable") == 1; }));
  Pause(50);
  EXPECT_EQ(rig.runtime.CountWarnings("payload-unavailable"), 1u);
}

// FR-061
TEST(Loop, TheTokenIsInNoTextThatLeavesEvenWhenTheServerRepeatsIt) {
  Rig rig;
  rig.Start();
  const std::string echo = "failed: https://api/bot" + std::string(Rig::kToken) + "/x";
  rig.server->Script("getUpdates", {BotFault::Kind::kStatus, 500, echo});
  rig.server->Script("sendMessage", {BotFault::Kind::kStatus, 500, echo});
  rig.server->Script("sendMessage", {BotFault::Kind::kStatus, 400, echo}, 3);
  rig.server->Push({{"nothing", 1}});
  rig.Add(Mail());
  ASSERT_TRUE(WaitFor([&] { return rig.runtime.CountWarnings("undeliverable") == 1; }));
  std::string all = rig.channel->health().detail;
  for (const auto& [code, sentence] : rig.runtime.warnings()) all += sentence;
  for (const auto& [event, members] : rig.runtime.said()) all += base::ToText(members);
  for (const auto& call : rig.server->Calls()) all += base::ToText(call.body);
  EXPECT_EQ(all.find("FAKE-token"), std::string::npos);
  EXPECT_NE(all.find("<redacted>"), std::string::npos);
}

// FR-035, FR-037
TEST(Loop, EveryMessageGoesToTheConfiguredChatAlone) {
  Rig rig;
  rig.Start();
  rig.Add(Mail());
  rig.Toast(rig.server->Tap(rig.Card().id, kApprove));
  for (const auto& call : rig.server->Calls()) {
    if (!call.body.contains("chat_id")) continue;
    EXPECT_EQ(call.body.at("chat_id"), "700000001");
    EXPECT_FALSE(call.body.contains("message_thread_id"));
  }
}

}  // namespace
}  // namespace approval::telegram
