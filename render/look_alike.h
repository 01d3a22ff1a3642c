// Words that mix scripts or hold letters in disguise (channels.md 2.9, look-alike letters).
//
// Pure functions over any bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace approval::render {

// The distinct words (runs of letters) of `text` that mix Latin with Cyrillic or Greek, or hold a
// fullwidth or mathematical letter; quoted, the odd letters as `«U+XXXX»`, in order of appearance;
// a long word is cut and says so.
std::vector<std::string> LookAlikeWords(std::string_view text);

}  // namespace approval::render
