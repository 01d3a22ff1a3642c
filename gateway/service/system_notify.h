// Tells a service manager how we are (sd_notify protocol); does nothing without one.
#pragma once

#include <string>

namespace approval::gateway {

// `socket_path` is the value of NOTIFY_SOCKET; `state` such as "READY=1".
void NotifyManager(const std::string& socket_path, const std::string& state);

}  // namespace approval::gateway
