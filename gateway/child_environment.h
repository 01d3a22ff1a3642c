// The environment of a child process without credentials (core.md 5.10, adapters.md 4.4).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace approval::gateway {

struct ChildEnvironment {
  std::vector<std::string> entries;  // NAME=value
  std::int64_t stripped = 0;
};

// This process's environment less every variable whose name begins APPROVAL_, TELEGRAM_, VAULT_ or
// AGENTMAIL_, and less the policy's passphrase variable.
ChildEnvironment StripCredentials(const std::string& passphrase_variable);

}  // namespace approval::gateway
