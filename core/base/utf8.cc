#include "core/base/utf8.h"

#include <algorithm>
#include <vector>

namespace approval::base {
namespace {

constexpr unsigned Byte(char c) { return static_cast<unsigned char>(c); }

// The units of a string one after the other, two for a supplementary code point.
class Utf16Units {
 public:
  explicit Utf16Units(std::string_view text) : text_(text) {}

  // Next unit, or -1 at the end.
  int Next() {
    if (pending_ >= 0) {
      const int unit = pending_;
      pending_ = -1;
      return unit;
    }
    if (offset_ >= text_.size()) return -1;
    const CodePoint cp = DecodeAt(text_, offset_, true);
    offset_ += cp.length;
    if (!cp.ok) return 0xFFFD;
    if (cp.value < 0x10000) return static_cast<int>(cp.value);
    const char32_t rest = cp.value - 0x10000;
    pending_ = static_cast<int>(0xDC00 + (rest & 0x3FF));
    return static_cast<int>(0xD800 + (rest >> 10));
  }

 private:
  std::string_view text_;
  std::size_t offset_ = 0;
  int pending_ = -1;
};

}  // namespace

CodePoint DecodeAt(std::string_view text, std::size_t offset, bool allow_surrogates) {
  const unsigned first = Byte(text[offset]);
  if (first < 0x80) return {static_cast<char32_t>(first), 1, true};
  std::size_t need = 0;
  unsigned low = 0x80;
  unsigned high = 0xBF;
  char32_t value = 0;
  if (first >= 0xC2 && first <= 0xDF) {
    need = 1;
    value = first & 0x1F;
  } else if (first >= 0xE0 && first <= 0xEF) {
    need = 2;
    value = first & 0x0F;
    if (first == 0xE0) low = 0xA0;
    if (first == 0xED && !allow_surrogates) high = 0x9F;
  } else if (first >= 0xF0 && first <= 0xF4) {
    need = 3;
    value = first & 0x07;
    if (first == 0xF0) low = 0x90;
    if (first == 0xF4) high = 0x8F;
  } else {
    return {0xFFFD, 1, false};
  }
  for (std::size_t i = 1; i <= need; ++i) {
    if (offset + i >= text.size()) return {0xFFFD, i, false};
    const unsigned next = Byte(text[offset + i]);
    if (next < low || next > high) return {0xFFFD, i, false};
    low = 0x80;
    high = 0xBF;
    value = (value << 6) | (next & 0x3F);
  }
  return {value, need + 1, true};
}

bool IsValidUtf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    if (Byte(text[i]) < 0x80) {
      ++i;
      continue;
    }
    const CodePoint cp = DecodeAt(text, i);
    if (!cp.ok) return false;
    i += cp.length;
  }
  return true;
}

std::string ReplaceIllFormed(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  for (std::size_t i = 0; i < bytes.size();) {
    const CodePoint cp = DecodeAt(bytes, i);
    if (cp.ok) {
      out.append(bytes, i, cp.length);
    } else {
      out.append("\xEF\xBF\xBD");
    }
    i += cp.length;
  }
  return out;
}

void AppendUtf8(std::string& out, char32_t cp) {
  const auto put = [&out](char32_t byte) {
    out.push_back(static_cast<char>(static_cast<unsigned char>(byte)));
  };
  if (cp < 0x80) {
    put(cp);
  } else if (cp < 0x800) {
    put(0xC0 | (cp >> 6));
    put(0x80 | (cp & 0x3F));
  } else if (cp < 0x10000) {
    put(0xE0 | (cp >> 12));
    put(0x80 | ((cp >> 6) & 0x3F));
    put(0x80 | (cp & 0x3F));
  } else {
    put(0xF0 | (cp >> 18));
    put(0x80 | ((cp >> 12) & 0x3F));
    put(0x80 | ((cp >> 6) & 0x3F));
    put(0x80 | (cp & 0x3F));
  }
}

std::size_t CountCodePoints(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (Byte(c) & 0xC0) != 0x80; }));
}

std::size_t CountUtf16Units(std::string_view text) {
  std::size_t units = 0;
  for (const char c : text) {
    const unsigned byte = Byte(c);
    if ((byte & 0xC0) != 0x80) units += byte >= 0xF0 ? 2 : 1;
  }
  return units;
}

int CompareUtf16(std::string_view a, std::string_view b) {
  const std::size_t shared = std::min(a.size(), b.size());
  std::size_t i = 0;
  while (i < shared && a[i] == b[i]) ++i;
  if (i == shared) {
    if (a.size() == b.size()) return 0;
    return a.size() < b.size() ? -1 : 1;
  }
  const unsigned x = Byte(a[i]);
  const unsigned y = Byte(b[i]);
  // Byte order and unit order differ only between supplementary characters and U+D800 to U+FFFF.
  if (x < 0xED || y < 0xED) return x < y ? -1 : 1;
  Utf16Units left(a);
  Utf16Units right(b);
  for (;;) {
    const int u = left.Next();
    const int v = right.Next();
    if (u != v) return u < v ? -1 : 1;
    if (u < 0) return 0;
  }
}

std::string AsciiLower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string CutText(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return std::string(text);
  std::size_t end = max_bytes;
  while (end > 0 && (Byte(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "…";
}

bool IsEcmaSpace(char32_t cp) {
  switch (cp) {
    case 0x09:
    case 0x0A:
    case 0x0B:
    case 0x0C:
    case 0x0D:
    case 0x20:
    case 0xA0:
    case 0x1680:
    case 0x2028:
    case 0x2029:
    case 0x202F:
    case 0x205F:
    case 0x3000:
    case 0xFEFF:
      return true;
    default:
      return cp >= 0x2000 && cp <= 0x200A;
  }
}

bool IsEcmaBlank(std::string_view text) { return TrimEcma(text).empty(); }

std::string_view TrimEcma(std::string_view text) {
  while (!text.empty()) {
    const CodePoint cp = DecodeAt(text, 0);
    if (!cp.ok || !IsEcmaSpace(cp.value)) break;
    text.remove_prefix(cp.length);
  }
  while (!text.empty()) {
    std::size_t start = text.size() - 1;
    while (start > 0 && text.size() - start < 4 && (Byte(text[start]) & 0xC0) == 0x80) --start;
    const CodePoint cp = DecodeAt(text, start);
    if (!cp.ok || start + cp.length != text.size() || !IsEcmaSpace(cp.value)) break;
    text.remove_suffix(cp.length);
  }
  return text;
}

}  // namespace approval::base
