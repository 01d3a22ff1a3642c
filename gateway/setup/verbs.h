// The verbs that set a project up, and `approval env` (adapters.md 7).
#pragma once

#include "gateway/invocation.h"
#include "gateway/verb.h"

namespace approval::gateway {

HandlerMap SetupHandlers();

int EnvVerb(Invocation& call);
int SetupVerb(Invocation& call);
int SetupIdentityVerb(Invocation& call);
int SetupVaultVerb(Invocation& call);
int SetupSamplingVerb(Invocation& call);
int SetupTelegramVerb(Invocation& call);
int SetupChannelVerb(Invocation& call);
int SetupAdapterVerb(Invocation& call);
int SetupServiceVerb(Invocation& call);

}  // namespace approval::gateway
