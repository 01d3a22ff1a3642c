// The service loop of `up`: one io_context thread that watches the log, keeps the view fresh, ends
// lapsed requests and runs the channels (DESIGN 3, surfaces.md 14.1, spec README items 16, 20, 21).
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "core/base/clock.h"
#include "core/base/random.h"
#include "core/gate/gate.h"
#include "gateway/invocation.h"

namespace approval::gateway {

struct ServiceOptions {
  gate::GateOptions gate;
  std::string actor;
  bool json = false;
  Environment environment;

  bool web = true;
  bool web_required = false;  // `channel web`: it must run whatever the policy says
  std::optional<int> port{};
  bool login_link = true;
  bool open_browser = false;

  bool telegram = true;
  bool telegram_required = false;
  std::optional<std::string> api_base{};
  std::optional<std::chrono::seconds> poll_timeout{};
  std::optional<int> send_rate{};  // messages a second to the chat

  std::chrono::milliseconds restart_backoff{1000};
};

// Runs until SIGTERM or SIGINT, or until a part that is required cannot run. Returns the exit code.
int RunService(const ServiceOptions& options, base::Clock& clock, base::Random& random);

}  // namespace approval::gateway
