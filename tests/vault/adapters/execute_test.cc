// Whole executions of the email adapter: a real log, a real vault, a real socket.
#include "vault/adapters/execute.h"

#include <gtest/gtest.h>

#include "core/base/canonical.h"
#include "core/base/encoding.h"
#include "core/base/files.h"
#include "core/log/read.h"
#include "tests/support/fakes.h"
#include "tests/support/smtp_server.h"
#include "tests/support/temp_folder.h"
#include "tests/support/vectors.h"
#include "vault/adapters/email/email_adapter.h"

namespace approval::adapters {
namespace {

using base::JsonObject;
using testing::Certificates;
using testing::SmtpScript;

constexpr const char* kPassword = "fake-app-password-0001";

base::Json Mail(const std::string& body = "hello\n") {
  return JsonObject{{"from", "sender@example.com"},
                    {"to", base::JsonArray{"rcpt@example.net"}},
                    {"bcc", base::JsonArray{"hidden@example.net"}},
                    {"subject", "s"},
                    {"body", body}};
}

std::string Text(const JsonObject& object, const char* name) {
  return std::string(base::StringMember(object, name).value_or(""));
}

class ExecuteTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.Write("APPROVAL.md",
                  "# Policy\n\n```yaml approval-policy\nversion: \"0.1\"\n"
                  "defaults:\n  autonomy: manual\n```\n");
    std::string sha;
    ASSERT_TRUE(gate_.Attest("human:alice", sha));
    Store("smtp.host", "localhost");
    Store("smtp.user", "sender@example.com");
    Store("smtp.password", kPassword);
  }

  void Serve(SmtpScript script = {}) {
    server_ = std::make_unique<testing::SmtpServer>(std::move(script), Certificates());
    Store("smtp.port", std::to_string(server_->port()));
  }

  // The smallest key derivation that the format allows, so that no test waits for it.
  void Store(const std::string& name, const std::string& value) {
    settings_[name] = value;
    Seal();
  }
  void Seal() {
    vault::Entries entries;
    for (const auto& [known, text] : settings_) entries.emplace(known, base::Secret(text));
    vault::KdfHeader header = vault::FreshHeader(random_);
    header.n = 4096;
    const auto key = vault::DeriveVaultKey(header, base::Secret("pass"));
    ASSERT_TRUE(key);
    folder_.Write(".approval/vault.enc",
                  vault::SealVaultText(header, entries, *key, random_).value());
  }

  // Declares, requests and grants a mail; the token.
  std::string Granted(const std::string& key, const base::Json& payload,
                      const std::string& cls = std::string(email::kEmailClass)) {
    const std::string task = key.substr(0, key.find(':'));
    const std::string file = folder_.Path(task + ".md");
    folder_.Write(task + ".md", "---\nid: " + task +
                                    "\napproval:\n  origin: {app: t, created_by: \"agent:a\"}\n"
                                    "  state: proposed\n  actions:\n    - class: " +
                                    cls + "\n      idempotency_key: \"" + key +
                                    "\"\n      payload_hash: " + *base::CanonicalHash(payload) +
                                    "\n---\n");
    const auto registered = gate_.Register(file, "agent:a");
    EXPECT_TRUE(registered) << registered.error().message;
    const auto requested = gate_.Request({task, key, "agent:a", payload});
    EXPECT_TRUE(requested) << requested.error().message;
    auto decided = gate_.Decide({gate::Decision::kGrant, key, "human:alice"});
    EXPECT_TRUE(decided) << decided.error().message;
    return decided && decided->token ? std::string(decided->token->Reveal()) : "";
  }

  Executed Execute(const std::string& key, const std::string& token, const base::Json& payload) {
    email::EmailOptions options;
    options.limits = {3000, 300};
    options.ca_file = Certificates().ca();
    email::EmailAdapter adapter(options, clock_);
    ExecuteAsk ask{key, "agent:a", std::nullopt, payload};
    if (!token.empty()) ask.token = base::Secret(token);
    return ExecuteThroughAdapter(gate_, adapter, &source_, random_, ask);
  }

  std::string LogBytes() const { return testing::ReadText(log_path_); }
  log::Record Last() const { return log::ReadVerified(log_path_)->records().back(); }

  testing::TempFolder folder_;
  testing::FakeClock clock_;
  base::SystemRandom random_;
  std::string log_path_ = folder_.Path(".approval/log/events.jsonl");
  std::string vault_path_ = vault::DefaultVaultPath(log_path_);
  gate::Gate gate_{{log_path_, folder_.Path("APPROVAL.md"), {}}, clock_, random_};
  std::map<std::string, std::string> settings_;
  std::string passphrase_ = "pass";
  CredentialSource source_{vault_path_, "APPROVAL_VAULT_PASSPHRASE",
                           [this] { return std::optional(base::Secret(passphrase_)); }};
  std::unique_ptr<testing::SmtpServer> server_;
};

TEST_F(ExecuteTest, AnApprovedMailIsSentOnceWithStartAndEndOnRecord) {
  Serve();
  const std::string token = Granted("t1:k", Mail());
  const auto before = log::ReadVerified(log_path_)->records().size();
  const Executed done = Execute("t1:k", token, Mail());
  ASSERT_TRUE(done.ok) << base::ToText(done.answer);
  const auto log = log::ReadVerified(log_path_);
  ASSERT_EQ(log->records().size(), before + 2);
  EXPECT_EQ(log->records()[before].event, "execution.started");
  EXPECT_EQ(log->records()[before + 1].event, "execution.completed");
  EXPECT_EQ(done.answer.at("started_seq").as_int64(), log->records()[before].seq);
  EXPECT_EQ(done.answer.at("outcome_seq").as_int64(), log->records()[before + 1].seq);
  const JsonObject& detail = done.answer.at("detail").as_object();
  EXPECT_EQ(Text(detail, "auth"), "PLAIN");
  EXPECT_EQ(base::AsInteger(detail.at("recipients")), 2);
  EXPECT_EQ(static_cast<std::size_t>(*base::AsInteger(detail.at("bytes"))), server_->data().size());
  EXPECT_EQ(server_->data().find("hidden@"), std::string::npos);
}

TEST_F(ExecuteTest, TheRecordOfAMailCanBeFoundByItsMessageId) {
  Serve();
  const std::string token = Granted("t1:k", Mail());
  const Executed done = Execute("t1:k", token, Mail());
  ASSERT_TRUE(done.ok);
  const std::string id = Text(done.answer.at("detail").as_object(), "message_id");
  const JsonObject reference = Last().payload.at("provider_ref").as_object();
  EXPECT_EQ(Text(reference, "adapter"), "email");
  EXPECT_EQ(Text(reference, "id"), id);
  EXPECT_NE(server_->data().find(id), std::string::npos);
}

TEST_F(ExecuteTest, TheAnswerHasTheMembersOfTheRecordedRunInTheirOrder) {
  APPROVAL_REQUIRE_VECTORS();
  const auto runs = testing::ReadJsonFile(testing::VectorsDir() / "email/cli-runs.json");
  const auto names = [](const JsonObject& object) {
    std::vector<std::string> found;
    for (const auto& member : object) found.emplace_back(member.key());
    return found;
  };
  Serve();
  const std::string token = Granted("t1:k", Mail());
  const Executed done = Execute("t1:k", token, Mail());
  const Executed replayed = Execute("t1:k", token, Mail());
  int compared = 0;
  for (const base::Json& row : runs.as_object().at("rows").as_array()) {
    const JsonObject& it = row.as_object();
    if (Text(it, "note") == "success") {
      const JsonObject& wanted = it.at("stdout").as_object();
      std::vector<std::string> answered = names(done.answer);
      std::erase(answered, "provider_ref");
      EXPECT_EQ(answered, names(wanted));
      // Ours has one member more, which coverage joins by.
      JsonObject detail = done.answer.at("detail").as_object();
      EXPECT_EQ(detail.at("provider_ref"), detail.at("message_id"));
      std::vector<std::string> members = names(detail);
      std::erase(members, "provider_ref");
      EXPECT_EQ(members, names(wanted.at("detail").as_object()));
      EXPECT_EQ(base::ToText(done.answer.at("detail").at("transcript")),
                base::ToText(base::JsonArray{"greeting 220", "EHLO 250", "STARTTLS 220", "EHLO 250",
                                             "AUTH 235", "MAIL FROM 250", "RCPT TO 250",
                                             "RCPT TO 250", "DATA 354", "message 250"}));
      ++compared;
    } else if (Text(it, "note") == "replay") {
      const JsonObject& wanted = it.at("stderr").as_object();
      EXPECT_EQ(Text(replayed.answer, "code"), Text(wanted, "code"));
      EXPECT_EQ(replayed.answer.at("acted"), wanted.at("acted"));
      EXPECT_TRUE(replayed.answer.at("execute").as_object().contains("seq"));
      EXPECT_FALSE(replayed.answer.at("execute").as_object().contains("state"));
      ++compared;
    }
  }
  EXPECT_EQ(compared, 2);
}

TEST_F(ExecuteTest, WrongTokenOtherBytesReplayAndForeignClassNeverConnect) {
  Serve();
  const std::string token = Granted("t1:k", Mail());
  const std::string foreign = Granted("t2:k", Mail(), "communicate.email.internal");
  const std::string before = LogBytes();
  EXPECT_EQ(Text(Execute("t1:k", std::string(64, 'a'), Mail()).answer, "code"), "token-mismatch");
  EXPECT_EQ(Text(Execute("t1:k", token, Mail("hellO\n")).answer, "code"), "payload-mismatch");
  EXPECT_EQ(Text(Execute("t2:k", foreign, Mail()).answer, "code"), "adapter-class-mismatch");
  EXPECT_EQ(Text(Execute("nokey", token, Mail()).answer, "code"), "action-not-registered");
  EXPECT_EQ(Text(Execute("t1:k", "", Mail()).answer, "code"), "token-required");
  EXPECT_EQ(LogBytes(), before);
  EXPECT_EQ(server_->connections(), 0);
  ASSERT_TRUE(Execute("t1:k", token, Mail()).ok);
  const std::string after = LogBytes();
  EXPECT_EQ(Text(Execute("t1:k", token, Mail()).answer, "code"), "token-consumed");
  EXPECT_EQ(LogBytes(), after);
  EXPECT_EQ(server_->connections(), 1);
}

TEST_F(ExecuteTest, AShapeThatIsNoMailOrABadSettingCostsNoTokenAndNoConnection) {
  Serve();
  base::Json odd = Mail();
  odd.as_object()["headers"] = base::JsonArray{};
  const std::string odd_token = Granted("t1:k", odd);
  const std::string token = Granted("t2:k", Mail());
  const std::string before = LogBytes();
  const Executed refused = Execute("t1:k", odd_token, odd);
  EXPECT_EQ(Text(refused.answer, "code"), "adapter-precheck-refused");
  EXPECT_EQ(Text(refused.answer, "adapter_code"), "email-payload-invalid");
  EXPECT_FALSE(refused.answer.at("acted").as_bool());
  Store("smtp.security", "sometimes");
  EXPECT_EQ(Text(Execute("t2:k", token, Mail()).answer, "adapter_code"), "email-config-invalid");
  Store("smtp.security", "starttls");
  const std::string port = std::to_string(server_->port());
  for (const char* bad : {"0", "65536", "0x24B", "5.87e2", "", "-1"}) {
    if (*bad != '\0') Store("smtp.port", bad);
    EXPECT_EQ(Text(Execute("t2:k", token, Mail()).answer, "adapter_code"), "email-config-invalid")
        << bad;
  }
  Store("smtp.port", " " + port + " ");
  settings_.erase("smtp.password");
  Seal();
  EXPECT_EQ(Text(Execute("t2:k", token, Mail()).answer, "adapter_code"), "email-config-invalid");
  EXPECT_EQ(LogBytes(), before);
  EXPECT_EQ(server_->connections(), 0);
  Store("smtp.password", kPassword);
  EXPECT_TRUE(Execute("t2:k", token, Mail()).ok);
}

TEST_F(ExecuteTest, ALockedOrAbsentVaultCostsNothing) {
  Serve();
  const std::string token = Granted("t1:k", Mail());
  const std::string before = LogBytes();
  passphrase_ = "wrong";
  Executed refused = Execute("t1:k", token, Mail());
  EXPECT_EQ(Text(refused.answer, "code"), "credential-unavailable");
  EXPECT_EQ(Text(refused.answer, "adapter_code"), "credential-refused");
  passphrase_ = "";
  refused = Execute("t1:k", token, Mail());
  EXPECT_EQ(Text(refused.answer, "adapter_code"), "credential-unavailable");
  EXPECT_NE(Text(refused.answer, "message").find("APPROVAL_VAULT_PASSPHRASE"), std::string::npos);
  EXPECT_EQ(LogBytes(), before);
  passphrase_ = "pass";
  EXPECT_TRUE(Execute("t1:k", token, Mail()).ok);
}

TEST_F(ExecuteTest, AReportedFailureClosesAsFailedAndKeepsItsOwnCode) {
  SmtpScript script;
  script.answers["RCPT2"] = "550 5.1.1 no such user\r\n";
  Serve(script);
  const Executed done = Execute("t1:k", Granted("t1:k", Mail()), Mail());
  EXPECT_EQ(Text(done.answer, "code"), "adapter-failed");
  EXPECT_EQ(Text(done.answer, "adapter_code"), "smtp-550");
  EXPECT_EQ(Text(done.answer, "outcome"), "execution.failed");
  EXPECT_EQ(done.answer.at("exit_code"), base::Json(1));
  EXPECT_EQ(Last().event, "execution.failed");
  EXPECT_FALSE(server_->data_complete());
}

TEST_F(ExecuteTest, FR187_ACutAfterTheFinalDotIsIndeterminateAndNothingRunsAgain) {
  for (const char* end : {"<close>", "<stall>"}) {
    SmtpScript script;
    script.answers["message"] = end;
    Serve(script);
    const std::string key = end == std::string("<close>") ? "t1:k" : "t2:k";
    const std::string token = Granted(key, Mail());
    const Executed done = Execute(key, token, Mail());
    EXPECT_EQ(Text(done.answer, "code"), "execution-indeterminate");
    EXPECT_EQ(Text(done.answer, "outcome"), "execution.indeterminate");
    EXPECT_TRUE(done.answer.at("acted").as_bool());
    EXPECT_FALSE(done.answer.contains("exit_code"));
    EXPECT_EQ(Last().event, "execution.indeterminate");
    EXPECT_FALSE(Execute(key, token, Mail()).ok);
    EXPECT_EQ(server_->connections(), 1);
  }
}

TEST_F(ExecuteTest, ARefusalAfterTheFinalDotIsAFailure) {
  SmtpScript script;
  script.answers["message"] = "451 4.3.0 try later\r\n";
  Serve(script);
  EXPECT_EQ(Text(Execute("t1:k", Granted("t1:k", Mail()), Mail()).answer, "adapter_code"),
            "smtp-451");
  EXPECT_EQ(Last().event, "execution.failed");
}

TEST_F(ExecuteTest, AServerThatEchoesTheLoginHasItRedactedAndNoFormOfItComesOut) {
  SmtpScript script;
  script.tls_capabilities = "AUTH PLAIN";
  const std::string blob =
      base::Base64Encode(std::string("\0sender@example.com\0", 20) + kPassword);
  script.answers["AUTH PLAIN"] = "535 no " + std::string(kPassword) + " and " + blob + "\r\n";
  Serve(script);
  const Executed done = Execute("t1:k", Granted("t1:k", Mail()), Mail());
  EXPECT_EQ(Text(done.answer, "adapter_code"), "smtp-535");
  const std::string all = base::ToText(done.answer) + LogBytes() + done.error->message;
  EXPECT_EQ(all.find(kPassword), std::string::npos);
  EXPECT_EQ(all.find(base::Base64Encode(kPassword)), std::string::npos);
  EXPECT_EQ(all.find(blob), std::string::npos);
  EXPECT_EQ(base::AsInteger(done.answer.at("redactions")), 2);
}

TEST_F(ExecuteTest, APayloadWithAnUnpairedSurrogateIsUnhashableBeforeTheLogIsRead) {
  base::Json payload = Mail();
  payload.as_object()["body"] = "\xed\xa0\x80";
  EXPECT_EQ(Text(Execute("nokey", "t", payload).answer, "code"), "payload-unhashable");
}

TEST_F(ExecuteTest, ARevokedGrantSendsNothing) {
  Serve();
  const std::string token = Granted("t1:k", Mail());
  ASSERT_TRUE(gate_.Decide({gate::Decision::kRevoke, "t1:k", "human:alice"}));
  EXPECT_EQ(Text(Execute("t1:k", token, Mail()).answer, "code"), "token-revoked");
  EXPECT_EQ(server_->connections(), 0);
}

// Keeps the window beyond the act and tries to publish the secret.
class Hoarder final : public Adapter {
 public:
  std::string_view name() const override { return "hoarder"; }
  std::span<const std::string_view> classes() const override { return classes_; }
  std::span<const CredentialSpec> manifest() const override { return manifest_; }
  std::optional<ActFailed> Precheck(const ActInput&) const override { return std::nullopt; }
  tl::expected<base::JsonObject, ActFailed> Preview(const ActInput&) const override {
    return base::JsonObject{};
  }
  ActOutcome Act(const ActInput& input) override {
    const std::string secret(input.credentials.Get("smtp.password").value());
    const std::string host(input.credentials.Get("smtp.host").value());
    input.credentials.Close();
    closed_code = input.credentials.Get("smtp.password").error().code;
    return ActDone{{{"value", "x" + secret + "y"},
                    {secret, base::JsonArray{base::Json(secret)}},
                    {"host", host},
                    {"provider_ref", "id-1"}}};
  }
  base::Code closed_code = base::Code::kUsage;

 private:
  std::array<std::string_view, 1> classes_ = {email::kEmailClass};
  std::array<CredentialSpec, 2> manifest_ = {
      {{"smtp.password", CredentialKind::kSecret, true, "", "", "", ""},
       {"smtp.host", CredentialKind::kConfig, true, "", "", "", ""}}};
};

TEST_F(ExecuteTest, SecretsAreTakenOutOfValuesAndNamesAndSettingsAreLeft) {
  const std::string token = Granted("t1:k", Mail());
  Hoarder adapter;
  ExecuteAsk ask{"t1:k", "agent:a", base::Secret(token), Mail()};
  const Executed done = ExecuteThroughAdapter(gate_, adapter, &source_, random_, ask);
  ASSERT_TRUE(done.ok) << base::ToText(done.answer);
  EXPECT_EQ(base::ToText(done.answer).find(kPassword), std::string::npos);
  EXPECT_EQ(LogBytes().find(kPassword), std::string::npos);
  EXPECT_EQ(done.answer.at("detail").at("host"), base::Json("localhost"));
  EXPECT_EQ(adapter.closed_code, base::Code::kCredentialWindowClosed);
  EXPECT_EQ(Text(Last().payload.at("provider_ref").as_object(), "id"), "id-1");
}

}  // namespace
}  // namespace approval::adapters
