// The ASCII form of one host label and back (RFC 3492), so that a name is shown as what it is.
//
// No mapping and no normalization beyond ASCII lower case. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace approval::render {

// `xn--` and the encoded label; an ASCII label is only lowered. Nothing for text that is not UTF-8.
std::optional<std::string> ToAsciiLabel(std::string_view label);

// The label behind `xn--`, as UTF-8; nothing when it does not decode.
std::optional<std::string> FromAsciiLabel(std::string_view label);

}  // namespace approval::render
