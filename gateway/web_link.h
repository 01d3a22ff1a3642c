// What a running page and `approval channel web link` share in the private folder: the key that
// makes login links, and the port (spec README item 21).
#pragma once

#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/base/secret.h"

namespace approval::gateway {

// The key, made at the first use.
base::Result<base::Secret> WebLinkKey(const std::string& private_folder, base::Random& random);

// A cache: losing it only means that no link can be made from outside.
void SaveWebPort(const std::string& private_folder, unsigned short port);
std::optional<unsigned short> SavedWebPort(const std::string& private_folder);

}  // namespace approval::gateway
