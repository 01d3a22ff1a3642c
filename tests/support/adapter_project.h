// A project with a real log and a real vault, in which adapters are run.
//
// The policy asks a person for everything but `free.*`, which is autonomous. The vault is sealed
// with the smallest key derivation that the format allows, so that tests do not wait for it.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/canonical.h"
#include "core/log/read.h"
#include "tests/support/fakes.h"
#include "tests/support/temp_folder.h"
#include "tests/support/vectors.h"
#include "vault/adapters/execute.h"

namespace approval::testing {

class AdapterProject {
 public:
  AdapterProject() {
    folder_.Write("APPROVAL.md",
                  "# Policy\n\n```yaml approval-policy\nversion: \"0.1\"\n"
                  "defaults:\n  autonomy: manual\nclasses:\n"
                  "  free.*: { autonomy: autonomous }\n```\n");
    std::string sha256;
    EXPECT_TRUE(gate_.Attest("human:alice", sha256));
  }

  void Store(const std::string& name, const std::string& value) { settings_[name] = value; }
  void Forget(const std::string& name) { settings_.erase(name); }

  // Writes the vault with what was stored so far.
  void Seal() {
    vault::Entries entries;
    for (const auto& [name, value] : settings_) entries.emplace(name, base::Secret(value));
    vault::KdfHeader header = vault::FreshHeader(random_);
    header.n = 4096;
    const auto key = vault::DeriveVaultKey(header, base::Secret("pass"));
    ASSERT_TRUE(key);
    const auto text = vault::SealVaultText(header, entries, *key, random_);
    ASSERT_TRUE(text);
    folder_.Write(".approval/vault.enc", *text);
  }

  // Declares the action; requests and grants it too, when a person is asked. The token, or nothing.
  std::string Granted(const std::string& key, const std::string& action_class,
                      const base::Json& payload) {
    Declare(key, action_class, payload);
    const std::string task = key.substr(0, key.find(':'));
    const auto requested = gate_.Request({task, key, "agent:a", payload});
    EXPECT_TRUE(requested) << requested.error().message;
    auto decided = gate_.Decide({gate::Decision::kGrant, key, "human:alice"});
    EXPECT_TRUE(decided) << decided.error().message;
    return decided && decided->token ? std::string(decided->token->Reveal()) : "";
  }

  void Declare(const std::string& key, const std::string& action_class, const base::Json& payload) {
    const std::string task = key.substr(0, key.find(':'));
    folder_.Write(task + ".md", "---\nid: " + task +
                                    "\napproval:\n  origin: {app: t, created_by: \"agent:a\"}\n"
                                    "  state: proposed\n  actions:\n    - class: " +
                                    action_class + "\n      idempotency_key: \"" + key +
                                    "\"\n      payload_hash: " +
                                    base::CanonicalHash(payload).value_or("none") + "\n---\n");
    const auto registered = gate_.Register(folder_.Path(task + ".md"), "agent:a");
    EXPECT_TRUE(registered) << registered.error().message;
  }

  static adapters::ExecuteAsk Ask(const std::string& key, const std::string& token,
                                  const base::Json& payload) {
    adapters::ExecuteAsk ask{key, "agent:a", std::nullopt, payload};
    if (!token.empty()) ask.token = base::Secret(token);
    return ask;
  }

  adapters::Executed Run(adapters::Adapter& adapter, const std::string& key,
                         const std::string& token, const base::Json& payload) {
    return adapters::ExecuteThroughAdapter(gate_, adapter, &source_, random_,
                                           Ask(key, token, payload));
  }

  adapters::Executed DryRun(const adapters::Adapter& adapter, const std::string& key,
                            const std::string& token, const base::Json& payload) {
    return adapters::DryRunThroughAdapter(options_, clock_, adapter, &source_, random_,
                                          Ask(key, token, payload));
  }

  std::string LogBytes() const { return ReadText(options_.log_path); }
  std::vector<log::Record> Records() const {
    return log::ReadVerified(options_.log_path)->records();
  }

  TempFolder& folder() { return folder_; }
  FakeClock& clock() { return clock_; }
  base::Random& random() { return random_; }
  gate::Gate& gate() { return gate_; }
  adapters::CredentialSource& source() { return source_; }

 private:
  TempFolder folder_;
  FakeClock clock_;
  base::SystemRandom random_;
  gate::GateOptions options_{
      folder_.Path(".approval/log/events.jsonl"), folder_.Path("APPROVAL.md"), {}};
  gate::Gate gate_{options_, clock_, random_};
  std::map<std::string, std::string> settings_;
  adapters::CredentialSource source_{folder_.Path(".approval/vault.enc"),
                                     "APPROVAL_VAULT_PASSPHRASE",
                                     [] { return std::optional(base::Secret("pass")); }};
};

// A string member of an answer, or nothing said.
inline std::string TextOf(const base::JsonObject& object, const char* name) {
  return std::string(base::StringMember(object, name).value_or(""));
}

}  // namespace approval::testing
