// Hex, base64 and percent encoding of bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace approval::base {

// The same memory seen as characters; valid as long as `bytes`.
template <std::size_t N>
std::string_view AsBytes(const std::array<std::uint8_t, N>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string HexEncode(std::string_view bytes);  // lowercase

// Exactly 64 characters of 0-9 a-f.
bool IsHex64(std::string_view text);

std::string Base64Encode(std::string_view bytes);     // standard alphabet, padded
std::string Base64UrlEncode(std::string_view bytes);  // URL alphabet, no padding

// Accepts both alphabets, optional padding and ASCII white space; anything else is nothing.
std::optional<std::string> Base64Decode(std::string_view text);

// Only the spelling that Base64Encode gives, which every decoder reads alike.
std::optional<std::string> Base64DecodeExact(std::string_view text);

// Every byte outside A-Z a-z 0-9 and `safe` becomes %XX, upper case.
std::string PercentEncode(std::string_view text, std::string_view safe);

// %XX and, when `plus_is_space`, '+' decoded; nothing for a broken escape.
std::optional<std::string> PercentDecode(std::string_view text, bool plus_is_space);

}  // namespace approval::base
