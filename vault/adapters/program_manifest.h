// What a person says about a program that serves as an adapter (docs/adapters.md).
//
// It is kept in the vault, as the entry `adapter.<name>`: encrypted and authenticated, so that
// nobody without the passphrase can say which program gets credentials. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "core/base/json.h"
#include "vault/adapters/adapter.h"

namespace approval::adapters {

inline constexpr std::string_view kInstalledPrefix = "adapter.";
inline constexpr std::int64_t kMaxProgramMs = 600'000;

struct ProgramSetting {
  std::string name;
  CredentialKind kind = CredentialKind::kConfig;
  bool required = false;
  std::string label;
  std::string describe;
  std::string fallback;
  std::string choices;  // separated by blanks
};

struct ProgramManifest {
  std::string name;
  std::string program;  // absolute path
  std::string sha256;   // of its bytes; empty while it is not installed
  std::vector<std::string> classes;
  std::vector<ProgramSetting> credentials;
  std::int64_t timeout_ms = 30'000;
};

// Lower-case letters, digits, `-`; not a word that the verb `adapter` takes for itself.
bool IsInstallableName(std::string_view name);

// The manifest, or one sentence that says which member is wrong.
tl::expected<ProgramManifest, std::string> ReadProgramManifest(std::string_view name,
                                                               const base::Json& document);

base::JsonObject ToJson(const ProgramManifest& manifest);

}  // namespace approval::adapters
