// An exclusive lock on a folder, held while the object lives (flock; gone with the process).
#pragma once

#include <string>

#include "core/base/error.h"
#include "core/base/files.h"

namespace approval::vault {

class FolderLock {
 public:
  // Waits up to `wait_ms` for other holders. `io` when the folder cannot be locked by then.
  static base::Result<FolderLock> Take(const std::string& folder, int wait_ms);

 private:
  explicit FolderLock(base::Descriptor held) : held_(std::move(held)) {}
  base::Descriptor held_;
};

}  // namespace approval::vault
