#include "render/look_alike.h"

#include <fmt/format.h>

#include <set>
#include <unordered_set>

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

// Calls `visit` with each letter of a word and its script.
template <typename Visit>
void ForEachLetter(std::string_view word, Visit visit) {
  for (std::size_t at = 0; at < word.size();) {
    const base::CodePoint cp = base::DecodeAt(word, at, true);
    at += cp.length;
    const Script script = cp.ok ? LetterScript(cp.value) : Script::kOther;
    if (script != Script::kOther) visit(cp.value, script);
  }
}

struct Word {
  bool latin = false;
  bool foreign = false;  // Cyrillic or Greek
  bool styled = false;
  std::size_t letters = 0;
  std::size_t begin = 0;  // of the first letter
  std::size_t end = 0;    // behind the last one

  bool Odd() const { return styled || (latin && foreign); }

  void Add(Script script, std::size_t from, std::size_t to) {
    latin |= script == Script::kLatin;
    foreign |= script == Script::kCyrillic || script == Script::kGreek;
    styled |= script == Script::kStyled;
    if (letters++ == 0) begin = from;
    end = to;
  }

  std::string Drawn(std::string_view raw) const {
    std::string out;
    std::size_t drawn = 0;
    ForEachLetter(raw, [&](char32_t cp, Script script) {
      if (drawn++ >= kMaxLetters) return;
      if (script == Script::kStyled || (latin && script != Script::kLatin)) {
        out += fmt::format("«U+{:04X}»", static_cast<std::uint32_t>(cp));
      } else {
        base::AppendUtf8(out, cp);
      }
    });
    if (drawn > kMaxLetters) out += "«cut: " + std::to_string(drawn - kMaxLetters) + "»";
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
  std::unordered_set<std::string_view> seen_raw;
  Word word;
  const auto end_word = [&] {
    const std::string_view raw = text.substr(word.begin, word.end - word.begin);
    if (word.Odd() && seen_raw.insert(raw).second) {
      std::string drawn = word.Drawn(raw);
      if (seen.insert(drawn).second) found.push_back(std::move(drawn));
    }
    word = Word();
  };
  for (std::size_t offset = NextCandidate(text, 0); offset < text.size();) {
    const base::CodePoint cp = base::DecodeAt(text, offset, true);
    offset += cp.length;
    const Script script = cp.ok ? LetterScript(cp.value) : Script::kOther;
    if (script != Script::kOther) {
      word.Add(script, offset - cp.length, offset);
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
