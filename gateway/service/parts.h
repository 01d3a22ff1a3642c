// Which channels run, and with what configuration: out of flags, policy and environment.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "channels/telegram/config.h"
#include "channels/web/web_channel.h"
#include "core/policy/policy.h"
#include "gateway/service/service.h"

namespace approval::gateway {

// Why a part does not run, for the line `part_unavailable`.
struct Unavailable {
  std::string part;
  std::string check;
  std::string detail;
  std::string fix;
};

// The port of the page, or nothing when neither flag nor policy asks for it.
std::optional<unsigned short> WebPort(const ServiceOptions& options, const policy::Policy& policy);

// The variables' values; blank ones count as unset.
tl::expected<telegram::TelegramConfig, Unavailable> TelegramSettings(const ServiceOptions& options,
                                                                     const policy::Policy& policy);

// `<home>/private` of the log: keys and caches of this gateway.
std::string PrivateFolder(const std::string& log_path);

}  // namespace approval::gateway
