// The email adapter keeps the contract of every adapter, and a bad file costs no token.
#include <gtest/gtest.h>

#include "core/base/canonical.h"
#include "core/base/sha256.h"
#include "tests/support/fakes.h"
#include "tests/support/smtp_server.h"
#include "tests/support/temp_folder.h"
#include "vault/adapters/conformance.h"
#include "vault/adapters/email/email_adapter.h"

namespace approval::adapters::email {
namespace {

base::Json Mail(const std::string& body) {
  return base::JsonObject{{"from", "me@example.com"},
                          {"to", base::JsonArray{"a@example.net"}},
                          {"subject", "s"},
                          {"body", body}};
}

TEST(EmailConformance, TheAdapterPassesEveryCheckOfTheContract) {
  const testing::TempFolder folder;
  const testing::TestCertificates certificates;
  testing::SmtpServer server({}, certificates);
  testing::FakeClock clock;
  base::SystemRandom random;
  ConformanceSubject subject;
  subject.make = [&] {
    EmailOptions options;
    options.limits = {5000, 500};
    options.ca_file = certificates.ca();
    return std::make_unique<EmailAdapter>(options, clock);
  };
  subject.action_class = kEmailClass;
  subject.payload = Mail("one");
  subject.other_payload = Mail("two");
  subject.settings = {{"smtp.host", "localhost"},
                      {"smtp.port", std::to_string(server.port())},
                      {"smtp.security", "starttls"},
                      {"smtp.user", "me@example.com"},
                      {"smtp.password", "fake-app-password-0001"}};
  subject.secret_name = "smtp.password";
  subject.effects = [&server] { return server.messages(); };
  const auto report = RunConformance(subject, {folder.path(), clock, random});
  ASSERT_TRUE(report) << report.error().check << ": " << report.error().what;
  EXPECT_GE(report->size(), 9U);
}

}  // namespace
}  // namespace approval::adapters::email
