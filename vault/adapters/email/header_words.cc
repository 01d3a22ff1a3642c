#include "vault/adapters/email/header_words.h"

#include <algorithm>

#include "core/base/encoding.h"
#include "core/base/utf8.h"

namespace approval::adapters::email {
namespace {

constexpr std::size_t kMaxPlainWord = 60;
constexpr std::size_t kMaxPlainName = 60;
constexpr std::size_t kWordBytes = 45;  // 72 characters with its marks
constexpr std::size_t kMaxLine = 78;

bool IsAtomChar(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("!#$%&'*+/=?^_`{|}~- ").find(c) != std::string_view::npos;
}

// How much of the text the next word takes: whole characters, and whole groups of three bytes where
// that can be had, since readers that decode neighbouring words together stop at padding.
std::size_t WordLength(std::string_view text, std::size_t room) {
  std::size_t end = 0;
  std::size_t grouped = 0;
  while (end < text.size()) {
    const std::size_t length = base::DecodeAt(text, end).length;
    if (end + length > room) return grouped != 0 ? grouped : end;
    end += length;
    if (end % 3 == 0) grouped = end;
  }
  return end;
}

// Atoms, a quoted string, or encoded words behind a line break.
std::string Phrase(std::string_view name) {
  const bool ascii =
      std::all_of(name.begin(), name.end(), [](char c) { return c >= ' ' && c < 0x7f; });
  if (!ascii || name.size() > kMaxPlainName) return EncodedWords(name, kWordBytes);
  if (std::all_of(name.begin(), name.end(), IsAtomChar)) return " " + std::string(name);
  std::string quoted = " \"";
  for (const char c : name) {
    if (c == '"' || c == '\\') quoted.push_back('\\');
    quoted.push_back(c);
  }
  return quoted + '"';
}

}  // namespace

bool IsPlainSubject(std::string_view text) {
  std::size_t word = 0;
  char before = ' ';
  for (const char c : text) {
    if (c < 0x20 || c > 0x7e || (c == ' ' && before == ' ')) return false;
    word = c == ' ' ? 0 : word + 1;
    if (word > kMaxPlainWord) return false;
    before = c;
  }
  return (text.empty() || before != ' ') && text.find("=?") == std::string_view::npos;
}

std::string EncodedWords(std::string_view text, std::size_t first_room) {
  std::string out;
  std::size_t room = first_room;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = at + WordLength(text.substr(at), room);
    out += (out.empty() ? " " : "\n ");
    out += "=?UTF-8?B?" + base::Base64Encode(text.substr(at, end - at)) + "?=";
    at = end;
    room = kWordBytes;
  }
  return out;
}

std::string AddressLines(const std::vector<std::string>& addresses,
                         const std::map<std::string, std::string>& names) {
  std::string out;
  for (const std::string& address : addresses) {
    if (!out.empty()) out += ",\n";
    const auto name = names.find(address);
    if (name == names.end()) {
      out += " " + address;
      continue;
    }
    const std::string phrase = Phrase(name->second);
    const std::size_t last_line = phrase.size() - (phrase.rfind('\n') + 1);
    // Room for the header's own name as well, and for the comma.
    const bool fits = last_line + address.size() + 4 + (out.empty() ? 10 : 0) <= kMaxLine;
    out += (out.empty() && phrase.find('\n') != std::string::npos ? "\n" : "") + phrase +
           (fits ? " <" : "\n <") + address + ">";
  }
  return out + "\n";
}

}  // namespace approval::adapters::email
