// What the adapter reads from its window. Internal to the room.
#pragma once

#include <string>

#include <tl/expected.hpp>

#include "vault/adapters/agentmail/agentmail_adapter.h"

namespace approval::adapters::agentmail {

struct Settings {
  std::string inbox_id;
  base::Secret key;
  ApiOptions api;
};

// `agentmail-config-invalid`, or the window's own code.
tl::expected<Settings, ActFailed> ReadSettings(CredentialWindow& window,
                                               const AgentmailOptions& options);

}  // namespace approval::adapters::agentmail
