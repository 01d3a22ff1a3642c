// Reads a log from its file, streamed in blocks, and proves it (core.md 2.8, 1.4).
#pragma once

#include <string>

#include "core/base/error.h"
#include "core/log/verify.h"

namespace approval::log {

inline constexpr const char* kDefaultLogPath = ".approval/log/events.jsonl";

// Feeds the whole file to `verifier`. An absent file feeds nothing. `io` when it is there and
// cannot be read, or is no regular file.
base::Result<void> FeedFile(const std::string& path, Verifier& verifier);

// A verified read: all records of a clean log, or `log-unreadable`, `log-torn-tail`, `log-corrupt`.
// An absent log beside a payload store or key folder that is in use is `log-unreadable`, never an
// empty log (spec README item 13).
base::Result<VerifiedLog> ReadVerified(const std::string& path);

// The verdict of a walk as the refusal a gate verb answers, or nothing for a clean one.
std::optional<base::Error> RefusalOf(const Verdict& verdict);

// The home folder of a log: the parent of a folder called `log`, else the log's own folder
// (core.md 1.6, adapters.md 1.1).
std::string HomeOf(const std::string& log_path);

}  // namespace approval::log
