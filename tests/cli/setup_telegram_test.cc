// `approval setup channel telegram` at a terminal, against the Bot API on loopback
// (adapters.md 7.4).
#include "tests/cli/setup_rig.h"
#include "tests/support/bot_api_server.h"

namespace approval {
namespace {

using base::JsonObject;
using testing::Pty;

class TelegramSetup : public testing::SetupTest {
 protected:
  static JsonObject Written(std::int64_t chat, const char* type, const char* title,
                            std::int64_t date) {
    return {
        {"message",
         JsonObject{
             {"message_id", date},
             {"date", date},
             {"text", "hello"},
             {"from", JsonObject{{"id", 42}, {"first_name", "Al"}}},
             {"chat",
              JsonObject{{"id", chat}, {"type", type}, {"first_name", title}, {"title", title}}}}}};
  }
  Pty Start() { return At({"setup", "channel", "telegram", "--api-base", server_.base_url()}); }
  testing::BotApiServer server_;
};

TEST_F(TelegramSetup, ATokenAndOneChatAreFoundAndStoredWithoutAnOffsetEver) {
  server_.Push(Written(700000001, "private", "Alice", 10));
  Pty pty = Start();
  EXPECT_SEEN(pty, "Token (not shown)");
  pty.TypeLater(" " + server_.token() + "\n");
  EXPECT_SEEN(pty, "the bot is @");
  EXPECT_SEEN(pty, "Ask in Alice");
  pty.TypeLater("\n");
  EXPECT_SEEN(pty, "Type yes");
  pty.TypeLater("yes\n");
  EXPECT_SEEN(pty, "Send a test message");
  pty.TypeLater("y\n");
  EXPECT_SEEN(pty, "next:");
  EXPECT_EQ(pty.Wait(), 0);
  EXPECT_EQ(Map(), "APPROVAL_TG_TOKEN=" + server_.token() + "\nAPPROVAL_TG_CHAT=700000001\n");
  EXPECT_EQ(pty.Screen().find(server_.token()), std::string::npos);
  for (const testing::BotCall& call : server_.Calls("getUpdates")) {
    EXPECT_FALSE(call.body.contains("offset"));
  }
  EXPECT_EQ(server_.Unconfirmed(), 1U);
  EXPECT_EQ(server_.Messages().size(), 1U);
}

TEST_F(TelegramSetup, SeveralChatsAreNumberedNewestFirstAndAGroupGetsItsRules) {
  server_.Push(Written(1, "private", "Older", 10));
  server_.Push(Written(-100, "group", "Team", 20));
  Pty pty = Start();
  EXPECT_SEEN(pty, "Token (not shown)");
  pty.TypeLater(server_.token() + "\n");
  EXPECT_SEEN(pty, "1  Team");
  EXPECT_SEEN(pty, "2  Older");
  pty.TypeLater("1\n");
  EXPECT_SEEN(pty, "Type yes");
  pty.TypeLater("yes\n");
  EXPECT_SEEN(pty, "alice: { channels: [telegram], senders: { telegram: \"42\" } }");
  EXPECT_SEEN(pty, "Send a test message");
  pty.TypeLater("\n");
  EXPECT_EQ(pty.Wait(), 0);
  EXPECT_TRUE(server_.Messages().empty());
}

TEST_F(TelegramSetup, ARefusedTokenStopsEarlyAndADeclinedChatWritesNothing) {
  Pty wrong = Start();
  EXPECT_SEEN(wrong, "Token (not shown)");
  wrong.TypeLater("1:wrong\n");
  EXPECT_SEEN(wrong, "does not take the token");
  EXPECT_EQ(wrong.Wait(), 1);
  server_.Push(Written(700000001, "private", "Alice", 10));
  Pty declined = Start();
  EXPECT_SEEN(declined, "Token (not shown)");
  declined.TypeLater(server_.token() + "\n");
  EXPECT_SEEN(declined, "Ask in Alice");
  declined.TypeLater("n\n");
  EXPECT_EQ(declined.Wait(), 2);
  EXPECT_EQ(Map(), "");
}

}  // namespace
}  // namespace approval
