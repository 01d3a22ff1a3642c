// An adapter: what acts on the world when an approved action is spent (adapters.md 6).
//
// It names the exact classes it serves and the credentials it reads. `Precheck` costs nothing and
// promises nothing, and must not write to the far side; `Act` repeats every check. An adapter never
// sees the token and never writes the log. Input lives for the call only.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/json.h"
#include "vault/adapters/credentials.h"

namespace approval::adapters {

enum class CredentialKind { kSecret, kConfig, kChoice };

// One line of an adapter's manifest; it never holds a value.
struct CredentialSpec {
  std::string_view name;
  CredentialKind kind = CredentialKind::kConfig;
  bool required = false;
  std::string_view label;
  std::string_view describe;
  std::string_view fallback;  // never for a secret
  std::string_view choices;   // separated by blanks
};

struct ActInput {
  const std::string& action_key;
  const base::Json& payload;
  const std::string& payload_hash;
  CredentialWindow& credentials;
};

struct ActDone {
  base::JsonObject detail;
};
// It is known that nothing happened.
struct ActFailed {
  std::string code;
  std::string message;
};
// It may have happened.
struct ActUnknown {
  std::string code;
  std::string message;
};
using ActOutcome = std::variant<ActDone, ActFailed, ActUnknown>;

class Adapter {
 public:
  virtual ~Adapter() = default;
  virtual std::string_view name() const = 0;
  virtual std::span<const std::string_view> classes() const = 0;
  virtual std::span<const CredentialSpec> manifest() const = 0;
  virtual std::optional<ActFailed> Precheck(const ActInput& input) const = 0;
  virtual ActOutcome Act(const ActInput& input) = 0;
};

}  // namespace approval::adapters
