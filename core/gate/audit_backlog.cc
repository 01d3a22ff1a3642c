#include "core/gate/audit_backlog.h"

#include <algorithm>

namespace approval::gate {

std::vector<SampledAudit> AuditBacklog(const log::VerifiedLog& log) {
  std::vector<SampledAudit> open;
  for (const log::Record& record : log.records()) {
    if (record.event == "audit.sampled") {
      open.push_back({record.seq, record.ts, record.actor, record.task, record.action_key});
    } else if (record.event == "audit.reviewed") {
      std::erase_if(open, [&record](const SampledAudit& sample) {
        return sample.action_key ? sample.action_key == record.action_key
                                 : sample.task && sample.task == record.task;
      });
    }
  }
  return open;
}

}  // namespace approval::gate
