// Verbs that set a project up and look after it.
#include "gateway/verb_flags.h"

namespace approval::gateway {

void AddSetupVerbs(std::vector<VerbSpec>& table) { static_cast<void>(table); }

}  // namespace approval::gateway
