// Sessions against a scripted server and against a real one.
#include "vault/adapters/email/smtp_session.h"

#include <gtest/gtest.h>

#include <chrono>

#include "core/base/files.h"
#include "tests/vault/adapters/email/smtp_rig.h"

namespace approval::adapters::email {
namespace {

using Kind = SmtpResult::Kind;

const SmtpEnvelope kEnvelope{"sender@example.com", {"a@example.net", "b@example.net"}};

class SmtpSession : public ::testing::Test {
 protected:
  SmtpResult Send(const SmtpServer& target, const char* message = kMessage) const {
    return SendMessage(target, kEnvelope, message, limits_);
  }
  SmtpLimits limits_{3000, 300};
};

TEST_F(SmtpSession, ImplicitTlsSaysNoStartTls) {
  SmtpScript script;
  script.implicit_tls = true;
  testing::SmtpServer server(script, Certificates());
  const SmtpResult sent = Send(WithLogin(Target(server, SmtpSecurity::kImplicit)));
  EXPECT_EQ(sent.kind, Kind::kSent) << sent.message;
  EXPECT_FALSE(Said(server, "STARTTLS"));
  EXPECT_EQ(sent.auth, "PLAIN");
}

TEST_F(SmtpSession, LoginIsUsedWhenPlainIsNotOffered) {
  SmtpScript script;
  script.tls_capabilities = "SIZE 1000\nAUTH LOGIN";
  testing::SmtpServer server(script, Certificates());
  const SmtpResult sent = Send(WithLogin(Target(server, SmtpSecurity::kStartTls)));
  EXPECT_EQ(sent.kind, Kind::kSent) << sent.message;
  EXPECT_EQ(sent.auth, "LOGIN");
  EXPECT_FALSE(Said(server, "AUTH PLAIN"));
}

TEST_F(SmtpSession, WithoutCredentialsThereIsNoAuth) {
  testing::SmtpServer server({}, Certificates());
  EXPECT_EQ(Send(Target(server, SmtpSecurity::kStartTls)).kind, Kind::kSent);
  EXPECT_FALSE(Said(server, "AUTH"));
}

TEST_F(SmtpSession, CredentialsWithoutAnOfferedLoginEndBeforeAnySender) {
  SmtpScript script;
  script.tls_capabilities = "SIZE 1000";
  testing::SmtpServer server(script, Certificates());
  const SmtpResult sent = Send(WithLogin(Target(server, SmtpSecurity::kStartTls)));
  EXPECT_EQ(sent.kind, Kind::kFailed);
  EXPECT_EQ(sent.code, "smtp-protocol-error");
  EXPECT_FALSE(Said(server, "MAIL"));
}

TEST_F(SmtpSession, FR183_LeadingDotsAreDoubledOnTheWireAndOnlyThere) {
  testing::SmtpServer server({}, Certificates());
  const char* message =
      "Subject: x\r\n\r\n.\r\n..\r\n.a\r\nb\r\n.\r\nMAIL FROM:<x@evil.example>\r\n";
  EXPECT_EQ(Send(Target(server, SmtpSecurity::kNone), message).kind, Kind::kSent);
  EXPECT_EQ(server.data(),
            "Subject: x\r\n\r\n..\r\n...\r\n..a\r\nb\r\n..\r\nMAIL FROM:<x@evil.example>\r\n");
}

TEST_F(SmtpSession, FR183_DotsAtBufferBordersAreDoubledInALongMessage) {
  std::string message = "Subject: x\r\n\r\n";
  std::string stuffed = message;
  for (int i = 0; i < 30'000; ++i) {
    const std::string line(static_cast<std::size_t>(i % 7), 'x');
    message += "." + line + "\r\n";
    stuffed += ".." + line + "\r\n";
  }
  testing::SmtpServer server({}, Certificates());
  EXPECT_EQ(Send(Target(server, SmtpSecurity::kStartTls), message.c_str()).kind, Kind::kSent);
  EXPECT_EQ(server.data(), stuffed);
}

TEST_F(SmtpSession, FR189_ARefusedRecipientMeansNobodyGetsIt) {
  SmtpScript script;
  script.answers["RCPT2"] = "550 5.1.1 no such user\r\n";
  testing::SmtpServer server(script, Certificates());
  const SmtpResult sent = Send(Target(server, SmtpSecurity::kNone));
  EXPECT_EQ(sent.kind, Kind::kFailed);
  EXPECT_EQ(sent.code, "smtp-550");
  EXPECT_FALSE(Said(server, "DATA"));
}

TEST_F(SmtpSession, FR187_NoAnswerAfterTheFinalDotIsUnknownAndNothingIsRepeated) {
  for (const char* end : {"<close>", "<stall>", "garbage\r\n", "250-half"}) {
    SmtpScript script;
    script.answers["message"] = end;
    testing::SmtpServer server(script, Certificates());
    const SmtpResult sent = Send(Target(server, SmtpSecurity::kNone));
    EXPECT_EQ(sent.kind, Kind::kUnknown) << end;
    EXPECT_EQ(server.connections(), 1);
    EXPECT_TRUE(server.data_complete());
  }
}

TEST_F(SmtpSession, ARefusalAfterTheFinalDotIsAFailureOfTheMessage) {
  for (const char* code : {"451", "552"}) {
    SmtpScript script;
    script.answers["message"] = std::string(code) + " 4.0.0 no\r\n";
    testing::SmtpServer server(script, Certificates());
    const SmtpResult sent = Send(Target(server, SmtpSecurity::kNone));
    EXPECT_EQ(sent.kind, Kind::kFailed);
    EXPECT_EQ(sent.code, std::string("smtp-") + code);
    EXPECT_EQ(sent.message, "message refused: " + std::string(code) + " 4.0.0 no");
  }
}

TEST_F(SmtpSession, TheDeadlineCoversASilentGreetingAndASilentHandshake) {
  using std::chrono::steady_clock;
  limits_.timeout_ms = 400;
  for (const char* step : {"greeting", "EHLO", "MAIL", "DATA"}) {
    SmtpScript script;
    script.answers[step] = "<stall>";
    testing::SmtpServer server(script, Certificates());
    const auto before = steady_clock::now();
    const SmtpResult sent = Send(Target(server, SmtpSecurity::kNone));
    EXPECT_EQ(sent.code, "smtp-timeout") << step;
    EXPECT_EQ(sent.kind, Kind::kFailed);
    EXPECT_LT(steady_clock::now() - before, std::chrono::milliseconds(1500));
  }
  SmtpScript silent;
  silent.answers["greeting"] = "<stall>";
  testing::SmtpServer server(silent, Certificates());
  EXPECT_EQ(Send(Target(server, SmtpSecurity::kImplicit)).code, "smtp-timeout");
}

TEST_F(SmtpSession, ASilentQuitDoesNotHoldUpASuccess) {
  SmtpScript script;
  script.answers["QUIT"] = "<stall>";
  testing::SmtpServer server(script, Certificates());
  const auto before = std::chrono::steady_clock::now();
  EXPECT_EQ(Send(Target(server, SmtpSecurity::kNone)).kind, Kind::kSent);
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::milliseconds(4000));
}

TEST_F(SmtpSession, ACertificateOfAnUnknownIssuerIsRefused) {
  testing::SmtpServer server({}, Certificates());
  SmtpServer target = WithLogin(Target(server, SmtpSecurity::kStartTls));
  target.ca_file.clear();
  const SmtpResult sent = Send(target);
  EXPECT_EQ(sent.code, "smtp-tls-failed");
  EXPECT_FALSE(Said(server, "AUTH"));
}

TEST_F(SmtpSession, ACertificateForAnotherNameIsRefused) {
  testing::SmtpServer server({}, Certificates());
  SmtpServer target = WithLogin(Target(server, SmtpSecurity::kStartTls));
  target.host = "127.0.0.1";
  EXPECT_EQ(Send(target).code, "smtp-tls-failed");
}

TEST_F(SmtpSession, FR194_ATrustFileThatIsMissingNeverMeansNoVerification) {
  testing::SmtpServer server({}, Certificates());
  SmtpServer target = Target(server, SmtpSecurity::kStartTls);
  target.ca_file = "/no/such/file.pem";
  EXPECT_EQ(Send(target).code, "smtp-tls-failed");
  EXPECT_FALSE(Said(server, "MAIL"));
}

TEST_F(SmtpSession, ALoginWithoutTlsAndPlainTextOffThisMachineNeverConnect) {
  testing::SmtpServer server({}, Certificates());
  EXPECT_EQ(Send(WithLogin(Target(server, SmtpSecurity::kNone))).code, "smtp-tls-failed");
  SmtpServer away = Target(server, SmtpSecurity::kNone);
  away.host = "mail.example.com";
  EXPECT_EQ(Send(away).code, "smtp-tls-failed");
  EXPECT_EQ(server.connections(), 0);
}

TEST_F(SmtpSession, AnUnknownHostIsConnectFailedAndTlsFailedUnderImplicit) {
  testing::SmtpServer server({}, Certificates());
  SmtpServer target = Target(server, SmtpSecurity::kStartTls);
  target.host = "no-such-host.invalid";
  EXPECT_EQ(Send(target).code, "smtp-connect-failed");
  target.security = SmtpSecurity::kImplicit;
  EXPECT_EQ(Send(target).code, "smtp-tls-failed");
}

TEST_F(SmtpSession, AMessageOverTheAnnouncedSizeIsNotBegun) {
  SmtpScript script;
  script.capabilities = "SIZE 10";
  testing::SmtpServer server(script, Certificates());
  EXPECT_EQ(Send(Target(server, SmtpSecurity::kNone)).code, "smtp-message-too-large");
  EXPECT_FALSE(Said(server, "MAIL"));
}

TEST_F(SmtpSession, TheEhloNameIsTheOneGivenOrAnAddressLiteral) {
  testing::SmtpServer server({}, Certificates());
  SmtpServer target = Target(server, SmtpSecurity::kNone);
  Send(target);
  target.ehlo_name = "[192.0.2.7]";
  Send(target);
  EXPECT_EQ(server.commands().front(), "EHLO client.example.com");
  EXPECT_TRUE(Said(server, "EHLO [192.0.2.7]"));
  const std::string own = OwnEhloName();
  EXPECT_TRUE(own.find('.') != std::string::npos && own.find("localhost") == std::string::npos);
}

TEST_F(SmtpSession, AProbeLogsInAndQuitsWithoutASender) {
  testing::SmtpServer server({}, Certificates());
  const SmtpResult probed =
      ProbeServer(WithLogin(Target(server, SmtpSecurity::kStartTls)), limits_);
  EXPECT_EQ(probed.kind, Kind::kSent) << probed.message;
  EXPECT_EQ(probed.auth, "PLAIN");
  EXPECT_FALSE(Said(server, "MAIL"));
  EXPECT_EQ(server.commands().back(), "QUIT");
}

}  // namespace
}  // namespace approval::adapters::email
