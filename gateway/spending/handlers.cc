#include "gateway/spending/verbs.h"

namespace approval::gateway {

HandlerMap SpendingHandlers() { return {{"adapter email", AdapterEmailVerb}}; }

}  // namespace approval::gateway
