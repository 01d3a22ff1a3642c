// `approval adapter email`: spends an approved mail (adapters.md 3).
//
// The result goes to stdout on success and to stderr otherwise, flat under --json. The passphrase
// of the vault comes from the variable that the policy names, trust from SSL_CERT_FILE when set;
// nothing else is read from the environment.
#pragma once

#include "gateway/invocation.h"

namespace approval::gateway {

int AdapterEmailVerb(Invocation& call);

}  // namespace approval::gateway
