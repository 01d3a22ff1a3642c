// `approval adapter email`: the execution sequence on the command line (adapters.md 2.4, 3).
#pragma once

#include "gateway/invocation.h"

namespace approval::gateway {

int AdapterEmailVerb(Invocation& call);

}  // namespace approval::gateway
