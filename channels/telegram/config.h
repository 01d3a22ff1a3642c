// What a Telegram channel is given at start; everything else comes with the view (channels.md 3.1).
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "channels/telegram/rate.h"
#include "core/base/secret.h"
#include "core/net/http_client.h"

namespace approval::telegram {

inline constexpr const char* kDefaultApiBase = "https://api.telegram.org";

struct TelegramConfig {
  base::Secret token;
  std::string chat_id;  // as configured; proved to be a 64-bit integer at start
  std::string api_base = kDefaultApiBase;
  std::string private_folder;  // `<home>/private`; made 0700 when missing
  std::chrono::seconds poll_timeout{25};
  std::chrono::milliseconds call_timeout{30'000};
  // Waits after a failed poll or send: from this, doubling, to the ceiling.
  std::chrono::milliseconds first_backoff{1'000};
  std::chrono::milliseconds backoff_ceiling{30'000};
  std::chrono::milliseconds forbidden_retry{60'000};  // after a 403
  RateLimits rate{};
  net::HttpOptions http{};
};

}  // namespace approval::telegram
