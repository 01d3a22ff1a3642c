// Writes QUEUE.md beside the log: the one way for `render` and the service (surfaces.md 13.5).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/gate/payload_store.h"
#include "core/log/record.h"
#include "core/policy/load.h"

namespace approval::gateway {

struct QueueFileWritten {
  std::string path;
  std::size_t bytes = 0;
  std::optional<log::Head> head;
  std::size_t pending = 0;
  std::size_t skipped = 0;
  std::size_t audit_backlog = 0;
};

// QUEUE.md of this state at this instant, replaced as a whole. `write-failed` leaves the old file
// and nothing beside it.
base::Result<QueueFileWritten> WriteQueueFile(const std::string& log_path,
                                              const log::VerifiedLog& log,
                                              const policy::LoadResult& load,
                                              const gate::PayloadStore& store,
                                              std::int64_t now_ms);

}  // namespace approval::gateway
