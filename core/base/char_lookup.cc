#include <algorithm>

#include "core/base/char_table.h"

namespace approval::base {
namespace {

std::uint8_t Find(std::span<const CharRange> ranges, char32_t cp) {
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), cp,
                                      [](char32_t c, const CharRange& r) { return c < r.first; });
  if (after == ranges.begin()) return 0;
  const CharRange& range = *(after - 1);
  return cp <= range.last ? range.value : std::uint8_t{0};
}

}  // namespace

CharClass ClassOf(char32_t cp) {
  if (cp >= 0x20 && cp < 0x7F) return CharClass::kPlain;
  if (cp > kMaxCodePoint) return CharClass::kInvisible;
  return static_cast<CharClass>(Find(kClassRanges, cp));
}

Script LetterScript(char32_t cp) {
  if (cp < 0x80) {
    const char32_t lower = cp | 0x20;
    return lower >= 'a' && lower <= 'z' ? Script::kLatin : Script::kOther;
  }
  return static_cast<Script>(Find(kScriptRanges, cp));
}

bool IsPictographic(char32_t cp) { return Find(kPictographicRanges, cp) != 0; }

}  // namespace approval::base
