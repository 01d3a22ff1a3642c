// Finds strings that look like credentials, to warn about them before they land in a chat (FR-064).
//
// Promise: what comes back names the kind and the place, never a character of the value.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace approval::render {

// `an API key (sk-…) at character 23`, at most one entry of each kind.
std::vector<std::string> SecretLikeStrings(std::string_view text);

}  // namespace approval::render
