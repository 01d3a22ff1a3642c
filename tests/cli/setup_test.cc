// The setup verbs at a real terminal, the source map they write, and `approval env` that reads it
// back (adapters.md 7.2 to 7.5, 8.89 to 8.120).
#include <gtest/gtest.h>
#include <unistd.h>

#include "core/base/files.h"
#include "tests/cli/setup_rig.h"
#include "tests/support/bot_api_server.h"

namespace approval {
namespace {

using base::JsonObject;
using testing::Pty;
using testing::RunResult;
using testing::SetupTest;

TEST_F(SetupTest, EveryVerbRefusesAPipeAndJsonWithTheScriptedCommands) {
  const std::vector<std::vector<std::string>> verbs = {{"setup"},
                                                       {"setup", "identity"},
                                                       {"setup", "vault"},
                                                       {"setup", "sampling"},
                                                       {"setup", "channel", "telegram"},
                                                       {"setup", "adapter", "email"},
                                                       {"setup", "service"}};
  for (const auto& verb : verbs) {
    const RunResult piped = Run(verb, "yes\n");
    EXPECT_EQ(piped.exit, 2) << verb.back();
    EXPECT_NE(piped.err.find("commands do the same"), std::string::npos) << piped.err;
    auto with_json = verb;
    with_json.emplace_back("--json");
    const JsonObject error = Answer(Run(with_json).err).at("error").as_object();
    EXPECT_EQ(base::StringMember(error, "code"), "usage");
    EXPECT_FALSE(error.at("commands").as_array().empty());
  }
  EXPECT_EQ(Map(), "");
}

TEST_F(SetupTest, AnUnknownChannelOrAdapterIsRefusedWithTheKnownNames) {
  EXPECT_NE(Run({"setup", "adapter", "fax"}).err.find("email"), std::string::npos);
  EXPECT_EQ(Run({"setup", "adapter"}).exit, 2);
  EXPECT_NE(Run({"setup", "channel", "signal"}).err.find("telegram"), std::string::npos);
  EXPECT_NE(Run({"setup", "telegram"}).err.find("setup channel telegram"), std::string::npos);
}

TEST_F(SetupTest, ABareIdBecomesAPersonAndNeedsNoIdentity) {
  environment_.erase("APPROVAL_HUMAN");
  Pty pty = At({"setup", "identity"});
  EXPECT_SEEN(pty, "Your name");
  pty.TypeLater("bob\n");
  EXPECT_SEEN(pty, "next:");
  EXPECT_EQ(pty.Wait(), 0);
  EXPECT_EQ(Map(), "APPROVAL_HUMAN=human:bob\n");
  struct stat state {};
  ASSERT_EQ(::stat(MapPath().c_str(), &state), 0);
  EXPECT_EQ(state.st_mode & 07777, 0600U);
}

TEST_F(SetupTest, AnAgentIsRefusedWithAReasonAndFiveTriesAreAll) {
  Pty pty = At({"setup", "identity"});
  for (int i = 0; i < 5; ++i) {
    EXPECT_SEEN(pty, "Your name");
    pty.TypeLater("agent:robot\n");
    EXPECT_SEEN(pty, "only a person approves");
  }
  EXPECT_EQ(pty.Wait(), 2);
  EXPECT_EQ(Map(), "");
}

TEST_F(SetupTest, EndOfInputWritesNothing) {
  Pty pty = At({"setup", "identity"});
  EXPECT_SEEN(pty, "Your name");
  pty.TypeLater("\x04");
  EXPECT_EQ(pty.Wait(), 2);
  EXPECT_EQ(Map(), "");
}

TEST_F(SetupTest, AnExistingLineIsReplacedOnlyAfterYes) {
  PutMap("# mine\nAPPROVAL_HUMAN=human:old\nOTHER=x\n");
  Pty pty = At({"setup", "identity"});
  EXPECT_SEEN(pty, "Replace it?");
  pty.TypeLater("\n");
  EXPECT_SEEN(pty, "left alone");
  EXPECT_EQ(pty.Wait(), 0);
  EXPECT_EQ(Map(), "# mine\nAPPROVAL_HUMAN=human:old\nOTHER=x\n");
  Pty again = At({"setup", "identity"});
  EXPECT_SEEN(again, "Replace it?");
  again.TypeLater("yes\n");
  EXPECT_SEEN(again, "Your name");
  again.TypeLater("new\n");
  EXPECT_EQ(again.Wait(), 0);
  EXPECT_EQ(Map(), "# mine\nAPPROVAL_HUMAN=human:new\nOTHER=x\n");
}

TEST_F(SetupTest, ABadModeOrALineThatDoesNotParseStopsBeforeAnythingIsAsked) {
  PutMap("A=1\n", 0644);
  Pty pty = At({"setup", "identity"});
  EXPECT_SEEN(pty, "chmod 600");
  EXPECT_EQ(pty.Wait(), 4);
  PutMap("A=keyring:x\n");
  Pty again = At({"setup", "vault"});
  EXPECT_SEEN(again, "env-file-unknown-scheme");
  EXPECT_EQ(again.Wait(), 1);
}

TEST_F(SetupTest, WithoutAKeyringOnlyTheWholeWordYesStoresPlaintext) {
  for (const std::string answer : {"y", "Yes", "no", ""}) {
    Pty pty = At({"setup", "vault"});
    EXPECT_SEEN(pty, "no keyring can be reached");
    EXPECT_SEEN(pty, "Type yes");
    pty.TypeLater(answer + "\n");
    EXPECT_SEEN(pty, "nothing was written");
    EXPECT_EQ(pty.Wait(), 0);
    EXPECT_EQ(Map(), "");
  }
  Pty pty = At({"setup", "vault"});
  EXPECT_SEEN(pty, "Type yes");
  pty.TypeLater("yes\n");
  EXPECT_SEEN(pty, "next:");
  EXPECT_EQ(pty.Wait(), 0);
  const std::string map = Map();
  ASSERT_EQ(map.find("APPROVAL_VAULT_PASSPHRASE="), 0U) << map;
  const std::string value = map.substr(26, 44);
  EXPECT_EQ(map.size(), 26U + 44U + 1U);
  EXPECT_EQ(pty.Screen().find(value), std::string::npos);
}

TEST_F(SetupTest, AnExistingVaultIsWarnedAboutAndNoChangesNothing) {
  environment_["APPROVAL_VAULT_PASSPHRASE"] = "pass";
  ASSERT_EQ(Run({"vault", "set", "a"}, "1").exit, 0);
  Pty pty = At({"setup", "vault"});
  EXPECT_SEEN(pty, "does not open any more");
  pty.TypeLater("\n");
  EXPECT_SEEN(pty, "left alone");
  EXPECT_EQ(pty.Wait(), 0);
  EXPECT_EQ(Map(), "");
}

TEST_F(SetupTest, SamplingSaysThatItStaysOffUntilThePolicyNamesIt) {
  Pty pty = At({"setup", "sampling"});
  EXPECT_SEEN(pty, "Type yes");
  pty.TypeLater("yes\n");
  EXPECT_SEEN(pty, "sampling stays off");
  EXPECT_SEEN(pty, "sampling_secret_env: APPROVAL_SAMPLING_SECRET");
  EXPECT_EQ(pty.Wait(), 0);
  EXPECT_EQ(Map().find("APPROVAL_SAMPLING_SECRET="), 0U);
}

TEST_F(SetupTest, AnAgentsIdentityNeverReachesAQuestion) {
  environment_["APPROVAL_HUMAN"] = "agent:robot";
  for (const std::vector<std::string>& verb : {std::vector<std::string>{"setup", "vault"},
                                               {"setup", "channel", "telegram"},
                                               {"setup", "adapter", "email"},
                                               {"setup", "service"}}) {
    Pty pty = At(verb);
    EXPECT_SEEN(pty, "usage");
    EXPECT_EQ(pty.Wait(), 2);
  }
}

class MailboxSetup : public SetupTest {
 protected:
  void SetUp() override {
    SetupTest::SetUp();
    environment_["APPROVAL_VAULT_PASSPHRASE"] = "pass";
  }
  std::string VaultBytes() const { return testing::ReadText(folder_.Path(".approval/vault.enc")); }
  std::string Names() const { return Run({"vault", "list"}).out; }
};

TEST_F(MailboxSetup, AMissingPassphraseNamesTheRepairThatFits) {
  environment_.erase("APPROVAL_VAULT_PASSPHRASE");
  Pty pty = At({"setup", "adapter", "email"});
  EXPECT_SEEN(pty, "approval setup vault");
  EXPECT_EQ(pty.Wait(), 2);
  PutMap("APPROVAL_VAULT_PASSPHRASE=word\n");
  Pty mapped = At({"setup", "adapter", "email"});
  EXPECT_SEEN(mapped, "approval env");
  EXPECT_EQ(mapped.Wait(), 2);
}

TEST_F(MailboxSetup, ALockedVaultRefusesBeforeAPasswordIsTyped) {
  ASSERT_EQ(Run({"vault", "set", "a"}, "1").exit, 0);
  environment_["APPROVAL_VAULT_PASSPHRASE"] = "wrong";
  Pty pty = At({"setup", "adapter", "email"});
  EXPECT_SEEN(pty, "vault-unreadable");
  EXPECT_EQ(pty.Wait(), 1);
  EXPECT_EQ(pty.Screen().find("Number"), std::string::npos);
}

TEST_F(MailboxSetup, PresetsFillHostPortAndSecurityAndAppPasswordsAreTidied) {
  Pty pty = At({"setup", "adapter", "email"});
  EXPECT_SEEN(pty, "Number: ");
  pty.TypeLater("1\n");
  EXPECT_SEEN(pty, "app password");
  EXPECT_SEEN(pty, "[smtp.gmail.com]");
  pty.TypeLater("\n");
  EXPECT_SEEN(pty, "[587]");
  pty.TypeLater("\n");
  EXPECT_SEEN(pty, "[starttls]");
  pty.TypeLater("\n");
  EXPECT_SEEN(pty, "user");
  pty.TypeLater("me@gmail.com\n");
  EXPECT_SEEN(pty, "(not shown)");
  pty.TypeLater(
      " abcd\xc2\xa0"
      "efgh ijkl mnop \n");
  EXPECT_SEEN(pty, "blanks around it were dropped");
  EXPECT_SEEN(pty, "19 characters");
  EXPECT_SEEN(pty, "four groups");
  pty.TypeLater("\n");
  EXPECT_SEEN(pty, "Nothing is sent.");
  pty.TypeLater("n\n");
  EXPECT_SEEN(pty, "not verified");
  EXPECT_EQ(pty.Wait(), 0);
  EXPECT_EQ(pty.Screen().find("abcd"), std::string::npos);
  EXPECT_EQ(Names(), "smtp.host\nsmtp.password\nsmtp.port\nsmtp.security\nsmtp.user\n");
}

TEST_F(MailboxSetup, PortAndSecurityAreAskedAgainInTheAdaptersWords) {
  Pty pty = At({"setup", "adapter", "email"});
  EXPECT_SEEN(pty, "Number: ");
  pty.TypeLater("6\n");
  EXPECT_SEEN(pty, "server");
  pty.TypeLater("localhost\n");
  for (int i = 0; i < 5; ++i) {
    EXPECT_SEEN(pty, "[587]");
    pty.TypeLater("70000\n");
    EXPECT_SEEN(pty, "1 to 65535");
  }
  EXPECT_EQ(pty.Wait(), 2);
  EXPECT_FALSE(std::filesystem::exists(folder_.Path(".approval/vault.enc")));
}

TEST_F(MailboxSetup, AUserWithoutAPasswordIsRefusedBeforeAnythingIsStored) {
  Pty pty = At({"setup", "adapter", "email"});
  EXPECT_SEEN(pty, "Number: ");
  pty.TypeLater("6\n");
  for (const char* answer : {"localhost\n", "\n", "\n", "robot\n", "\n"}) {
    EXPECT_SEEN(pty, ": ");
    pty.TypeLater(answer);
  }
  EXPECT_SEEN(pty, "go together");
  EXPECT_EQ(pty.Wait(), 2);
  EXPECT_FALSE(std::filesystem::exists(folder_.Path(".approval/vault.enc")));
}

TEST_F(MailboxSetup, AFailedProbeKeepsTheValuesAndPrintsTheUndo) {
  Pty pty = At({"setup", "adapter", "email"});
  EXPECT_SEEN(pty, "Number: ");
  pty.TypeLater("6\n");
  EXPECT_SEEN(pty, "server");
  pty.TypeLater("localhost\n");
  EXPECT_SEEN(pty, "port");
  pty.TypeLater("1\n");
  EXPECT_SEEN(pty, "security");
  pty.TypeLater("\n");
  EXPECT_SEEN(pty, "user");
  pty.TypeLater("\n");
  EXPECT_SEEN(pty, "password");
  pty.TypeLater("\n");
  EXPECT_SEEN(pty, "Nothing is sent.");
  pty.TypeLater("\n");
  EXPECT_SEEN(pty, "smtp-connect-failed");
  EXPECT_SEEN(pty, "fix:");
  EXPECT_SEEN(pty, "approval vault remove smtp.host");
  EXPECT_EQ(pty.Wait(), 1);
  EXPECT_EQ(Names(), "smtp.host\nsmtp.port\nsmtp.security\n");
  // A second run that is answered "no" everywhere leaves the file to the byte.
  const std::string before = VaultBytes();
  Pty again = At({"setup", "adapter", "email"});
  for (int i = 0; i < 3; ++i) {
    EXPECT_SEEN(again, "Replace it?");
    again.TypeLater("\n");
  }
  EXPECT_SEEN(again, "user");
  again.TypeLater("\n");
  EXPECT_SEEN(again, "password");
  again.TypeLater("\n");
  EXPECT_EQ(again.Wait(), 0);
  EXPECT_EQ(VaultBytes(), before);
}

TEST_F(MailboxSetup, InterruptingASecretLeavesTheTerminalAndTheVaultAlone) {
  Pty pty = At({"setup", "adapter", "agentmail"});
  EXPECT_SEEN(pty, ": ");
  pty.TypeLater("inbox@example.com\n");
  EXPECT_SEEN(pty, "(not shown)");
  pty.TypeLater("secret-part\x03");
  EXPECT_EQ(pty.Wait(), 2);
  EXPECT_EQ(pty.Screen().find("secret-part"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder_.Path(".approval/vault.enc")));
}

class TelegramSetup : public SetupTest {
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

class ServiceSetup : public SetupTest {};

TEST_F(ServiceSetup, TheUnitIsShownBeforeItIsWrittenAndNothingIsStarted) {
  Pty pty = At({"setup", "service"});
  EXPECT_SEEN(pty, "ExecStart=/bin/sh -lc");
  EXPECT_SEEN(pty, "NoNewPrivileges=yes");
  EXPECT_SEEN(pty, "Write it?");
  const std::string unit = folder_.Path(".config/systemd/user/approval-up.service");
  EXPECT_FALSE(std::filesystem::exists(unit));
  pty.TypeLater("y\n");
  EXPECT_SEEN(pty, "systemctl --user enable --now approval-up.service");
  EXPECT_EQ(pty.Wait(), 0);
  const std::string text = testing::ReadText(unit);
  EXPECT_NE(text.find("WorkingDirectory=" + folder_.path()), std::string::npos) << text;
  EXPECT_NE(text.find("up --json --no-login-link"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(folder_.Path(".local/state/approval")));
  Pty removal = At({"setup", "service", "--uninstall"});
  EXPECT_SEEN(removal, "disable --now");
  removal.TypeLater("y\n");
  EXPECT_EQ(removal.Wait(), 0);
  EXPECT_FALSE(std::filesystem::exists(unit));
}

TEST_F(ServiceSetup, LogsInsideTheLogsHomeAndQuotesInPathsAreRefused) {
  for (const std::string logs : {".approval/service", "it's"}) {
    Pty pty = At({"setup", "service", "--logs", logs});
    EXPECT_SEEN(pty, "usage");
    EXPECT_EQ(pty.Wait(), 2);
  }
}

TEST_F(SetupTest, NoSetupVerbTouchesTheLog) {
  const std::string before = LogBytes();
  Pty identity = At({"setup", "identity"});
  EXPECT_SEEN(identity, "Your name");
  identity.TypeLater("bob\n");
  EXPECT_EQ(identity.Wait(), 0);
  Pty vault = At({"setup", "vault"});
  EXPECT_SEEN(vault, "Type yes");
  vault.TypeLater("yes\n");
  EXPECT_EQ(vault.Wait(), 0);
  EXPECT_EQ(LogBytes(), before);
}

}  // namespace
}  // namespace approval
