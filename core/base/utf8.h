// UTF-8 by hand: decoding, replacement of bad bytes, and code points for those who look at text.
//
// "WTF-8" is UTF-8 that may also hold lone surrogates in their three-byte form; only JSON strings
// read leniently carry it (core.md 2.3, 2.4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace approval::base {

struct CodePoint {
  char32_t value;      // meaningful when ok
  std::size_t length;  // bytes taken; of an ill-formed sequence, its maximal subpart, at least 1
  bool ok;
};

// The code point at `offset`, which must be inside the text. Surrogates in three-byte form are
// ok only when `allow_surrogates`.
CodePoint DecodeAt(std::string_view text, std::size_t offset, bool allow_surrogates = false);

bool IsValidUtf8(std::string_view text);

// Every maximal ill-formed subpart becomes one U+FFFD; a byte-order mark stays.
std::string ReplaceIllFormed(std::string_view bytes);

void AppendUtf8(std::string& out, char32_t code_point);

std::size_t CountCodePoints(std::string_view text);

// UTF-16 code units needed for the text, the unit in which Telegram counts.
std::size_t CountUtf16Units(std::string_view text);

// Compares as sequences of UTF-16 code units (RFC 8785): negative, zero or positive.
int CompareUtf16(std::string_view a, std::string_view b);

// A to Z become a to z; every other byte stays.
std::string AsciiLower(std::string_view text);

// At most `max_bytes` of the text, never ending inside a code point, with `…` behind what was cut.
std::string CutText(std::string_view text, std::size_t max_bytes);

// White space in the ECMAScript sense, line ends included (core.md 2.3).
bool IsEcmaSpace(char32_t code_point);
bool IsEcmaBlank(std::string_view text);
std::string_view TrimEcma(std::string_view text);

}  // namespace approval::base
