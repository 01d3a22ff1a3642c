// Which URLs the client opens: https to anywhere, http to this machine alone.
#pragma once

#include <string>

#include "core/base/error.h"

namespace approval::net {

struct CheckedUrl {
  bool loopback = false;  // the host is this machine by its spelling
};

// `usage` for a URL that is not opened; the text never repeats the URL.
base::Result<CheckedUrl> CheckUrl(const std::string& url);

}  // namespace approval::net
