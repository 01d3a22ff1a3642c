// A secret that the process was started with: an environment variable, else a systemd credential.
//
// `$CREDENTIALS_DIRECTORY/<variable>` is where a service manager puts what `LoadCredential=` names;
// one line end at its end is dropped. An empty variable or file counts as none. Nothing else is
// looked up; files of the project are not.
#pragma once

#include <optional>
#include <string>

#include "core/base/secret.h"
#include "gateway/invocation.h"

namespace approval::gateway {

std::optional<base::Secret> SecretVariable(const Environment& environment,
                                           const std::string& variable);

// The vault's passphrase, under the name that the policy gives its variable; `usage` names it.
base::Result<base::Secret> VaultPassphrase(const Invocation& call);

}  // namespace approval::gateway
