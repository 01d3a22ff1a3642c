#include "gateway/child_environment.h"

#include <unistd.h>

#include <string_view>

namespace approval::gateway {
namespace {

bool IsCredential(std::string_view name, std::string_view passphrase_variable) {
  for (const std::string_view prefix : {"APPROVAL_", "TELEGRAM_", "VAULT_", "AGENTMAIL_"}) {
    if (name.substr(0, prefix.size()) == prefix) return true;
  }
  return name == passphrase_variable;
}

}  // namespace

ChildEnvironment StripCredentials(const std::string& passphrase_variable) {
  ChildEnvironment result;
  for (char** at = ::environ; at != nullptr && *at != nullptr; ++at) {
    const std::string_view entry(*at);
    if (IsCredential(entry.substr(0, entry.find('=')), passphrase_variable)) {
      ++result.stripped;
    } else {
      result.entries.emplace_back(entry);
    }
  }
  return result;
}

}  // namespace approval::gateway
