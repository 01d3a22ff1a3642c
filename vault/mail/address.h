// The addresses that a payload may hold (adapters.md 3.1, docs/email.md).
//
// Pure functions. A bare address is ASCII and can be written into a header or an SMTP command as it
// stands. An international one has letters beyond ASCII in its domain only and stands for what the
// adapter maps it to before anything leaves this machine; whether it can be mapped is the adapter's
// to find out.
#pragma once

#include <string_view>

namespace approval::mail {

// At most 254 characters, the local part at most 64; no quotes, comments, literals or dots in a
// row.
bool IsMailAddress(std::string_view text);

// The same with letters beyond ASCII in the domain; no label mixes Latin, Greek and Cyrillic, where
// letters of one pass for letters of the other.
bool IsInternationalAddress(std::string_view text);

// What follows the last @.
std::string_view DomainOf(std::string_view address);

bool IsAscii(std::string_view text);

}  // namespace approval::mail
