// The adapter with settings in hand: what it takes, what it shows before it acts, its probe.
#include "vault/adapters/email/email_adapter.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/base/encoding.h"
#include "core/base/sha256.h"
#include "tests/support/fakes.h"
#include "tests/support/temp_folder.h"
#include "tests/vault/adapters/email/smtp_rig.h"
#include "vault/adapters/email/smtp_settings.h"

namespace approval::adapters::email {
namespace {

base::JsonObject Mail() {
  return {{"from", "me@example.com"},
          {"to", base::JsonArray{"a@example.net"}},
          {"bcc", base::JsonArray{"hidden@example.net"}},
          {"subject", "s"},
          {"body", "hello"}};
}

class EmailAdapterTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Store("smtp.host", "localhost");
    Store("smtp.user", "me@example.com");
    Store("smtp.password", kPassword);
  }

  void Serve(SmtpScript script = {}) {
    server_ = std::make_unique<testing::SmtpServer>(std::move(script), Certificates());
    Store("smtp.port", std::to_string(server_->port()));
  }

  void Store(const std::string& name, const std::string& value) { settings_[name] = value; }
  void Drop(const std::string& name) { settings_.erase(name); }

  CredentialWindow Window() const {
    vault::Entries values;
    for (const auto& [name, value] : settings_) values.emplace(name, base::Secret(value));
    return CredentialWindow(std::move(values));
  }

  EmailAdapter Make() const {
    EmailOptions options;
    options.limits = {3000, 300};
    options.ca_file = Certificates().ca();
    return EmailAdapter(options, clock_);
  }

  ActInput Input(CredentialWindow& window) const { return {key_, payload_, hash_, window}; }

  ActOutcome Act() {
    CredentialWindow window = Window();
    return Make().Act(Input(window));
  }
  std::string PrecheckCode() {
    CredentialWindow window = Window();
    const auto refused = Make().Precheck(Input(window));
    return refused ? refused->code : "";
  }
  base::JsonObject Preview() {
    CredentialWindow window = Window();
    const auto shown = Make().Preview(Input(window));
    EXPECT_TRUE(shown);
    return shown.value_or(base::JsonObject());
  }
  tl::expected<Probed, ProbeFailed> Probe() {
    CredentialWindow window = Window();
    return *Make().Probe(window);
  }

  testing::TempFolder folder_;
  testing::FakeClock clock_;
  std::map<std::string, std::string> settings_;
  std::string key_ = "t:k";
  std::string hash_ = std::string(64, 'a');
  base::Json payload_ = Mail();
  std::unique_ptr<testing::SmtpServer> server_;
};

TEST(SmtpSettings, NoSecretHasAFallbackAndEveryChoiceAcceptsIts) {
  for (const CredentialSpec& spec : SmtpManifest()) {
    EXPECT_TRUE(spec.kind != CredentialKind::kSecret || spec.fallback.empty()) << spec.name;
    if (!spec.fallback.empty()) {
      EXPECT_EQ(CheckSmtpSetting(spec.name, spec.fallback), std::nullopt) << spec.name;
    }
  }
}

TEST(SmtpSettings, EachSettingRefusesWhatItCannotUse) {
  for (const auto& [name, value] :
       std::vector<std::pair<const char*, std::string>>{{"smtp.host", ""},
                                                        {"smtp.host", "a b"},
                                                        {"smtp.port", "0"},
                                                        {"smtp.port", "65536"},
                                                        {"smtp.port", "0x24B"},
                                                        {"smtp.port", ""},
                                                        {"smtp.security", "ssl"},
                                                        {"smtp.auth", "oauth"},
                                                        {"smtp.user", "a\r\nMAIL FROM:<x>"},
                                                        {"smtp.oauth_token", "a b"},
                                                        {"smtp.oauth_token", "a\x01"},
                                                        {"smtp.ca_file", "ca.pem"},
                                                        {"smtp.ca_file", "/no/such/file.pem"},
                                                        {"smtp.pin_file", "/no/such/file.pem"},
                                                        {"smtp.ehlo_name", "host\r\nMAIL FROM:<x>"},
                                                        {"smtp.ehlo_name", "a b"}}) {
    const auto wrong = CheckSmtpSetting(name, value);
    ASSERT_TRUE(wrong) << name << " " << value;
    EXPECT_EQ(wrong->rfind(name, 0), 0u) << *wrong;
  }
  EXPECT_EQ(CheckSmtpSetting("smtp.port", " 587 "), std::nullopt);
  EXPECT_EQ(CheckSmtpSetting("smtp.ehlo_name", "[192.0.2.1]"), std::nullopt);
  EXPECT_EQ(CheckSmtpSetting("smtp.ehlo_name", "host.example.com"), std::nullopt);
}

TEST_F(EmailAdapterTest, ReadsExactlyWhatItsManifestNames) {
  Serve();
  CredentialWindow window = Window();
  ASSERT_TRUE(std::holds_alternative<ActDone>(Make().Act(Input(window))));
  std::set<std::string> named;
  for (const CredentialSpec& spec : Make().manifest()) named.insert(std::string(spec.name));
  for (const std::string& read : window.handed_out()) EXPECT_TRUE(named.contains(read)) << read;
}

TEST_F(EmailAdapterTest, ASettingIsRefusedInTheSameWordsWhetherAskedForOrUsed) {
  Store("smtp.port", "http");
  const ActOutcome outcome = Act();
  const auto* failed = std::get_if<ActFailed>(&outcome);
  ASSERT_NE(failed, nullptr);
  EXPECT_EQ(failed->code, "email-config-invalid");
  EXPECT_EQ(failed->message, *Make().CheckSetting("smtp.port", "http"));
}

TEST_F(EmailAdapterTest, HalfALoginIsNone) {
  Serve();
  Drop("smtp.password");
  EXPECT_EQ(PrecheckCode(), "email-config-invalid");
  Store("smtp.auth", "xoauth2");
  EXPECT_EQ(PrecheckCode(), "email-config-invalid");
  Store("smtp.oauth_token", "fake-token-0001");
  EXPECT_EQ(PrecheckCode(), "");
  EXPECT_EQ(server_->connections(), 0);
}

TEST_F(EmailAdapterTest, AnAccessTokenFromTheVaultLogsIn) {
  SmtpScript script;
  script.tls_capabilities = "AUTH PLAIN XOAUTH2";
  Serve(script);
  Store("smtp.auth", "xoauth2");
  Store("smtp.oauth_token", "fake-token-0001");
  const ActOutcome outcome = Act();
  const auto* done = std::get_if<ActDone>(&outcome);
  ASSERT_NE(done, nullptr);
  EXPECT_EQ(done->detail.at("auth").as_string(), "XOAUTH2");
}

TEST_F(EmailAdapterTest, TheFormsThatASessionSendsAreToldToTheWindow) {
  Serve();
  CredentialWindow window = Window();
  ASSERT_TRUE(std::holds_alternative<ActDone>(Make().Act(Input(window))));
  const auto forms = window.TakeForms();
  ASSERT_EQ(forms.size(), 1u);
  EXPECT_EQ(forms[0].Reveal(), std::string("\0me@example.com\0", 16) + kPassword);
}

TEST_F(EmailAdapterTest, TheNameOfThisMachineIsASetting) {
  Serve();
  Store("smtp.ehlo_name", "desk.example.com");
  ASSERT_TRUE(std::holds_alternative<ActDone>(Act()));
  EXPECT_EQ(server_->commands().front(), "EHLO desk.example.com");
}

TEST_F(EmailAdapterTest, APinnedKeyFromAFileIsHeld) {
  Serve();
  Store("smtp.pin_file", Certificates().certificate());
  EXPECT_TRUE(std::holds_alternative<ActDone>(Act()));
  Store("smtp.pin_file", TestCertificates().ca());
  EXPECT_EQ(PrecheckCode(), "email-config-invalid");  // that folder is gone
  const TestCertificates others;
  Store("smtp.pin_file", others.certificate());
  const ActOutcome outcome = Act();
  const auto* failed = std::get_if<ActFailed>(&outcome);
  ASSERT_NE(failed, nullptr);
  EXPECT_EQ(failed->code, "smtp-tls-failed");
}

TEST_F(EmailAdapterTest, BadMailsAndFilesAreFoundBeforeAnyConnection) {
  Serve();
  base::JsonObject mail = Mail();
  mail["subject"] = "a\r\nBcc: x@evil.example";
  payload_ = mail;
  EXPECT_EQ(PrecheckCode(), "email-payload-invalid");
  mail = Mail();
  folder_.Write("a.pdf", "approved");
  mail["attachments"] = base::JsonArray{base::JsonObject{{"name", "a.pdf"},
                                                         {"type", "application/pdf"},
                                                         {"path", folder_.Path("a.pdf")},
                                                         {"sha256", base::Sha256Hex("approved")},
                                                         {"size", 8}}};
  payload_ = mail;
  EXPECT_EQ(PrecheckCode(), "");
  folder_.Write("a.pdf", "replaced");
  EXPECT_EQ(PrecheckCode(), "email-attachment-changed");
  EXPECT_TRUE(std::holds_alternative<ActFailed>(Act()));
  EXPECT_EQ(server_->connections(), 0);
}

TEST_F(EmailAdapterTest, ThePreviewShowsEveryRecipientTextFileAndServerWithoutAConnection) {
  Serve();
  base::JsonObject mail = Mail();
  mail["body"] = std::string(1000, 'x');
  mail["attachments"] = base::JsonArray{base::JsonObject{
      {"name", "a.txt"}, {"type", "text/plain"}, {"base64", base::Base64Encode("abc")}}};
  payload_ = mail;
  const base::JsonObject shown = Preview();
  EXPECT_EQ(base::ToText(shown.at("recipients")), R"(["a@example.net","hidden@example.net"])");
  EXPECT_EQ(base::ToText(shown.at("bcc")), R"(["hidden@example.net"])");
  EXPECT_EQ(shown.at("text").at("excerpt").as_string().size(), 400u);
  EXPECT_TRUE(shown.at("text").at("cut").as_bool());
  EXPECT_EQ(shown.at("attachments").at(0).at("sha256").as_string(), base::Sha256Hex("abc"));
  EXPECT_EQ(shown.at("server").at("host").as_string(), "localhost");
  EXPECT_EQ(base::ToText(shown).find(kPassword), std::string::npos);
  EXPECT_EQ(server_->connections(), 0);
}

TEST_F(EmailAdapterTest, ThePreviewDoesWithoutAVault) {
  base::SystemRandom random;
  CredentialWindow window(nullptr, random, std::nullopt);
  const auto shown = Make().Preview(Input(window));
  ASSERT_TRUE(shown);
  EXPECT_FALSE(shown->contains("server"));
}

TEST_F(EmailAdapterTest, TheProbeLogsInAndQuitsWithoutASender) {
  Serve();
  const auto probed = Probe();
  ASSERT_TRUE(probed) << probed.error().message;
  EXPECT_NE(probed->summary.find("the login by PLAIN was taken"), std::string::npos);
  EXPECT_TRUE(probed->warnings.empty());
  EXPECT_EQ(server_->commands().back(), "QUIT");
  for (const std::string& command : server_->commands()) EXPECT_NE(command.substr(0, 4), "MAIL");
}

TEST_F(EmailAdapterTest, WithoutALoginTheProbeStopsAfterEhloAndSaysSo) {
  Serve();
  Drop("smtp.user");
  Drop("smtp.password");
  const auto probed = Probe();
  ASSERT_TRUE(probed) << probed.error().message;
  EXPECT_EQ(probed->warnings.size(), 1u);
  for (const std::string& command : server_->commands()) EXPECT_NE(command.substr(0, 4), "AUTH");
}

TEST_F(EmailAdapterTest, AFailedProbeHasACodeAdviceAndNoSecret) {
  SmtpScript script;
  script.tls_capabilities = "AUTH PLAIN";
  script.answers["AUTH PLAIN"] =
      "535 5.7.8 " + std::string(kPassword) + " " +
      base::Base64Encode(std::string("\0me@example.com\0", 16) + kPassword) + "\r\n";
  Serve(script);
  const auto probed = Probe();
  ASSERT_FALSE(probed);
  EXPECT_EQ(probed.error().code, "smtp-535");
  EXPECT_NE(probed.error().advice.find("smtp.password"), std::string::npos);
  EXPECT_EQ(probed.error().message, "AUTH refused: 535 5.7.8 [redacted] [redacted]");
}

}  // namespace
}  // namespace approval::adapters::email
