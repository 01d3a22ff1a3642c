// Opens a page in the person's browser.
#pragma once

#include <string>

#include "core/base/error.h"

namespace approval::gateway {

// Starts `xdg-open` and does not wait for it. `io` when it cannot be started.
base::Result<void> OpenInBrowser(const std::string& url);

}  // namespace approval::gateway
