#include "vault/mail/header_text.h"

#include <algorithm>
#include <array>

#include "core/base/char_table.h"
#include "core/base/utf8.h"

namespace approval::mail {
namespace {

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
  const base::CharClass looks = base::ClassOf(code_point);
  // The replacement character stands for text that was lost.
  return looks == base::CharClass::kSpace || looks == base::CharClass::kInvisible ||
         code_point == 0xfffd;
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
