// The variables a project is configured by, and what each resolves to (adapters.md 7.2).
//
// The environment wins; the source map is consulted only for what it does not set. Looking an item
// up in the keystore is the only thing here that talks to anything. Any thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/policy/policy.h"
#include "vault/secrets/keystore.h"
#include "vault/secrets/source_map.h"

namespace approval::secrets {

struct Variable {
  std::string name;
  bool declared = false;  // the policy names it
  bool secret = true;     // all but the identity and the chat
};

// In order: identity, Telegram token, chat, passphrase, sampling secret when named, then every
// other `..._env` member of the policy, sorted, without repeats.
std::vector<Variable> VariablesOf(const policy::Policy& policy);

enum class VariableStatus {
  kSetInEnvironment,
  kResolvedLiteral,
  kResolvedFromKeychain,
  kResolvedFromSecretService,
  kUnset,
};
std::string_view Spelling(VariableStatus status);

struct Resolved {
  Variable variable;
  VariableStatus status = VariableStatus::kUnset;
  std::optional<SourceKind> source;  // of the line, when the file has one
  bool plaintext = false;            // a secret stands in the file itself
  base::Secret value;
  std::optional<base::Error> refusal;  // why a line that is there gave nothing
};

using Lookup = std::function<std::optional<std::string>(std::string_view name)>;

// `keystore` may be null: lines that need one are refused `helper-binary-missing`.
Resolved ResolveVariable(const Variable& variable, const Lookup& environment, const SourceMap* map,
                         Keystore* keystore);

// The vault's passphrase out of the source map, for an adapter inside a grant and for nothing else:
// keystore and literal lines only. Nothing on any failure, without a word.
std::optional<base::Secret> FallbackPassphrase(const std::string& source_map_path,
                                               const std::string& variable, Keystore* keystore);

}  // namespace approval::secrets
