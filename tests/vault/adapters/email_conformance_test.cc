// The email adapter keeps the contract of an adapter, over a real socket.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/fakes.h"
#include "tests/support/smtp_server.h"
#include "vault/adapters/conformance.h"
#include "vault/adapters/email/email_adapter.h"

namespace approval::adapters {
namespace {

using base::JsonArray;
using base::JsonObject;

JsonObject Mail(const char* body) {
  return {{"from", "sender@example.com"},
          {"to", JsonArray{"rcpt@example.net"}},
          {"subject", "s"},
          {"body", body}};
}

TEST(EmailConformance, TheAdapterPassesEveryCheck) {
  const testing::TestCertificates certificates;
  testing::SmtpServer server({}, certificates);
  testing::TempFolder scratch;
  testing::FakeClock clock;
  base::SystemRandom random;
  ConformanceSubject subject;
  subject.make = [&] {
    email::EmailOptions options;
    options.limits.timeout_ms = 5000;
    options.ca_file = certificates.ca();
    return std::make_unique<email::EmailAdapter>(options, clock);
  };
  subject.action_class = std::string(email::kEmailClass);
  subject.payload = Mail("hello\n");
  subject.other_payload = Mail("hello!\n");
  subject.settings = {{"smtp.host", "localhost"},
                      {"smtp.port", std::to_string(server.port())},
                      {"smtp.user", "sender@example.com"},
                      {"smtp.password", "app-password-0001"}};
  subject.secret_name = "smtp.password";
  subject.effects = [&] {
    const auto commands = server.commands();
    return static_cast<std::size_t>(std::count(commands.begin(), commands.end(), "DATA"));
  };
  const auto report = RunConformance(subject, {scratch.path(), clock, random});
  ASSERT_TRUE(report) << report.error().check << ": " << report.error().what;
}

}  // namespace
}  // namespace approval::adapters
