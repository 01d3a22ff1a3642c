// A whole run of an approved mail with a file: what changed on disk costs no token.
#include <gtest/gtest.h>

#include "core/base/canonical.h"
#include "core/base/sha256.h"
#include "tests/support/fakes.h"
#include "tests/support/smtp_server.h"
#include "tests/support/temp_folder.h"
#include "tests/support/vectors.h"
#include "tests/vault/adapters/email/read_back.h"
#include "vault/adapters/email/email_adapter.h"
#include "vault/adapters/execute.h"
#include "vault/vault_crypto.h"
#include "vault/vault_format.h"

namespace approval::adapters::email {
namespace {

class AttachmentRun : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.Write("APPROVAL.md",
                  "# Policy\n\n```yaml approval-policy\nversion: \"0.1\"\n"
                  "defaults:\n  autonomy: manual\n```\n");
    folder_.Write("a.pdf", "approved");
    std::string sha;
    ASSERT_TRUE(gate_.Attest("human:alice", sha));
    vault::Entries entries;
    entries.emplace("smtp.host", base::Secret("localhost"));
    entries.emplace("smtp.port", base::Secret(std::to_string(server_.port())));
    vault::KdfHeader header = vault::FreshHeader(random_);
    header.n = 4096;  // the smallest that the format allows
    const auto key = vault::DeriveVaultKey(header, base::Secret("pass"));
    ASSERT_TRUE(key);
    folder_.Write(".approval/vault.enc",
                  vault::SealVaultText(header, entries, *key, random_).value());
  }

  base::Json Payload() const {
    return base::JsonObject{
        {"from", "me@example.com"},
        {"to", base::JsonArray{"a@example.net"}},
        {"subject", "s"},
        {"body", "b"},
        {"attachments", base::JsonArray{base::JsonObject{{"name", "a.pdf"},
                                                         {"type", "application/pdf"},
                                                         {"path", folder_.Path("a.pdf")},
                                                         {"sha256", base::Sha256Hex("approved")},
                                                         {"size", 8}}}}};
  }

  std::string Granted() {
    folder_.Write("t.md",
                  "---\nid: t\napproval:\n  origin: {app: t, created_by: \"agent:a\"}\n"
                  "  state: proposed\n  actions:\n    - class: communicate.email.external\n"
                  "      idempotency_key: \"t:k\"\n      payload_hash: " +
                      *base::CanonicalHash(Payload()) + "\n---\n");
    EXPECT_TRUE(gate_.Register(folder_.Path("t.md"), "agent:a"));
    EXPECT_TRUE(gate_.Request({"t", "t:k", "agent:a", Payload()}));
    auto decided = gate_.Decide({gate::Decision::kGrant, "t:k", "human:alice"});
    EXPECT_TRUE(decided && decided->token);
    return decided && decided->token ? std::string(decided->token->Reveal()) : "";
  }

  Executed Run(const std::string& token) {
    EmailOptions options;
    options.limits = {3000, 300};
    options.ca_file = certificates_.ca();
    EmailAdapter adapter(options, clock_);
    return ExecuteThroughAdapter(gate_, adapter, &source_, random_,
                                 {"t:k", "agent:a", base::Secret(token), Payload()});
  }

  std::string Log() const { return testing::ReadText(log_path_); }

  testing::TempFolder folder_;
  testing::TestCertificates certificates_;
  testing::SmtpServer server_{{}, certificates_};
  testing::FakeClock clock_;
  base::SystemRandom random_;
  std::string log_path_ = folder_.Path(".approval/log/events.jsonl");
  gate::Gate gate_{{log_path_, folder_.Path("APPROVAL.md"), {}}, clock_, random_};
  CredentialSource source_{folder_.Path(".approval/vault.enc"), "V",
                           [] { return std::optional(base::Secret("pass")); }};
};

TEST_F(AttachmentRun, AFileThatChangedOrWentAwayIsRefusedWithTheTokenAlive) {
  const std::string token = Granted();
  const std::string before = Log();
  folder_.Write("a.pdf", "replaced");
  const Executed changed = Run(token);
  EXPECT_EQ(changed.answer.at("code").as_string(), "adapter-precheck-refused");
  EXPECT_EQ(changed.answer.at("adapter_code").as_string(), "email-attachment-changed");
  EXPECT_FALSE(changed.answer.at("acted").as_bool());
  ASSERT_EQ(std::remove(folder_.Path("a.pdf").c_str()), 0);
  EXPECT_EQ(Run(token).answer.at("adapter_code").as_string(), "email-attachment-missing");
  EXPECT_EQ(Log(), before);
  EXPECT_EQ(server_.connections(), 0);

  folder_.Write("a.pdf", "approved");
  const Executed sent = Run(token);
  ASSERT_TRUE(sent.ok) << base::ToText(sent.answer);
  const base::JsonObject read = GmimeReader::Read(server_.data());
  EXPECT_EQ(read.at("parts").at(1).at("sha256").as_string(), base::Sha256Hex("approved"));
}

}  // namespace
}  // namespace approval::adapters::email
