// The small parts: rate, outbox, updates, state file, private folder, replies of the API.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "channels/telegram/bot_api.h"
#include "channels/telegram/deliveries.h"
#include "channels/telegram/outbox.h"
#include "channels/telegram/private_folder.h"
#include "channels/telegram/updates.h"
#include "tests/support/fakes.h"
#include "tests/support/temp_folder.h"

namespace approval::telegram {
namespace {

mode_t ModeOf(const std::string& path) {
  struct stat info {};
  EXPECT_EQ(::stat(path.c_str(), &info), 0);
  return info.st_mode & 0777;
}

// Starts of calls when `count` wait, in milliseconds.
std::vector<std::int64_t> StartsOf(bool group, int count) {
  Outbox outbox(group);
  std::vector<std::int64_t> starts;
  std::int64_t now = 1'000'000;
  const std::int64_t begin = now;
  for (int i = 0; i < count; ++i) {
    outbox.Push(Outbox::Kind::kMessage, [&] {
      starts.push_back(now - begin);
      return true;
    });
  }
  while (starts.size() < static_cast<std::size_t>(count)) {
    outbox.Pump(now);
    now += outbox.NextMs(now).value_or(0);
  }
  return starts;
}

TEST(Outbox, ThreeStartAtOnceAndThenOneASecond) {
  EXPECT_EQ(StartsOf(false, 5), (std::vector<std::int64_t>{0, 0, 0, 1'000, 2'000}));
}

TEST(Outbox, AGroupGetsAtMostTwentyMessagesInAnyMinute) {
  const std::vector<std::int64_t> starts = StartsOf(true, 70);
  for (std::size_t i = 20; i < starts.size(); ++i) EXPECT_GE(starts[i] - starts[i - 20], 60'000);
}

// FR-051
TEST(Outbox, NothingStartsBeforeTheServerAllowsIt) {
  Outbox outbox(false);
  int started = 0;
  outbox.rate().Hold(1'000, 45'000);
  for (const auto kind : {Outbox::Kind::kMessage, Outbox::Kind::kEdit}) {
    outbox.Push(kind, [&] { return ++started > 0; });
  }
  outbox.Pump(45'999);
  EXPECT_EQ(started, 0);
  outbox.Pump(46'000);
  EXPECT_EQ(started, 2);
}

TEST(Outbox, EditsGoBeforeNewMessages) {
  Outbox outbox(false);
  std::string order;
  outbox.Push(Outbox::Kind::kMessage, [&] { return !(order += "m").empty(); });
  outbox.Push(Outbox::Kind::kEdit, [&] { return !(order += "e").empty(); });
  outbox.Pump(0);
  EXPECT_EQ(order, "em");
}

TEST(Updates, AnIdIsA64BitIntegerOrNothing) {
  EXPECT_EQ(ParseId("-1001234567890"), -1001234567890);
  EXPECT_EQ(ParseId("9223372036854775807"), 9223372036854775807);
  for (const char* text : {"", "0x10", "+1", "01", "1 ", " 1", "1.0", "9223372036854775808", "-"}) {
    EXPECT_FALSE(ParseId(text).has_value()) << text;
  }
}

TEST(Updates, NoJsonValueBreaksTheReader) {
  for (const char* text :
       {"null", "[]", "{}", R"({"update_id":"x"})", R"({"update_id":1,"callback_query":[]})",
        R"({"update_id":1,"callback_query":{"id":5,"from":3,"message":"x","data":{}}})",
        R"({"update_id":1,"message":{"reply_to_message":{"message_id":"a"},"text":[]}})"}) {
    const auto value = base::ParseJson(text, base::kLenientJson);
    ASSERT_TRUE(value.has_value());
    const auto update = ParseUpdate(*value);
    if (!update) continue;
    const Tap* tap = std::get_if<Tap>(&update->what);
    EXPECT_EQ(tap == nullptr ? "" : tap->sender_id, "");
  }
}

TEST(Updates, OnlyNoWithWordsBehindItIsAReason) {
  EXPECT_EQ(RejectReason("no wrong person"), "wrong person");
  EXPECT_EQ(RejectReason("No  later "), "later");
  for (const char* text : {"no", "no ", "no \n", "nope", "yes no x", "n o x", ""}) {
    EXPECT_FALSE(RejectReason(text).has_value()) << text;
  }
}

TEST(Deliveries, WhatIsSavedIsLoaded) {
  const testing::TempFolder folder;
  const std::string path = folder.Path("state.json");
  DeliveryState state{"12", "34", 77, 88, {}};
  state.deliveries.push_back({"k:a", std::string(64, 'a'), 3, 501, 500, true, true, true});
  ASSERT_TRUE(SaveDeliveries(path, state).has_value());
  EXPECT_EQ(ModeOf(path), 0600u);
  const DeliveryState loaded = LoadDeliveries(path, "12", "34");
  EXPECT_EQ(loaded.offset, 77);
  ASSERT_EQ(loaded.deliveries.size(), 1u);
  EXPECT_EQ(loaded.deliveries[0].message_id, 501);
  EXPECT_TRUE(loaded.deliveries[0].retired);
}

TEST(Deliveries, AnotherBotOrChatOrABrokenFileIsAnEmptyState) {
  const testing::TempFolder folder;
  const std::string path = folder.Path("state.json");
  DeliveryState state{"12", "34", 77, 88, {}};
  ASSERT_TRUE(SaveDeliveries(path, state).has_value());
  EXPECT_EQ(LoadDeliveries(path, "13", "34").offset, 0);
  EXPECT_EQ(LoadDeliveries(path, "12", "35").offset, 0);
  EXPECT_EQ(LoadDeliveries(folder.Path("none"), "12", "34").offset, 0);
  for (const char* text :
       {"", "{", "[]", R"({"bot_id":"12","chat_id":"34","deliveries":[1,{}]})"}) {
    folder.Write("state.json", text);
    EXPECT_TRUE(LoadDeliveries(path, "12", "34").deliveries.empty());
  }
}

TEST(PrivateFolder, IsClosedToOthersAndIgnoredByGit) {
  const testing::TempFolder folder;
  const std::string path = folder.Path("home/private");
  ASSERT_TRUE(PreparePrivateFolder(path).has_value());
  EXPECT_EQ(ModeOf(path), 0700u);
  EXPECT_EQ(base::ReadFile(path + "/.gitignore").value(), "*\n");
}

TEST(PrivateFolder, TheKeyIsMadeOnceAndKept) {
  const testing::TempFolder folder;
  testing::FakeRandom random;
  const auto first = ButtonKey(folder.path(), random);
  const auto second = ButtonKey(folder.path(), random);
  ASSERT_TRUE(first.has_value() && second.has_value());
  EXPECT_EQ(first->Reveal().size(), 32u);
  EXPECT_EQ(first->Reveal(), second->Reveal());
  EXPECT_EQ(ModeOf(folder.Path("telegram-buttons.key")), 0600u);
  EXPECT_EQ(folder.Names(), std::vector<std::string>{"telegram-buttons.key"});
}

TEST(PrivateFolder, AKeyThatOthersCanReadOrOfAnotherLengthIsRefused) {
  const testing::TempFolder folder;
  testing::FakeRandom random;
  folder.Write("telegram-buttons.key", std::string(32, 'k'));
  ::chmod(folder.Path("telegram-buttons.key").c_str(), 0644);
  EXPECT_FALSE(ButtonKey(folder.path(), random).has_value());
  folder.Write("telegram-buttons.key", "short");
  ::chmod(folder.Path("telegram-buttons.key").c_str(), 0600);
  EXPECT_FALSE(ButtonKey(folder.path(), random).has_value());
}

TEST(ListenerLock, ASecondListenerIsRefusedWithThePidAndADeadOneIsReclaimed) {
  const testing::TempFolder folder;
  const std::string path = folder.path();
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto lock = ListenerLock::Take(path);
    static_cast<void>(base::WriteAll(ready[1], "x"));
    ::pause();
    ::_exit(0);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  const auto refused = ListenerLock::Take(path);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, base::Code::kTelegramPollerRunning);
  EXPECT_NE(refused.error().message.find(std::to_string(child)), std::string::npos);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(ListenerLock::Take(path).has_value());
}

ReplyKind KindOf(int status, const std::string& body, std::string_view method = "sendMessage") {
  return ClassifyReply(method, net::HttpResponse{status, body}, net::Redactor()).kind;
}

std::string Refusal(const std::string& description) {
  return R"({"ok":false,"description":")" + description + R"("})";
}

TEST(Replies, AreToldApartByStatusAndDescription) {
  EXPECT_EQ(KindOf(200, R"({"ok":true,"result":1})"), ReplyKind::kOk);
  EXPECT_EQ(KindOf(400, Refusal("Bad Request: MESSAGE is not modified")), ReplyKind::kNotModified);
  EXPECT_EQ(KindOf(400, Refusal("Bad Request: message to edit not found")),
            ReplyKind::kMessageGone);
  EXPECT_EQ(KindOf(400, Refusal("Bad Request: chat not found")), ReplyKind::kForbidden);
  EXPECT_EQ(KindOf(400, Refusal("Bad Request: can't parse entities")), ReplyKind::kBadRequest);
  EXPECT_EQ(KindOf(401, Refusal("Unauthorized")), ReplyKind::kUnauthorized);
  EXPECT_EQ(KindOf(404, Refusal("Not Found")), ReplyKind::kUnauthorized);
  EXPECT_EQ(KindOf(403, Refusal("Forbidden")), ReplyKind::kForbidden);
  EXPECT_EQ(KindOf(409, Refusal("Conflict")), ReplyKind::kConflict);
  EXPECT_EQ(KindOf(429, Refusal("Too Many")), ReplyKind::kTooMany);
  EXPECT_EQ(KindOf(502, "<html>"), ReplyKind::kServerError);
  EXPECT_EQ(KindOf(200, "{}"), ReplyKind::kServerError);
}

// A captive portal answers anything with a page; that is no verdict on the token.
TEST(Replies, APageWithStatus404IsNotADeadToken) {
  EXPECT_EQ(KindOf(404, "<html>"), ReplyKind::kServerError);
}

}  // namespace
}  // namespace approval::telegram
