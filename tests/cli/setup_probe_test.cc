// What setup proves against a mail server, and what it does not take for an answer
// (adapters.md 7.4, 8.116).
#include "tests/cli/setup_rig.h"
#include "tests/support/background.h"

namespace approval {
namespace {

using testing::Pty;

class ProbeSetup : public testing::AdapterSetupTest {
 protected:
  void SetUp() override {
    AdapterSetupTest::SetUp();
    testing::RunOptions options;
    options.folder = folder_.path();
    const auto made = testing::RunProcess(
        {"openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
         "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", "server.key",
         "-out", "server.pem"},
        options);
    ASSERT_EQ(made.exit, 0) << made.err;
    environment_["SSL_CERT_FILE"] = folder_.Path("server.pem");
    server_ = std::make_unique<testing::Background>(
        std::vector<std::string>{
            "/usr/bin/python3",
            std::string(APPROVAL_SOURCE_DIR) + "/tests/support/programs/mail_catcher.py", "--dir",
            "mail", "--user", "robot", "--password", "right", "--certificate", "server.pem",
            "--key", "server.key"},
        options);
    const auto line = base::ParseJson(server_->Line().value_or(""), base::kStrictJson);
    ASSERT_TRUE(line);
    port_ = std::to_string(line->at("port").as_int64());
  }
  std::unique_ptr<testing::Background> server_;
  std::string port_;
};

TEST_F(ProbeSetup, APartialRunProbesTheStoredSettingsTogetherWithTheNewOnes) {
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, std::string>>{{"smtp.host", "localhost"},
                                                        {"smtp.port", port_},
                                                        {"smtp.security", "starttls"},
                                                        {"smtp.user", "robot"},
                                                        {"smtp.password", "wrong"}}) {
    ASSERT_EQ(Run({"vault", "set", name}, value).exit, 0);
  }
  Pty pty = At({"setup", "adapter", "email"});
  for (int kept = 0; kept < 4; ++kept) {
    EXPECT_SEEN(pty, "Replace it?");
    pty.TypeLater("n\n");
  }
  EXPECT_SEEN(pty, "smtp.password is stored already");
  pty.TypeLater("y\n");
  EXPECT_SEEN(pty, "(not shown)");
  pty.TypeLater("right\n");
  EXPECT_SEEN(pty, "Nothing is sent.");
  pty.TypeLater("\n");
  EXPECT_SEEN(pty, "the login by");
  EXPECT_EQ(pty.Wait(), 0);
}

TEST_F(ProbeSetup, WhatIsTypedAheadAnswersNoYesOrNo) {
  ASSERT_EQ(Run({"vault", "set", "smtp.host"}, "localhost").exit, 0);
  const std::string before = VaultBytes();
  Pty pty = At({"setup", "adapter", "email"});
  // Lies in the terminal's queue while the vault's key is derived, before the first question.
  pty.Type("y\n");
  EXPECT_SEEN(pty, "smtp.host is stored already");
  pty.TypeLater("\x04");
  EXPECT_EQ(pty.Wait(), 2);
  EXPECT_EQ(VaultBytes(), before);
  EXPECT_EQ(pty.Screen().find("name of the SMTP server"), std::string::npos) << pty.Screen();
}

}  // namespace
}  // namespace approval
