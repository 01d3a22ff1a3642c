#include "vault/mail/header_text.h"

#include <algorithm>
#include <array>

#include "core/base/utf8.h"

namespace approval::mail {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// Blanks, format and direction controls, fillers, variation selectors, tags, private use.
constexpr std::array<Range, 25> kHidden = {{
    {0x0000, 0x001f},    {0x007f, 0x00a0},   {0x00ad, 0x00ad},   {0x034f, 0x034f},
    {0x061c, 0x061c},    {0x115f, 0x1160},   {0x1680, 0x1680},   {0x17b4, 0x17b5},
    {0x180b, 0x180f},    {0x2000, 0x200f},   {0x2028, 0x202f},   {0x205f, 0x206f},
    {0x2800, 0x2800},    {0x3000, 0x3000},   {0x3164, 0x3164},   {0xe000, 0xf8ff},
    {0xfdd0, 0xfdef},    {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0},
    {0xfff0, 0xffff},    {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
    {0xf0000, 0x10ffff},
}};

// The commercial at in its other widths, and what draws like an angle bracket beside it.
constexpr std::array<char32_t, 8> kAddressMarks = {'@',    '<',    '>',    0xff20,
                                                   0xfe6b, 0xff1c, 0xff1e, 0x2039};

}  // namespace

bool HasControl(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const base::CodePoint point = base::DecodeAt(text, at);
    if (!point.ok) return true;
    if (point.value < 0x20 || (point.value >= 0x7f && point.value < 0xa0)) return true;
    at += point.length;
  }
  return false;
}

bool IsHidden(char32_t code_point) {
  return std::any_of(kHidden.begin(), kHidden.end(), [code_point](const Range& range) {
    return code_point >= range.first && code_point <= range.last;
  });
}

bool IsVisibleLine(std::string_view text) {
  if (text.empty() || text.front() == ' ' || text.back() == ' ') return false;
  if (text.find("  ") != std::string_view::npos) return false;
  if (text.find("=?") != std::string_view::npos) return false;
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) {
    const base::CodePoint point = base::DecodeAt(text, at);
    if (!point.ok || IsHidden(point.value)) return false;
    at += point.length;
  }
  return count <= kMaxName;
}

bool IsDisplayName(std::string_view text) {
  if (!IsVisibleLine(text)) return false;
  for (std::size_t at = 0; at < text.size();) {
    const base::CodePoint point = base::DecodeAt(text, at);
    if (std::find(kAddressMarks.begin(), kAddressMarks.end(), point.value) != kAddressMarks.end()) {
      return false;
    }
    at += point.length;
  }
  return true;
}

bool IsFileName(std::string_view text) {
  return IsVisibleLine(text) && text != "." && text != ".." &&
         text.find_first_of("/\\") == std::string_view::npos;
}

bool IsMessageId(std::string_view text) {
  if (text.size() < 5 || text.size() > kMaxMessageId) return false;
  if (text.front() != '<' || text.back() != '>') return false;
  const std::string_view inner = text.substr(1, text.size() - 2);
  const bool plain = std::all_of(inner.begin(), inner.end(), [](char c) {
    return c > ' ' && c < 0x7f &&
           std::string_view("<>()[]\\\",;:").find(c) == std::string_view::npos;
  });
  const std::size_t at = inner.find('@');
  return plain && at != std::string_view::npos && at == inner.rfind('@') && at > 0 &&
         at + 1 < inner.size();
}

}  // namespace approval::mail
