#include "gateway/spending/credential_source.h"

#include "core/policy/load.h"
#include "gateway/secret_variable.h"
#include "vault/secrets/variables.h"
#include "vault/vault.h"

namespace approval::gateway {
namespace {

// Nobody may be there to unlock a keyring.
constexpr int kKeystoreDeadlineMs = 5'000;

}  // namespace

std::string VaultPathOf(const Invocation& call) {
  return call.args().FlagOr("vault", vault::DefaultVaultPath(call.LogPath()));
}

adapters::CredentialSource MakeCredentialSource(const Invocation& call) {
  adapters::CredentialSource source;
  source.vault_path = VaultPathOf(call);
  source.passphrase_variable =
      policy::LoadPolicy(call.PolicyPath()).OrDefaults().vault_passphrase_env;
  source.passphrase = [environment = call.environment(), variable = source.passphrase_variable] {
    return SecretVariable(environment, variable);
  };
  source.fallback_passphrase = [map = secrets::SourceMapPath(call.LogPath()),
                                variable = source.passphrase_variable] {
    const auto keystore = secrets::SecretServiceKeystore(kKeystoreDeadlineMs);
    return secrets::FallbackPassphrase(map, variable, keystore.get());
  };
  return source;
}

}  // namespace approval::gateway
