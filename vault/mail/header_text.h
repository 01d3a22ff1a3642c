// What may be written into a header of a mail: display names, file names, message ids
// (docs/email.md).
//
// Pure functions over any bytes. What they accept is UTF-8 of one line in which every character can
// be seen, so that no reader of the mail sees another text than the person who approved it.
#pragma once

#include <string_view>

namespace approval::mail {

inline constexpr std::size_t kMaxName = 128;       // code points
inline constexpr std::size_t kMaxMessageId = 250;  // bytes, brackets included

// A C0 or C1 control, or bytes that are not UTF-8.
bool HasControl(std::string_view text);

// A code point that cannot be seen, changes the direction, or is a blank other than U+0020.
bool IsHidden(char32_t code_point);

// Between 1 and kMaxName visible characters; no blank at either end, no two in a row, and no `=?`,
// which a reader would decode.
bool IsVisibleLine(std::string_view text);

// A visible line that cannot be taken for an address: no `@` in any width, no angle bracket.
bool IsDisplayName(std::string_view text);

// A visible line that names a file in no folder.
bool IsFileName(std::string_view text);

// `<left@right>`, printable ASCII, at most kMaxMessageId.
bool IsMessageId(std::string_view text);

}  // namespace approval::mail
