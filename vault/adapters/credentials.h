// Credentials as an adapter sees them: a window onto the vault that closes for ever
// (adapters.md 6).
//
// The vault is opened at the first Get and read once; the values live until Close and are wiped
// then. Codes: `credential-unavailable`, `credential-refused`, `credential-window-closed`. A view
// handed out dies with the window. One thread.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/base/secret.h"
#include "vault/vault.h"

namespace approval::adapters {

// Where credentials come from; nothing is read before a window asks.
struct CredentialSource {
  std::string vault_path;
  std::string passphrase_variable;  // named in refusals
  std::function<std::optional<base::Secret>()> passphrase;
};

class CredentialWindow {
 public:
  // Without a source every credential is unavailable.
  CredentialWindow(const CredentialSource* source, base::Random& random)
      : source_(source), random_(random) {}
  CredentialWindow(const CredentialWindow&) = delete;
  CredentialWindow& operator=(const CredentialWindow&) = delete;

  base::Result<std::string_view> Get(std::string_view name);

  // A form of a secret that the adapter makes itself and that must not come out either.
  void AlsoSecret(base::Secret form) { forms_.push_back(std::move(form)); }

  void Close();

  const std::set<std::string, std::less<>>& handed_out() const { return handed_out_; }
  const vault::Entries& entries() const { return entries_; }
  std::vector<base::Secret> TakeForms() { return std::move(forms_); }

 private:
  base::Result<void> Open();

  const CredentialSource* source_;
  base::Random& random_;
  bool open_ = false;
  bool closed_ = false;
  vault::Entries entries_;
  std::set<std::string, std::less<>> handed_out_;
  std::vector<base::Secret> forms_;
};

}  // namespace approval::adapters
