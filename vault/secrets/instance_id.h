// Which project a keystore item belongs to: eight hex digits of the `.approval` folder's absolute
// path, links not resolved (adapters.md 7.3).
#pragma once

#include <string>

namespace approval::secrets {

// `home` is made absolute against the working directory.
std::string InstanceId(const std::string& home);

// Names of the items that setup makes.
struct ItemNames {
  std::string telegram_token;
  std::string vault_passphrase;
  std::string sampling_secret;
};
ItemNames ItemNamesFor(const std::string& instance_id);

// Whose item a name of the convention's form is.
enum class ItemScope { kMine, kLegacy, kOtherInstance, kUnknown };
ItemScope ScopeOf(const std::string& item, const std::string& instance_id);

}  // namespace approval::secrets
