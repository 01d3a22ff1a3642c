// Servers that speak garbage, stall, do not stop talking, or show papers that must not be taken.
#include <gtest/gtest.h>

#include <chrono>

#include "tests/vault/adapters/email/smtp_rig.h"
#include "vault/adapters/email/pin_file.h"

namespace approval::adapters::email {
namespace {

using Kind = SmtpResult::Kind;
using CertificateKind = TestCertificates::Kind;

const SmtpEnvelope kEnvelope{"sender@example.com", {"a@example.net"}};

// With a login wherever one may be used.
SmtpServer Mailbox(const testing::SmtpServer& server, SmtpSecurity security) {
  if (security == SmtpSecurity::kNone) return Target(server, security);
  return WithLogin(Target(server, security));
}

// A session with a server that plays the script.
SmtpResult With(SmtpScript script, SmtpSecurity security, const SmtpLimits& limits = {4000, 400}) {
  script.implicit_tls = security == SmtpSecurity::kImplicit;
  testing::SmtpServer server(std::move(script), Certificates());
  const SmtpResult result = SendMessage(Mailbox(server, security), kEnvelope, kMessage, limits);
  // Nothing but a reply makes a failure of a message that arrived whole.
  if (result.kind == Kind::kFailed && result.smtp_code == 0) {
    EXPECT_FALSE(server.data_complete());
  }
  return result;
}

TEST(SmtpHostile, GarbageAtEveryStepEndsTheSessionAsAProtocolError) {
  for (const char* step :
       {"greeting", "EHLO", "STARTTLS", "EHLO2", "AUTH PLAIN", "MAIL", "RCPT1", "DATA"}) {
    SmtpScript script;
    script.answers[step] = "\x01 what is this \xff\r\n";
    const SmtpResult result = With(script, SmtpSecurity::kStartTls);
    EXPECT_EQ(result.kind, Kind::kFailed) << step;
    EXPECT_EQ(result.code, "smtp-protocol-error") << step;
  }
}

TEST(SmtpHostile, AStallAtEveryStepEndsByTheDeadline) {
  for (const char* step :
       {"greeting", "EHLO", "STARTTLS", "EHLO2", "AUTH PLAIN", "MAIL", "RCPT1", "DATA"}) {
    SmtpScript script;
    script.answers[step] = "<stall>";
    const SmtpResult result = With(script, SmtpSecurity::kStartTls, {250, 250});
    EXPECT_EQ(result.kind, Kind::kFailed) << step;
    EXPECT_EQ(result.code, "smtp-timeout") << step;
  }
}

TEST(SmtpHostile, ABannerOfTenMegabytesIsCutOff) {
  std::string lines;
  while (lines.size() < 10'000'000) lines += "220-" + std::string(200, 'x') + "\r\n";
  SmtpScript script;
  script.answers["greeting"] = lines + "220 done\r\n";
  const SmtpResult many = With(script, SmtpSecurity::kNone);
  EXPECT_EQ(many.kind, Kind::kFailed);
  EXPECT_EQ(many.code, "smtp-protocol-error");
  script.answers["greeting"] = "220 " + std::string(10'000'000, 'x') + "\r\n";
  const SmtpResult one = With(script, SmtpSecurity::kNone, {1000, 400});
  EXPECT_EQ(one.kind, Kind::kFailed);
  EXPECT_LT(one.message.size(), 400u);
}

TEST(SmtpHostile, NothingSaidBetweenStartTlsAndTheHandshakeCounts) {
  SmtpScript script;
  script.answers["STARTTLS"] = "220 go\r\n250-injected\r\n250 AUTH PLAIN\r\n";
  testing::SmtpServer server(script, Certificates());
  const SmtpResult result =
      SendMessage(Mailbox(server, SmtpSecurity::kStartTls), kEnvelope, kMessage, {2000, 400});
  EXPECT_EQ(result.kind, Kind::kFailed);
  EXPECT_FALSE(Said(server, "AUTH"));
  EXPECT_FALSE(Said(server, "MAIL"));
}

class BadCertificate : public ::testing::TestWithParam<CertificateKind> {};

TEST_P(BadCertificate, IsRefusedBeforeAnyLoginAndNamedForWhatItIs) {
  const TestCertificates bad(GetParam());
  for (const SmtpSecurity security : {SmtpSecurity::kStartTls, SmtpSecurity::kImplicit}) {
    SmtpScript script;
    script.implicit_tls = security == SmtpSecurity::kImplicit;
    testing::SmtpServer server(script, bad);
    SmtpServer target = Mailbox(server, security);
    target.ca_file = bad.ca();
    const SmtpResult result = SendMessage(target, kEnvelope, kMessage, {4000, 400});
    EXPECT_EQ(result.kind, Kind::kFailed);
    EXPECT_EQ(result.code, "smtp-tls-failed");
    EXPECT_EQ(result.fault, GetParam() == CertificateKind::kExpired ? SmtpFault::kCertificateExpired
                            : GetParam() == CertificateKind::kSelfSigned
                                ? SmtpFault::kCertificateIssuer
                                : SmtpFault::kCertificateName)
        << result.message;
    EXPECT_FALSE(Said(server, "AUTH"));
  }
}

INSTANTIATE_TEST_SUITE_P(Of, BadCertificate,
                         ::testing::Values(CertificateKind::kExpired, CertificateKind::kSelfSigned,
                                           CertificateKind::kOtherName),
                         [](const auto& it) {
                           return it.param == CertificateKind::kExpired      ? "Expired"
                                  : it.param == CertificateKind::kSelfSigned ? "SelfSigned"
                                                                             : "OtherName";
                         });

TEST(BadCertificateNames, ACertificateForAnotherNameSaysWhichNamesItHas) {
  const TestCertificates other(CertificateKind::kOtherName);
  testing::SmtpServer server({}, other);
  SmtpServer target = Mailbox(server, SmtpSecurity::kStartTls);
  target.ca_file = other.ca();
  EXPECT_EQ(ProbeServer(target, {4000, 400}).certificate_names, "DNS:mail.example.org");
}

TEST(SmtpPin, OnlyThePinnedKeyIsTaken) {
  const TestCertificates others;
  testing::SmtpServer server({}, Certificates());
  SmtpServer target = Mailbox(server, SmtpSecurity::kStartTls);
  target.pins = *ReadPins(Certificates().certificate());
  EXPECT_EQ(ProbeServer(target, {4000, 400}).kind, Kind::kSent);
  target.pins = *ReadPins(others.certificate());
  const SmtpResult refused = ProbeServer(target, {4000, 400});
  EXPECT_EQ(refused.code, "smtp-tls-failed");
  EXPECT_EQ(refused.fault, SmtpFault::kPin);
}

TEST(SmtpPin, APinDoesNotReplaceTheTrustInTheIssuer) {
  const TestCertificates alone(CertificateKind::kSelfSigned);
  testing::SmtpServer server({}, alone);
  SmtpServer target = Mailbox(server, SmtpSecurity::kStartTls);
  target.pins = *ReadPins(alone.certificate());
  EXPECT_EQ(ProbeServer(target, {4000, 400}).fault, SmtpFault::kCertificateIssuer);
  target.ca_file = alone.certificate();
  EXPECT_EQ(ProbeServer(target, {4000, 400}).kind, Kind::kSent);
}

TEST(SmtpPin, AFileWithoutAKeyIsNoPin) {
  const testing::TempFolder folder;
  folder.Write("empty.pem", "no key in here\n");
  EXPECT_FALSE(ReadPins(folder.Path("empty.pem")));
  EXPECT_FALSE(ReadPins(folder.Path("missing.pem")));
}

TEST(SmtpXoauth2, TheTokenGoesAlongOnceAndItsRefusalIsRead) {
  SmtpScript script;
  script.tls_capabilities = "AUTH PLAIN XOAUTH2";
  testing::SmtpServer taken(script, Certificates());
  SmtpServer target = Mailbox(taken, SmtpSecurity::kStartTls);
  target.password = base::Secret();
  target.oauth_token = base::Secret("fake-token-0001");
  const SmtpResult sent = SendMessage(target, kEnvelope, kMessage, {4000, 400});
  EXPECT_EQ(sent.kind, Kind::kSent) << sent.message;
  EXPECT_EQ(sent.auth, "XOAUTH2");
  EXPECT_TRUE(Said(taken,
                   "AUTH XOAUTH2 dXNlcj1zZW5kZXJAZXhhbXBsZS5jb20BYXV0aD1CZWFyZXIgZmFrZS10b2tlb"
                   "i0wMDAxAQE="));
  // {"status":"401"}
  script.answers["AUTH XOAUTH2"] = "334 eyJzdGF0dXMiOiI0MDEifQ==\r\n";
  testing::SmtpServer refusing(script, Certificates());
  target.port = refusing.port();
  const SmtpResult refused = SendMessage(target, kEnvelope, kMessage, {4000, 400});
  EXPECT_EQ(refused.kind, Kind::kFailed);
  EXPECT_EQ(refused.code, "smtp-334");
  EXPECT_NE(refused.message.find("401"), std::string::npos);
  EXPECT_EQ(refusing.connections(), 1);
  EXPECT_FALSE(Said(refusing, "MAIL"));
}

TEST(SmtpXoauth2, APasswordIsNeverSentInItsPlace) {
  testing::SmtpServer server({}, Certificates());
  SmtpServer target = Mailbox(server, SmtpSecurity::kStartTls);
  target.oauth_token = base::Secret("fake-token-0001");
  const SmtpResult refused = SendMessage(target, kEnvelope, kMessage, {4000, 400});
  EXPECT_EQ(refused.code, "smtp-protocol-error");
  EXPECT_FALSE(Said(server, "AUTH"));
}

TEST(SmtpAfterTheDot, AnAnswerThatComesLateButInTimeCompletesTheMail) {
  SmtpScript script;
  script.wait = std::chrono::milliseconds(900);
  script.answers["message"] = "<wait>250 2.0.0 queued\r\n";
  // The session's own time is over long before; after the dot another one counts.
  const SmtpResult sent = With(script, SmtpSecurity::kNone, {500, 10'000});
  EXPECT_EQ(sent.kind, Kind::kSent) << sent.code;
}

TEST(SmtpAfterTheDot, ATemporaryRefusalIsAFailureAndSilenceIsUnknown) {
  SmtpScript script;
  script.answers["message"] = "451 4.3.0 try later\r\n";
  EXPECT_EQ(With(script, SmtpSecurity::kStartTls).kind, Kind::kFailed);
  for (const char* end : {"<close>", "<stall>"}) {
    script.answers["message"] = end;
    EXPECT_EQ(With(script, SmtpSecurity::kStartTls).kind, Kind::kUnknown) << end;
  }
}

TEST(SmtpAfterTheDot, TenMinutesAreAllowedUnlessACallerSaysOtherwise) {
  EXPECT_GE(SmtpLimits{}.after_dot_ms, 600'000);
}

// A session whose line is cut by this script; whatever happens, a mail that arrived is never called
// failed, and nothing is sent twice.
struct Cut {
  Kind kind;
  std::size_t messages;
};
Cut Play(const SmtpScript& script, std::size_t bytes) {
  testing::SmtpServer server(script, Certificates());
  const SmtpResult result =
      SendMessage(Mailbox(server, SmtpSecurity::kNone), kEnvelope, kMessage, {4000, 4000});
  EXPECT_FALSE(server.messages() > 0 && result.kind == Kind::kFailed) << bytes;
  EXPECT_EQ(server.connections(), 1) << bytes;
  return {result.kind, server.messages()};
}

// Kind G of the field reports: cut the line at every byte of the exchange.
TEST(SmtpCut, AtEveryByteThatTheServerTakesAMailThatArrivedIsNeverCalledFailed) {
  bool sent = false;
  std::size_t unknown = 0;
  for (std::size_t bytes = 1; !sent; ++bytes) {
    ASSERT_LT(bytes, 2000u);
    SmtpScript script;
    script.takes = bytes;
    const Cut cut = Play(script, bytes);
    unknown += cut.kind == Kind::kUnknown ? 1 : 0;
    sent = cut.kind == Kind::kSent;
  }
  // Where the end mark was on its way and never came whole.
  EXPECT_GT(unknown, 0u);
}

TEST(SmtpCut, AtEveryByteThatTheServerGivesAMailThatArrivedIsNeverCalledFailed) {
  bool sent = false;
  for (std::size_t bytes = 1; !sent; ++bytes) {
    ASSERT_LT(bytes, 2000u);
    SmtpScript script;
    script.gives = bytes;
    const Cut cut = Play(script, bytes);
    EXPECT_FALSE(cut.kind == Kind::kSent && cut.messages != 1) << bytes;
    sent = cut.kind == Kind::kSent;
  }
}

TEST(SmtpSize, FortyMegabytesAgainstATenMegabyteServerNameNoSender) {
  std::string message = "Subject: x\r\n\r\n";
  while (message.size() < 40'000'000) message += std::string(76, 'A') + "\r\n";
  testing::SmtpServer server({}, Certificates());
  const SmtpResult refused =
      SendMessage(Mailbox(server, SmtpSecurity::kStartTls), kEnvelope, message, {4000, 400});
  EXPECT_EQ(refused.kind, Kind::kFailed);
  EXPECT_EQ(refused.code, "smtp-message-too-large");
  EXPECT_FALSE(Said(server, "MAIL"));
}

}  // namespace
}  // namespace approval::adapters::email
