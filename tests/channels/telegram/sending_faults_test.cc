// Sends that the server refuses, delays or never answers (channels.md 3.15).
#include "tests/channels/telegram/rig.h"

namespace approval::telegram {
namespace {

// FR-008
TEST(SendingFaults, RefusedMarkupIsSentAgainAsPlainTextWithTheSameButtons) {
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

TEST(SendingFaults, PlainTextRefusedAsWellIsADocumentAndAShortCard) {
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
TEST(SendingFaults, ACardThatIsAlwaysRefusedIsUndeliverableAndTheNextGoesOut) {
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
TEST(SendingFaults, RetryAfterIsWaitedForAndNothingIsLost) {
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
TEST(SendingFaults, SendsWithoutAnAnswerAreBoundedAndEveryCopyDecidesOnce) {
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

}  // namespace
}  // namespace approval::telegram
