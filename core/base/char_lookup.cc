#include <algorithm>
#include <array>

#include "core/base/char_table.h"

namespace approval::base {
namespace {

// Ranges with a start for each page of 256 code points, so that a look-up searches a few of them.
class Pages {
 public:
  explicit Pages(std::span<const CharRange> ranges) : ranges_(ranges) {
    std::size_t at = 0;
    for (std::size_t page = 0; page < starts_.size(); ++page) {
      while (at < ranges.size() && ranges[at].last < page * kPage) ++at;
      starts_[page] = static_cast<std::uint16_t>(at);
    }
  }

  std::uint8_t Find(char32_t cp) const {
    const std::size_t page = cp / kPage;
    if (page + 1 >= starts_.size()) return 0;
    // The range that holds the page's end may begin in it.
    const auto first = ranges_.begin() + starts_[page];
    const auto last =
        ranges_.begin() + std::min<std::ptrdiff_t>(starts_[page + 1] + 1, std::ssize(ranges_));
    const auto range = std::lower_bound(first, last, cp,
                                        [](const CharRange& r, char32_t c) { return r.last < c; });
    return range != last && range->first <= cp ? range->value : std::uint8_t{0};
  }

 private:
  static constexpr std::size_t kPage = 256;
  std::span<const CharRange> ranges_;
  std::array<std::uint16_t, (kMaxCodePoint + 1) / kPage + 1> starts_{};
};

}  // namespace

CharClass ClassOf(char32_t cp) {
  if (cp >= 0x20 && cp < 0x7F) return CharClass::kPlain;
  if (cp > kMaxCodePoint) return CharClass::kInvisible;
  static const Pages pages(kClassRanges);
  return static_cast<CharClass>(pages.Find(cp));
}

Script LetterScript(char32_t cp) {
  if (cp < 0x80) {
    const char32_t lower = cp | 0x20;
    return lower >= 'a' && lower <= 'z' ? Script::kLatin : Script::kOther;
  }
  static const Pages pages(kScriptRanges);
  return static_cast<Script>(pages.Find(cp));
}

bool IsPictographic(char32_t cp) {
  static const Pages pages(kPictographicRanges);
  return pages.Find(cp) != 0;
}

}  // namespace approval::base
