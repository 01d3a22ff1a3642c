// Text as it stands in a header: plain where every reader takes it for itself, else encoded words
// (RFC 2047), folded.
//
// Texts hold no control character and names no `=?`. Lines are ended by one LF; the library that
// writes the message makes CRLF of it. Pure.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace approval::adapters::email {

// Text that can be folded at its blanks without loss.
bool IsPlainSubject(std::string_view text);

// ` =?UTF-8?B?...?=` and further lines, each with at most 45 bytes of the text, the first with at
// most `first_room`; the last ends without LF.
std::string EncodedWords(std::string_view text, std::size_t first_room);

// The value of an address header: every address on a line of its own behind its name, if it has one
// in `names`; ends with LF.
std::string AddressLines(const std::vector<std::string>& addresses,
                         const std::map<std::string, std::string>& names);

}  // namespace approval::adapters::email
