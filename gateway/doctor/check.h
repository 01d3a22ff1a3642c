// One row of `approval doctor` (surfaces.md 17).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/log/record.h"
#include "core/policy/load.h"
#include "gateway/invocation.h"
#include "vault/secrets/source_map.h"

namespace approval::gateway::doctor {

enum class Status { kPass, kFail, kSkip };
std::string_view Spelling(Status status);

struct Check {
  std::string name;
  Status status = Status::kSkip;
  std::string detail;  // one sentence; foreign text in it is quoted when it is shown
  std::string fix;     // begins with a command that can be run; empty for none
};

// What the checks look at, read once.
struct Subject {
  explicit Subject(const Invocation& call);

  const Invocation& call;
  std::string folder;  // of the project
  std::string home;    // `.approval`
  policy::LoadResult policy;
  base::Result<log::VerifiedLog> log;
  base::Result<std::optional<secrets::SourceMap>> source_map;
  std::string vault_path;
  bool vault_present = false;
  // The names in it; nothing without a vault or without its passphrase.
  std::optional<base::Result<std::vector<std::string>>> vault_names{};
};

// Each appends and repairs nothing, and never keeps another from running.
Check BuildFreshness(const Subject& subject);
Check Identity(const Subject& subject);
Check Attestation(const Subject& subject);
Check Log(const Subject& subject);
Check PayloadStore(const Subject& subject);
Check AuditSampling(const Subject& subject);
Check EnvelopeIntegrity(const Subject& subject);

Check Vault(const Subject& subject);
Check EnvironmentMap(const Subject& subject);
Check KeychainScope(const Subject& subject);
// One row for each built-in adapter: its settings are complete.
std::vector<Check> Adapters(const Subject& subject);
Check SecretMemory(const Subject& subject);

Check Telegram(const Subject& subject);
Check WebPort(const Subject& subject);
Check Trust(const Subject& subject);
Check Service(const Subject& subject);

}  // namespace approval::gateway::doctor
