#include "vault/adapters/credentials.h"

namespace approval::adapters {

using base::Code;
using base::Fail;
using base::Result;

std::optional<base::Secret> CredentialWindow::Passphrase() const {
  auto passphrase = source_->passphrase();
  if (passphrase && !passphrase->empty()) return passphrase;
  const bool by_token =
      grant_ && grant_->phase != WindowGrant::Phase::kPerson && grant_->token_sha256.has_value();
  if (!by_token || !source_->fallback_passphrase) return std::nullopt;
  return source_->fallback_passphrase();
}

Result<void> CredentialWindow::Open() {
  if (open_) return {};
  if (source_ == nullptr || !source_->passphrase) {
    return Fail(Code::kCredentialUnavailable, "no vault is configured");
  }
  const auto passphrase = Passphrase();
  if (!passphrase || passphrase->empty()) {
    return Fail(Code::kCredentialUnavailable,
                "the vault's passphrase is not set: export " + source_->passphrase_variable);
  }
  auto unlocked = vault::Vault(source_->vault_path, *random_).Unlock(*passphrase);
  if (!unlocked) {
    const Code code = unlocked.error().code;
    const bool absent = code == Code::kVaultAbsent || code == Code::kPassphraseUnset;
    return Fail(absent ? Code::kCredentialUnavailable : Code::kCredentialRefused,
                std::string(base::Spelling(code)) + ": " + unlocked.error().message);
  }
  entries_ = std::move(*unlocked);
  open_ = true;
  return {};
}

Result<std::optional<std::string_view>> CredentialWindow::Find(std::string_view name) {
  if (closed_) {
    return Fail(Code::kCredentialWindowClosed, "the action is over; its credentials are gone");
  }
  if (auto opened = Open(); !opened) return tl::unexpected(opened.error());
  const auto found = entries_.find(name);
  if (found == entries_.end()) return std::nullopt;
  handed_out_.insert(std::string(name));
  return found->second.Reveal();
}

Result<std::string_view> CredentialWindow::Get(std::string_view name) {
  const auto found = Find(name);
  if (!found) return tl::unexpected(found.error());
  if (found->has_value()) return **found;
  return Fail(Code::kCredentialUnavailable,
              "the vault holds no " + std::string(name) + "; store it with `approval vault set`");
}

void CredentialWindow::Close() {
  closed_ = true;
  entries_.clear();
  forms_.clear();
}

}  // namespace approval::adapters
