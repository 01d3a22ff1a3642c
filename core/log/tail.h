// The end of a log without reading the rest: what an append follows (core.md 1.4).
#pragma once

#include <optional>

#include "core/base/error.h"
#include "core/log/record.h"

namespace approval::log {

// Head of the file open for reading at `fd`; a null head for an empty file. Only the last line is
// looked at. `corrupt-tail` when it is not a terminated record line, `io` when it cannot be read.
base::Result<std::optional<Head>> ReadTail(int fd);

}  // namespace approval::log
