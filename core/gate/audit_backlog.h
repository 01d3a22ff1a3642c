// Sampled executions that nobody has reviewed yet (channels.md 6.1, surfaces.md 16).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/log/record.h"

namespace approval::gate {

struct SampledAudit {
  std::int64_t seq = 0;  // of the `audit.sampled` record
  std::string ts;
  std::string actor;
  std::optional<std::string> task;
  std::optional<std::string> action_key;
};

// Every `audit.sampled` without a later `audit.reviewed` of the same action key, or of the same
// task where the sample names no key; in log order.
std::vector<SampledAudit> AuditBacklog(const log::VerifiedLog& log);

}  // namespace approval::gate
