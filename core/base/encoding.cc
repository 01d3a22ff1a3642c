#include "core/base/encoding.h"

#include <algorithm>

namespace approval::base {
namespace {

constexpr std::string_view kStandard =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kUrl =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

unsigned Byte(char c) { return static_cast<unsigned char>(c); }

std::string Encode64(std::string_view bytes, std::string_view alphabet, bool pad) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
    const unsigned group = (Byte(bytes[i]) << 16) | (left > 1 ? Byte(bytes[i + 1]) << 8 : 0) |
                           (left > 2 ? Byte(bytes[i + 2]) : 0);
    out.push_back(alphabet[(group >> 18) & 63]);
    out.push_back(alphabet[(group >> 12) & 63]);
    if (left > 1) out.push_back(alphabet[(group >> 6) & 63]);
    if (left > 2) out.push_back(alphabet[group & 63]);
    if (pad) out.append(3 - left, '=');
  }
  return out;
}

int Value64(char c) {
  if (c == '-') c = '+';
  if (c == '_') c = '/';
  const std::size_t at = kStandard.find(c);
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool IsAlnum(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace

std::string HexEncode(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    out.push_back(kDigits[Byte(c) >> 4]);
    out.push_back(kDigits[Byte(c) & 15]);
  }
  return out;
}

bool IsHex64(std::string_view text) {
  return text.size() == 64 && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

std::string Base64Encode(std::string_view bytes) { return Encode64(bytes, kStandard, true); }
std::string Base64UrlEncode(std::string_view bytes) { return Encode64(bytes, kUrl, false); }

std::optional<std::string> Base64Decode(std::string_view text) {
  std::string out;
  unsigned group = 0;
  int have = 0;
  bool padded = false;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') continue;
    if (c == '=') {
      padded = true;
      continue;
    }
    const int value = Value64(c);
    if (value < 0 || padded) return std::nullopt;
    group = (group << 6) | static_cast<unsigned>(value);
    if (++have == 4) {
      out.push_back(static_cast<char>(static_cast<unsigned char>(group >> 16)));
      out.push_back(static_cast<char>(static_cast<unsigned char>(group >> 8)));
      out.push_back(static_cast<char>(static_cast<unsigned char>(group)));
      group = 0;
      have = 0;
    }
  }
  if (have == 1) return std::nullopt;
  if (have == 2) out.push_back(static_cast<char>(static_cast<unsigned char>(group >> 4)));
  if (have == 3) {
    out.push_back(static_cast<char>(static_cast<unsigned char>(group >> 10)));
    out.push_back(static_cast<char>(static_cast<unsigned char>(group >> 2)));
  }
  return out;
}

std::optional<std::string> Base64DecodeExact(std::string_view text) {
  auto bytes = Base64Decode(text);
  if (!bytes || Base64Encode(*bytes) != text) return std::nullopt;
  return bytes;
}

std::string PercentEncode(std::string_view text, std::string_view safe) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (IsAlnum(c) || safe.find(c) != std::string_view::npos) {
      out.push_back(c);
      continue;
    }
    out.push_back('%');
    out.push_back(kDigits[Byte(c) >> 4]);
    out.push_back(kDigits[Byte(c) & 15]);
  }
  return out;
}

std::optional<std::string> PercentDecode(std::string_view text, bool plus_is_space) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus_is_space) {
      out.push_back(' ');
    } else if (text[i] == '%') {
      if (i + 2 >= text.size()) return std::nullopt;
      const int high = HexValue(text[i + 1]);
      const int low = HexValue(text[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      out.push_back(static_cast<char>(static_cast<unsigned char>(high * 16 + low)));
      i += 2;
    } else {
      out.push_back(text[i]);
    }
  }
  return out;
}

}  // namespace approval::base
