#include "gateway/secret_variable.h"

#include "core/base/files.h"
#include "core/policy/load.h"

namespace approval::gateway {
namespace {

constexpr std::size_t kMaxSecretBytes = std::size_t{1} << 20;

}  // namespace

std::optional<base::Secret> SecretVariable(const Environment& environment,
                                           const std::string& variable) {
  if (auto value = environment(variable); value && !value->empty()) {
    return base::Secret(std::move(*value));
  }
  const auto folder = environment("CREDENTIALS_DIRECTORY");
  const bool plain = !variable.empty() && variable.find('/') == std::string::npos;
  if (!folder || folder->empty() || !plain) return std::nullopt;
  auto text = base::ReadFile(base::JoinPath(*folder, variable), kMaxSecretBytes);
  if (!text) return std::nullopt;
  if (!text->empty() && text->back() == '\n') text->pop_back();
  base::Secret secret(std::move(*text));
  if (secret.empty()) return std::nullopt;
  return secret;
}

base::Result<base::Secret> VaultPassphrase(const Invocation& call) {
  const std::string variable =
      policy::LoadPolicy(call.PolicyPath()).OrDefaults().vault_passphrase_env;
  auto value = SecretVariable(call.environment(), variable);
  if (value) return std::move(*value);
  return base::Fail(base::Code::kUsage, "the vault's passphrase is not set: export " + variable +
                                            ", or let `eval \"$(approval env)\"` do it");
}

}  // namespace approval::gateway
