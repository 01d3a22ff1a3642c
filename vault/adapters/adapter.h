// The contract of an adapter: what acts on the world when an approved action is spent
// (adapters.md 6).
//
// An adapter names the exact classes it serves and the settings it reads. It never sees the token
// and never writes the log; what surrounds it (execute.h) hashes the payload, spends the grant,
// opens the credential window, records the outcome and redacts what comes back. Input lives for
// the call only. Nothing throws; an adapter that cannot know what happened says ActUnknown. One
// thread at a time. What this header promises is checked for any adapter by conformance.h.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <tl/expected.hpp>

#include "core/base/json.h"
#include "vault/adapters/credentials.h"

namespace approval::adapters {

enum class CredentialKind { kSecret, kConfig, kChoice };

// One line of an adapter's manifest; it never holds a value. The names in it are exactly those that
// the adapter asks its window for.
struct CredentialSpec {
  std::string_view name;
  CredentialKind kind = CredentialKind::kConfig;
  bool required = false;
  std::string_view label;
  std::string_view describe;
  std::string_view fallback;  // used when nothing is stored; never for a secret
  std::string_view choices;   // separated by blanks
  bool rare = false;          // setup asks for it only when the person wants to see every setting
};

struct ActInput {
  const std::string& action_key;
  const base::Json& payload;
  const std::string& payload_hash;
  CredentialWindow& credentials;
};

struct ActDone {
  base::JsonObject detail;  // `provider_ref`: the far side's id of the effect, when it has one
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

// What setup learns from the far side without an effect there.
struct Probed {
  std::string summary;                // one sentence
  std::vector<std::string> warnings;  // one sentence each
};
struct ProbeFailed {
  std::string code;
  std::string message;
  std::string advice;  // what the person changes next; empty when nothing better is known
};

// Something that happened on the far side, whoever did it.
struct Effect {
  std::string id;            // the far side's; equals `provider_ref` of our own
  std::string action_class;  // one of the adapter's own
  std::int64_t at_ms = 0;
  std::string detail;  // names the effect, never a body
};
struct ObserveWindow {
  std::int64_t from_ms = 0;
  std::int64_t until_ms = 0;
};

class Adapter {
 public:
  virtual ~Adapter() = default;
  virtual std::string_view name() const = 0;
  virtual std::span<const std::string_view> classes() const = 0;
  virtual std::span<const CredentialSpec> manifest() const = 0;

  // Why the value cannot serve as this setting, in the words Act would use; nothing when it can.
  virtual std::optional<std::string> CheckSetting(std::string_view name,
                                                  std::string_view value) const {
    static_cast<void>(name);
    static_cast<void>(value);
    return std::nullopt;
  }

  // Before the token is spent, in a window of its own: read-only on the far side, costs nothing
  // and promises nothing. Act repeats every check.
  virtual std::optional<ActFailed> Precheck(const ActInput& input) const = 0;

  // What Act would do with these bytes, as facts for a person (`--dry-run`); makes no connection.
  // It may read settings that are no secrets, and must do without when the window gives none.
  virtual tl::expected<base::JsonObject, ActFailed> Preview(const ActInput& input) const = 0;

  // The effect, once.
  virtual ActOutcome Act(const ActInput& input) = 0;

  // Connects, proves the credentials and causes nothing. Nothing for an adapter that cannot.
  virtual std::optional<tl::expected<Probed, ProbeFailed>> Probe(CredentialWindow& credentials) {
    static_cast<void>(credentials);
    return std::nullopt;
  }

  // What the far side shows of the adapter's classes in the window; read-only. Nothing for an
  // adapter that cannot look.
  virtual std::optional<tl::expected<std::vector<Effect>, ActFailed>> Observe(
      const ObserveWindow& window, CredentialWindow& credentials) {
    static_cast<void>(window);
    static_cast<void>(credentials);
    return std::nullopt;
  }
};

}  // namespace approval::adapters
