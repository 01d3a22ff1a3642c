// Version and build id of the running program.
#pragma once

#include <string>

namespace approval::base {

// `approval 0.1.0 (build <20 bytes in hex>)`; "unknown" when the linker left no build id.
std::string VersionLine();

// Lowercase hex, or empty.
std::string BuildId();

}  // namespace approval::base
