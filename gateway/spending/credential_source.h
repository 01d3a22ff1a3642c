// Where the credentials of an adapter come from, said in one place.
//
// The passphrase is what this process was started with, under the name that the policy gives it.
// Inside a grant whose token was shown or spent, and nowhere else, the source map's line for that
// one variable may serve instead: a daemon without a passphrase then runs an approved send, and
// nothing else. Reading happens when a window asks. The call outlives the source.
#pragma once

#include "gateway/invocation.h"
#include "vault/adapters/credentials.h"

namespace approval::gateway {

adapters::CredentialSource MakeCredentialSource(const Invocation& call);

// `--vault`, else the one beside the log.
std::string VaultPathOf(const Invocation& call);

}  // namespace approval::gateway
