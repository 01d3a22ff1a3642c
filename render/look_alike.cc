#include "render/look_alike.h"

#include <fmt/format.h>

#include <set>

#include "core/base/char_table.h"
#include "core/base/utf8.h"
#include "render/quote.h"

namespace approval::render {
namespace {

using base::CharClass;
using base::ClassOf;
using base::LetterScript;
using base::Script;

constexpr std::size_t kMaxLetters = 40;

struct Word {
  bool latin = false;
  bool foreign = false;  // Cyrillic or Greek
  bool styled = false;
  std::vector<char32_t> letters;

  bool Odd() const { return styled || (latin && foreign); }

  void Add(char32_t cp, Script script) {
    latin |= script == Script::kLatin;
    foreign |= script == Script::kCyrillic || script == Script::kGreek;
    styled |= script == Script::kStyled;
    letters.push_back(cp);
  }

  void Clear() {
    latin = foreign = styled = false;
    letters.clear();
  }

  std::string Drawn() const {
    std::string out;
    std::size_t left = letters.size();
    for (const char32_t cp : letters) {
      if (letters.size() - left == kMaxLetters) return out + "«cut: " + std::to_string(left) + "»";
      --left;
      const Script script = LetterScript(cp);
      if (script == Script::kLatin) {
        base::AppendUtf8(out, cp);
      } else if (script == Script::kStyled || latin) {
        out += fmt::format("«U+{:04X}»", static_cast<std::uint32_t>(cp));
      } else {
        base::AppendUtf8(out, cp);
      }
    }
    return out;
  }
};

bool IsAsciiLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Where the word begins that the next character beyond ASCII may belong to; the end without one. A
// word of ASCII alone is never odd.
std::size_t NextCandidate(std::string_view text, std::size_t offset) {
  std::size_t at = offset;
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  if (at == text.size()) return at;
  while (at > offset && IsAsciiLetter(text[at - 1])) --at;
  return at;
}

}  // namespace

std::vector<std::string> LookAlikeWords(std::string_view text) {
  std::vector<std::string> found;
  std::set<std::string> seen;
  Word word;
  const auto end_word = [&] {
    if (word.Odd()) {
      std::string drawn = word.Drawn();
      if (seen.insert(drawn).second) found.push_back(std::move(drawn));
    }
    word.Clear();
  };
  for (std::size_t offset = NextCandidate(text, 0); offset < text.size();) {
    const base::CodePoint cp = base::DecodeAt(text, offset, true);
    offset += cp.length;
    const Script script = cp.ok ? LetterScript(cp.value) : Script::kOther;
    if (script != Script::kOther) {
      word.Add(cp.value, script);
      continue;
    }
    // A mark or a hidden character does not end the word that it sits in.
    if (cp.ok && cp.value >= 0x80 && ClassOf(cp.value) != CharClass::kPlain &&
        ClassOf(cp.value) != CharClass::kSpace) {
      continue;
    }
    end_word();
    offset = NextCandidate(text, offset);
  }
  end_word();
  return found;
}

}  // namespace approval::render
