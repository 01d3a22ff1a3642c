// What a person reads when the probe of their mailbox fails: each of the errors that users meet.
#include "vault/adapters/email/smtp_advice.h"

#include <gtest/gtest.h>

#include "tests/vault/adapters/email/smtp_rig.h"

namespace approval::adapters::email {
namespace {

SmtpServer Mailbox(int port, SmtpSecurity security = SmtpSecurity::kStartTls) {
  return WithLogin(ServerAt(port, security), "me@example.com");
}

// The advice after a probe of a server that plays the script.
std::string AdviceWith(const SmtpScript& script, SmtpSecurity security = SmtpSecurity::kStartTls,
                       const TestCertificates& certificates = Certificates()) {
  testing::SmtpServer server(script, certificates);
  const SmtpServer mailbox = Mailbox(server.port(), security);
  return AdviceFor(mailbox, ProbeServer(mailbox, {1500, 500}));
}

SmtpScript Answering(const char* step, const std::string& reply) {
  SmtpScript script;
  script.answers[step] = reply;
  script.tls_capabilities = "AUTH PLAIN";
  return script;
}

SmtpResult RefusedLogin(const std::string& reply) {
  SmtpResult refused;
  refused.code = "smtp-" + reply.substr(0, 3);
  refused.message = "AUTH refused: " + reply;
  refused.fault = SmtpFault::kReply;
  refused.step = SmtpDialogue::Step::kAuth;
  return refused;
}

#define EXPECT_SAYS(advice, words) EXPECT_NE((advice).find(words), std::string::npos) << (advice)

TEST(SmtpAdvice, ImplicitTlsOnAPlainPortNamesTheOtherSetting) {
  EXPECT_SAYS(AdviceWith({}, SmtpSecurity::kImplicit), "set smtp.security to starttls");
}

TEST(SmtpAdvice, StartTlsOnATlsPortNamesTheOtherSetting) {
  SmtpResult silent;
  silent.fault = SmtpFault::kTimeout;
  EXPECT_SAYS(AdviceFor(Mailbox(465), silent), "set smtp.security to implicit");
}

TEST(SmtpAdvice, ASilentPortPointsAtFirewalls) {
  EXPECT_SAYS(AdviceWith(Answering("greeting", "<stall>")), "firewall");
}

TEST(SmtpAdvice, AnAppPasswordIsNamedWhereTheProviderSaysSo) {
  EXPECT_SAYS(AdviceWith(Answering("AUTH PLAIN",
                                   "534-5.7.9 Application-specific password required.\r\n"
                                   "534 5.7.9 more\r\n")),
              "app password");
}

TEST(SmtpAdvice, EachProviderOfAppPasswordsHasItsPlace) {
  for (const auto& [host, place] :
       {std::pair{"smtp.gmail.com", "myaccount.google.com/apppasswords"},
        std::pair{"smtp.mail.me.com", "account.apple.com"},
        std::pair{"smtp.mail.yahoo.com", "Yahoo"}, std::pair{"smtp.fastmail.com", "Fastmail"}}) {
    SmtpServer mailbox = Mailbox(587);
    mailbox.host = host;
    EXPECT_SAYS(AdviceFor(mailbox, RefusedLogin("535 5.7.8 Username and Password not accepted")),
                place);
  }
  SmtpServer other = Mailbox(587);
  other.host = "notgmail.com";
  EXPECT_SAYS(AdviceFor(other, RefusedLogin("535 5.7.8 no")), "check smtp.user");
}

TEST(SmtpAdvice, SwitchedOffPasswordsLeadToXoauth2) {
  EXPECT_SAYS(
      AdviceWith(Answering(
          "AUTH PLAIN",
          "535 5.7.139 Authentication unsuccessful, basic authentication is disabled.\r\n")),
      "set smtp.auth to xoauth2");
  SmtpScript only;
  only.tls_capabilities = "AUTH XOAUTH2";
  EXPECT_SAYS(AdviceWith(only), "set smtp.auth to xoauth2");
}

TEST(SmtpAdvice, ARefusedTokenIsSaidToBeExpired) {
  SmtpServer mailbox = Mailbox(587);
  mailbox.oauth_token = base::Secret("fake-token-0001");
  EXPECT_SAYS(AdviceFor(mailbox, RefusedLogin("535 5.7.8 no")), "expired");
}

TEST(SmtpAdvice, ACertificateForAnotherNameNamesBoth) {
  const TestCertificates other(TestCertificates::Kind::kOtherName);
  testing::SmtpServer server({}, other);
  SmtpServer mailbox = Mailbox(server.port());
  mailbox.ca_file = other.ca();
  EXPECT_SAYS(AdviceFor(mailbox, ProbeServer(mailbox, {1500, 500})),
              "for DNS:mail.example.org and not for localhost");
}

TEST(SmtpAdvice, ASelfSignedServerLeadsToTheTrustFile) {
  const TestCertificates alone(TestCertificates::Kind::kSelfSigned);
  const std::string here = AdviceWith({}, SmtpSecurity::kStartTls, alone);
  EXPECT_SAYS(here, "Proton Mail Bridge");
  EXPECT_SAYS(here, "smtp.ca_file");
  SmtpServer away = Mailbox(587);
  away.host = "mail.example.com";
  SmtpResult failed;
  failed.fault = SmtpFault::kCertificateIssuer;
  EXPECT_SAYS(AdviceFor(away, failed), "smtp.ca_file");
}

TEST(SmtpAdvice, AnExpiredCertificateLeadsToTheClock) {
  const TestCertificates expired(TestCertificates::Kind::kExpired);
  testing::SmtpServer server({}, expired);
  SmtpServer mailbox = Mailbox(server.port());
  mailbox.ca_file = expired.ca();
  EXPECT_SAYS(AdviceFor(mailbox, ProbeServer(mailbox, {1500, 500})), "clock");
}

TEST(SmtpAdvice, NothingListeningAndAnUnknownNameAreToldApart) {
  const SmtpServer nobody = Mailbox(1);
  EXPECT_SAYS(AdviceFor(nobody, ProbeServer(nobody, {1500, 500})), "nothing listens");
  SmtpServer unknown = Mailbox(587);
  unknown.host = "no-such-host.invalid";
  EXPECT_SAYS(AdviceFor(unknown, ProbeServer(unknown, {1500, 500})), "spelling of smtp.host");
}

TEST(SmtpAdvice, ARefusedGreetingNameLeadsToItsSetting) {
  EXPECT_SAYS(AdviceWith(Answering("EHLO", "501 5.5.4 Invalid domain name\r\n")), "smtp.ehlo_name");
}

TEST(SmtpAdvice, APortWithoutLoginsOrWithoutTlsIsNamed) {
  SmtpScript no_login;
  no_login.tls_capabilities = "SIZE 1000";
  EXPECT_SAYS(AdviceWith(no_login), "takes no logins");
  SmtpScript no_tls;
  no_tls.capabilities = "SIZE 1000";
  EXPECT_SAYS(AdviceWith(no_tls), "no STARTTLS");
}

TEST(SmtpAdvice, WhatTheServerSaysIsNotCopied) {
  EXPECT_EQ(AdviceWith(Answering("AUTH PLAIN", "535 5.7.8 fake-app-password-0001 is wrong\r\n"))
                .find("fake-app"),
            std::string::npos);
}

}  // namespace
}  // namespace approval::adapters::email
