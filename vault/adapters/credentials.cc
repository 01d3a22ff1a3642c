#include "vault/adapters/credentials.h"

namespace approval::adapters {

using base::Code;
using base::Fail;
using base::Result;

CredentialWindow::CredentialWindow(const CredentialSource* source, base::Random& random,
                                   std::optional<WindowGrant> grant) {
  state_->source = source;
  state_->random = &random;
  state_->closed = !grant.has_value();
  state_->grant = std::move(grant);
}

CredentialWindow::CredentialWindow(vault::Entries values) {
  state_->open = true;
  state_->entries = std::move(values);
}

std::optional<base::Secret> CredentialWindow::Passphrase() const {
  auto passphrase = state_->source->passphrase();
  if (passphrase && !passphrase->empty()) return passphrase;
  const bool by_token = state_->grant && state_->grant->phase != WindowGrant::Phase::kPerson &&
                        state_->grant->token_sha256.has_value();
  if (!by_token || !state_->source->fallback_passphrase) return std::nullopt;
  return state_->source->fallback_passphrase();
}

Result<void> CredentialWindow::Open() {
  if (state_->open) return {};
  if (state_->source == nullptr || !state_->source->passphrase) {
    return Fail(Code::kCredentialUnavailable, "no vault is configured");
  }
  const auto passphrase = Passphrase();
  if (!passphrase || passphrase->empty()) {
    return Fail(Code::kCredentialUnavailable,
                "the vault's passphrase is not set: export " + state_->source->passphrase_variable);
  }
  auto unlocked = vault::Vault(state_->source->vault_path, *state_->random).Unlock(*passphrase);
  if (!unlocked) {
    const Code code = unlocked.error().code;
    const bool absent = code == Code::kVaultAbsent || code == Code::kPassphraseUnset;
    return Fail(absent ? Code::kCredentialUnavailable : Code::kCredentialRefused,
                std::string(base::Spelling(code)) + ": " + unlocked.error().message);
  }
  state_->entries = std::move(*unlocked);
  state_->open = true;
  return {};
}

Result<std::optional<std::string_view>> CredentialWindow::Find(std::string_view name) {
  if (state_->closed) {
    return Fail(Code::kCredentialWindowClosed, "the action is over; its credentials are gone");
  }
  if (auto opened = Open(); !opened) return tl::unexpected(opened.error());
  const auto found = state_->entries.find(name);
  if (found == state_->entries.end()) return std::nullopt;
  state_->handed_out.insert(std::string(name));
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
  state_->closed = true;
  state_->source = nullptr;
  state_->random = nullptr;
  state_->entries.clear();
  state_->forms.clear();
}

}  // namespace approval::adapters
