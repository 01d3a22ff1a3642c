#include "vault/mail/address.h"

#include <algorithm>

#include "core/base/char_table.h"
#include "core/base/utf8.h"
#include "vault/mail/header_text.h"

namespace approval::mail {
namespace {

constexpr std::size_t kMaxAddress = 254;
constexpr std::size_t kMaxLocalPart = 64;

bool IsAlnum(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool IsLocalChar(char c) {
  return IsAlnum(c) || std::string_view("!#$%&'*+/=?^_`{|}~.-").find(c) != std::string_view::npos;
}

bool IsLocalPart(std::string_view local) {
  return !local.empty() && local.size() <= kMaxLocalPart && local.front() != '.' &&
         local.back() != '.' && local.find("..") == std::string_view::npos &&
         std::all_of(local.begin(), local.end(), IsLocalChar);
}

bool IsDomain(std::string_view domain) {
  const auto in_domain = [](char c) { return IsAlnum(c) || c == '.' || c == '-'; };
  return !domain.empty() && std::all_of(domain.begin(), domain.end(), in_domain) &&
         IsAlnum(domain.front()) && IsAlnum(domain.back()) &&
         domain.find("..") == std::string_view::npos;
}

bool IsIn(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

// Letters of names are outside these; full stops in other widths are inside.
bool IsNoLetter(char32_t c) {
  return c < 0xc0 || c == 0xd7 || c == 0xf7 || IsIn(c, 0x2000, 0x2fff) || IsIn(c, 0x3000, 0x3004) ||
         IsIn(c, 0x3008, 0x3020) || IsIn(c, 0xfe00, 0xffff) || c >= 0x1f000 || IsHidden(c);
}

struct Label {
  bool latin = false;
  bool greek = false;
  bool cyrillic = false;

  // By the script of a letter, and by the block for the marks and signs that go with one.
  void Add(char32_t c) {
    const base::Script script = base::LetterScript(c);
    latin |= script == base::Script::kLatin || IsIn(c, 0xc0, 0x24f) || IsIn(c, 0x1e00, 0x1eff);
    greek |= script == base::Script::kGreek || IsIn(c, 0x370, 0x3ff) || IsIn(c, 0x1f00, 0x1fff);
    cyrillic |= script == base::Script::kCyrillic || IsIn(c, 0x400, 0x52f) ||
                IsIn(c, 0x1c80, 0x1c8f) || IsIn(c, 0xa640, 0xa69f);
  }
  bool Mixed() const { return int{latin} + int{greek} + int{cyrillic} > 1; }
};

bool IsInternationalDomain(std::string_view domain) {
  if (domain.empty() || domain.front() == '.' || domain.front() == '-') return false;
  if (domain.back() == '.' || domain.back() == '-') return false;
  if (domain.find("..") != std::string_view::npos) return false;
  Label label;
  for (std::size_t at = 0; at < domain.size();) {
    const base::CodePoint point = base::DecodeAt(domain, at);
    const char ascii = domain[at];
    at += point.length;
    if (ascii == '.') {
      label = Label();
      continue;
    }
    const bool plain = point.value < 0x80 && (IsAlnum(ascii) || ascii == '-');
    if (!point.ok || (!plain && IsNoLetter(point.value))) return false;
    label.Add(point.value);
    if (label.Mixed()) return false;
  }
  return true;
}

}  // namespace

bool IsAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::string_view DomainOf(std::string_view address) {
  return address.substr(address.rfind('@') + 1);
}

bool IsMailAddress(std::string_view text) {
  const std::size_t at = text.find('@');
  return at != std::string_view::npos && text.size() <= kMaxAddress &&
         IsLocalPart(text.substr(0, at)) && IsDomain(text.substr(at + 1));
}

bool IsInternationalAddress(std::string_view text) {
  if (IsAscii(text)) return IsMailAddress(text);
  const std::size_t at = text.find('@');
  return at != std::string_view::npos && text.size() <= kMaxAddress &&
         IsLocalPart(text.substr(0, at)) && IsInternationalDomain(text.substr(at + 1));
}

}  // namespace approval::mail
