// The service of a user's own account, as `setup service` writes it and doctor looks for it.
#pragma once

#include <string>

namespace approval::gateway {

inline constexpr const char* kSystemdLabel = "approval-up";

// `~/.config/systemd/user/<label>.service` below that home folder.
std::string UserUnitPath(const std::string& home, const std::string& label);

// Whether the account's services go on without a login (`loginctl enable-linger`).
bool AccountLingers();

}  // namespace approval::gateway
