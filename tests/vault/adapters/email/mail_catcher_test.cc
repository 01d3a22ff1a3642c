// The same session against a real mail server: STARTTLS, a login, and the bytes that arrive.
#include <gtest/gtest.h>
#include <signal.h>

#include <memory>

#include "core/base/json.h"
#include "tests/support/background.h"
#include "tests/support/smtp_server.h"
#include "tests/support/temp_folder.h"
#include "tests/support/vectors.h"
#include "vault/adapters/email/email_message.h"
#include "vault/adapters/email/smtp_session.h"

namespace approval::adapters::email {
namespace {

class MailCatcher {
 public:
  explicit MailCatcher(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"/usr/bin/python3", APPROVAL_SOURCE_DIR
                                         "/tests/support/programs/mail_catcher.py"});
    program_ = std::make_unique<testing::Background>(arguments);
    const auto ready = base::ParseJson(program_->Line().value_or(""), base::kStrictJson);
    if (ready) port_ = static_cast<int>(ready->at("port").as_int64());
  }
  ~MailCatcher() {
    program_->Signal(SIGTERM);
    EXPECT_EQ(program_->Wait(), 0);
  }
  int port() const { return port_; }

 private:
  std::unique_ptr<testing::Background> program_;
  int port_ = 0;
};

class RealServer : public ::testing::Test {
 protected:
  SmtpServer Target() const {
    SmtpServer target;
    target.host = "localhost";
    target.port = catcher_.port();
    target.user = "sender@example.com";
    target.password = base::Secret(std::string("pä ss"));
    target.ca_file = certificates_.ca();
    target.ehlo_name = "client.example.com";
    return target;
  }

  testing::TempFolder folder_;
  testing::TestCertificates certificates_;
  MailCatcher catcher_{{"--dir", folder_.Path("mail"), "--user", "sender@example.com", "--password",
                        "pä ss", "--certificate", certificates_.certificate(), "--key",
                        certificates_.key()}};
};

TEST_F(RealServer, TheComposedBytesArriveUnderTlsAfterALogin) {
  mail::EmailPayload mail;
  mail.from = "sender@example.com";
  mail.to = {"a@example.net"};
  mail.bcc = {"hidden@example.net"};
  mail.subject = "Grüße";
  mail.body = ".\n..\nFrom x\nüber\n";
  const std::string message = *ComposeMessage(mail, "<1@example.com>", 1787044442000);
  const SmtpResult sent =
      SendMessage(Target(), {mail.from, mail.Recipients()}, message, {10'000, 10'000});
  ASSERT_EQ(sent.kind, SmtpResult::Kind::kSent) << sent.code << " " << sent.message;
  EXPECT_EQ(testing::ReadText(folder_.Path("mail/0001.eml")), message);
  const auto facts = testing::ReadJsonFile(folder_.Path("mail/0001.json"));
  EXPECT_EQ(base::ToText(facts.at("recipients")), R"(["a@example.net","hidden@example.net"])");
  EXPECT_EQ(facts.at("login").as_string(), "sender@example.com");
  EXPECT_TRUE(facts.at("tls").as_bool());
}

TEST_F(RealServer, AWrongPasswordIsRefusedAndNothingArrives) {
  SmtpServer target = Target();
  target.password = base::Secret(std::string("wrong"));
  const SmtpResult sent = SendMessage(target, {"a@example.com", {"b@example.net"}},
                                      "Subject: x\r\n\r\nb\r\n", {10'000, 10'000});
  EXPECT_EQ(sent.kind, SmtpResult::Kind::kFailed);
  EXPECT_EQ(sent.code, "smtp-535");
}

TEST_F(RealServer, AProbeIsSatisfied) {
  const SmtpResult probed = ProbeServer(Target(), {10'000, 10'000});
  EXPECT_EQ(probed.kind, SmtpResult::Kind::kSent) << probed.code << " " << probed.message;
}

}  // namespace
}  // namespace approval::adapters::email
