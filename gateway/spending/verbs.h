// The verbs that redeem tokens through adapters, and those that say which adapters there are.
#pragma once

#include "gateway/invocation.h"
#include "gateway/verb.h"

namespace approval::gateway {

HandlerMap SpendingHandlers();

int AdapterVerb(Invocation& call);
int AdapterEmailVerb(Invocation& call);
int AdapterAgentmailVerb(Invocation& call);
int AdapterInstallVerb(Invocation& call);
int AdapterListVerb(Invocation& call);
int AdapterUninstallVerb(Invocation& call);
int PayloadAgentmailDraftVerb(Invocation& call);

}  // namespace approval::gateway
