#include "core/log/read.h"
#include "gateway/doctor/check.h"
#include "gateway/secret_variable.h"
#include "gateway/spending/credential_source.h"
#include "vault/vault.h"

namespace approval::gateway::doctor {

Subject::Subject(const Invocation& asked)
    : call(asked),
      folder(call.args().FlagOr("dir", ".")),
      home(log::HomeOf(call.LogPath())),
      policy(policy::LoadPolicy(call.PolicyPath())),
      log(log::ReadVerified(call.LogPath())),
      source_map(secrets::ReadSourceMap(secrets::SourceMapPath(call.LogPath()))),
      vault_path(VaultPathOf(call)) {
  const vault::Vault vault(vault_path, call.random());
  vault_present = vault.Present();
  const auto passphrase =
      SecretVariable(call.environment(), policy.OrDefaults().vault_passphrase_env);
  if (vault_present && passphrase) vault_names = vault.List(*passphrase);
}

}  // namespace approval::gateway::doctor
