// The verbs that redeem tokens through adapters.
#pragma once

#include "gateway/invocation.h"
#include "gateway/verb.h"

namespace approval::gateway {

HandlerMap SpendingHandlers();

int AdapterEmailVerb(Invocation& call);

}  // namespace approval::gateway
