// Credentials as an adapter sees them: a window onto the vault that closes for ever
// (adapters.md 6).
//
// A window needs a grant to look at the vault; without one it is closed from the start. The vault
// is opened at the first Get and read once; the values live until Close and are wiped then. Copies
// of a window are the same window: what an adapter keeps is closed with the rest, for ever. Codes:
// `credential-unavailable`, `credential-refused`, `credential-window-closed`. A view handed out
// dies with the window. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
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
  // Without a source every credential is unavailable. Source and random source outlive the window
  // until it is closed.
  CredentialWindow(const CredentialSource* source, base::Random& random,
                   std::optional<WindowGrant> grant);

  // Values in hand, stored or not: setup's probe. No vault is read.
  explicit CredentialWindow(vault::Entries values);

  base::Result<std::string_view> Get(std::string_view name);

  // The same, but a vault that opened and holds no such name is no failure.
  base::Result<std::optional<std::string_view>> Find(std::string_view name);

  // A form of a secret that the adapter makes itself and that must not come out either.
  void AlsoSecret(base::Secret form) { state_->forms.push_back(std::move(form)); }

  void Close();

  // Whether somebody keeps a copy.
  bool HeldElsewhere() const { return state_.use_count() > 1; }

  const std::set<std::string, std::less<>>& handed_out() const { return state_->handed_out; }
  const vault::Entries& entries() const { return state_->entries; }
  std::vector<base::Secret> TakeForms() { return std::move(state_->forms); }

 private:
  struct State {
    const CredentialSource* source = nullptr;
    base::Random* random = nullptr;
    std::optional<WindowGrant> grant;
    bool open = false;
    bool closed = false;
    vault::Entries entries;
    std::set<std::string, std::less<>> handed_out;
    std::vector<base::Secret> forms;
  };

  base::Result<void> Open();
  std::optional<base::Secret> Passphrase() const;

  std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace approval::adapters
