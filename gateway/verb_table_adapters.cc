// Verbs that redeem tokens through adapters.
#include "gateway/verb_flags.h"

namespace approval::gateway {

void AddAdapterVerbs(std::vector<VerbSpec>& table) {
  table.push_back({"adapter email",
                   "send exactly the mail that was approved",
                   "<key>",
                   1,
                   {kPayload,
                    {"token", "<token>", "a sealed one is opened by itself"},
                    kAs,
                    kVault,
                    kPolicy,
                    kDir,
                    kLog,
                    {"timeout", "<ms>", "for the whole session; default 30000"}},
                   "1 refused, 2 usage, 3 torn log, 4 files, 5 token required",
                   "ok, adapter, action_key, task, class, autonomy, payload_hash, started_seq, "
                   "outcome, outcome_seq, exit_code, detail, redactions"});
  table.back().program = Program::kGateway;
}

}  // namespace approval::gateway
