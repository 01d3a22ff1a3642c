// What all setup verbs have in common at a real terminal, and those that write the source map:
// identity, vault and sampling (adapters.md 7.4, 8.89 to 8.120).
#include "tests/cli/setup_rig.h"

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
