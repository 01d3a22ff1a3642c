#include <algorithm>
#include <array>

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

// One byte a code point for the two planes that texts are made of; rendering asks several times
// about every character. Filled at the first question.
class Planes {
 public:
  static constexpr char32_t kEnd = 0x20000;

  explicit Planes(std::span<const CharRange> ranges) {
    for (const CharRange& range : ranges) {
      for (char32_t cp = range.first; cp <= range.last && cp < kEnd; ++cp) {
        values_[cp] = range.value;
      }
    }
  }

  std::uint8_t At(char32_t cp) const { return values_[cp]; }

 private:
  std::array<std::uint8_t, kEnd> values_{};
};

}  // namespace

CharClass ClassOf(char32_t cp) {
  if (cp >= 0x20 && cp < 0x7F) return CharClass::kPlain;
  if (cp > kMaxCodePoint) return CharClass::kInvisible;
  static const Planes planes(kClassRanges);
  return static_cast<CharClass>(cp < Planes::kEnd ? planes.At(cp) : Find(kClassRanges, cp));
}

Script LetterScript(char32_t cp) {
  if (cp < 0x80) {
    const char32_t lower = cp | 0x20;
    return lower >= 'a' && lower <= 'z' ? Script::kLatin : Script::kOther;
  }
  static const Planes planes(kScriptRanges);
  return static_cast<Script>(cp < Planes::kEnd ? planes.At(cp) : Find(kScriptRanges, cp));
}

bool IsPictographic(char32_t cp) {
  static const Planes planes(kPictographicRanges);
  return (cp < Planes::kEnd ? planes.At(cp) : Find(kPictographicRanges, cp)) != 0;
}

}  // namespace approval::base
