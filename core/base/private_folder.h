// The gateway's private folder: keys and caches that nobody else reads, and git never sees.
//
// The folder is 0700 with a `.gitignore` of `*`. Nothing in it is deleted by us.
#pragma once

#include <string>

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/base/secret.h"

namespace approval::base {

// Makes the folder and its .gitignore when missing. `io` when it cannot, or when its mode lets
// others in and cannot be narrowed.
Result<void> PreparePrivateFolder(const std::string& folder);

// The 32 bytes of `<folder>/<name>`, made exclusively with mode 0600 at the first use; of several
// makers the first wins. `io` for a key of another length or with a wider mode.
Result<Secret> PrivateKey(const std::string& folder, const std::string& name, Random& random);

}  // namespace approval::base
