// The verb that checks an installation.
#pragma once

#include "gateway/invocation.h"
#include "gateway/verb.h"

namespace approval::gateway {

HandlerMap DoctorHandlers();

int DoctorVerb(Invocation& call);

}  // namespace approval::gateway
