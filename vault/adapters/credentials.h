// Credentials as an adapter sees them: a window onto the vault that closes for ever
// (adapters.md 6).
//
// A window needs a grant to look at the vault; without one it is closed from the start. The vault
// is opened at the first Get and read once; the values live until Close and are wiped then. Codes:
// `credential-unavailable`, `credential-refused`, `credential-window-closed`. A view handed out
// dies with the window. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/base/secret.h"
#include "core/policy/autonomy.h"
#include "vault/vault.h"

namespace approval::adapters {

// Where credentials come from; nothing is read before a window asks.
struct CredentialSource {
  std::string vault_path;
  std::string passphrase_variable;  // named in refusals
  std::function<std::optional<base::Secret>()> passphrase;
  // Asked only when `passphrase` gives nothing, and only for a grant whose token was shown or
  // spent. What goes wrong in it is not told: the ordinary refusal follows.
  std::function<std::optional<base::Secret>()> fallback_passphrase{};
};

// What lets a window open.
struct WindowGrant {
  enum class Phase {
    kPresented,  // what the action needs was shown; nothing is spent yet
    kConsumed,   // the start is on record
    kPerson,     // no action: a person probes what they stored, or a report looks at the far side
  };
  Phase phase = Phase::kPerson;
  std::string action_key{};
  policy::Autonomy autonomy = policy::Autonomy::kManual;
  std::optional<std::string> token_sha256{};  // nothing for an action that needs no token
  std::optional<std::int64_t> started_seq{};  // of a consumed one

  static WindowGrant OfPerson() { return {}; }
};

class CredentialWindow {
 public:
  // Without a source every credential is unavailable.
  CredentialWindow(const CredentialSource* source, base::Random& random,
                   std::optional<WindowGrant> grant)
      : source_(source), random_(&random), grant_(std::move(grant)), closed_(!grant_) {}

  // Values in hand, stored or not: setup's probe. No vault is read.
  explicit CredentialWindow(vault::Entries values) : open_(true), entries_(std::move(values)) {}

  CredentialWindow(const CredentialWindow&) = delete;
  CredentialWindow& operator=(const CredentialWindow&) = delete;

  base::Result<std::string_view> Get(std::string_view name);

  // The same, but a vault that opened and holds no such name is no failure.
  base::Result<std::optional<std::string_view>> Find(std::string_view name);

  // A form of a secret that the adapter makes itself and that must not come out either.
  void AlsoSecret(base::Secret form) { forms_.push_back(std::move(form)); }

  void Close();

  const std::set<std::string, std::less<>>& handed_out() const { return handed_out_; }
  const vault::Entries& entries() const { return entries_; }
  std::vector<base::Secret> TakeForms() { return std::move(forms_); }

 private:
  base::Result<void> Open();
  std::optional<base::Secret> Passphrase() const;

  const CredentialSource* source_ = nullptr;
  base::Random* random_ = nullptr;
  std::optional<WindowGrant> grant_;
  bool open_ = false;
  bool closed_ = false;
  vault::Entries entries_;
  std::set<std::string, std::less<>> handed_out_;
  std::vector<base::Secret> forms_;
};

}  // namespace approval::adapters
