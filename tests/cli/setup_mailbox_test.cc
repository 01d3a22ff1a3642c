// `approval setup adapter email` at a terminal: what is asked, what is stored, what a failed probe
// or an interrupt leaves (adapters.md 3.5, 7.4).
#include "tests/cli/setup_rig.h"

namespace approval {
namespace {

using testing::Pty;

class MailboxSetup : public testing::AdapterSetupTest {};

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
  EXPECT_FALSE(HasVault());
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
  EXPECT_FALSE(HasVault());
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
  EXPECT_FALSE(HasVault());
}

}  // namespace
}  // namespace approval
