#include "core/base/char_table.h"

#include <gtest/gtest.h>

#include "render/quote.h"
#include "tests/render/random_text.h"
#include "tools/char_classes.h"

namespace approval::render {
namespace {

namespace icu = base::icu;
using base::CharClass;
using base::ClassOf;
using base::IsPictographic;
using base::CharRange;
using base::kClassRanges;
using base::kMaxCodePoint;
using base::kPictographicRanges;
using base::kScriptRanges;
using base::LetterScript;

TEST(CharTable, EveryCodePointHasTheClassThatItsUnicodePropertiesSay) {
  for (char32_t cp = 0; cp <= kMaxCodePoint; ++cp) {
    ASSERT_EQ(ClassOf(cp), icu::ClassOf(cp)) << std::hex << static_cast<std::uint32_t>(cp);
  }
}

TEST(CharTable, EveryLetterHasTheScriptThatItsUnicodePropertiesSay) {
  for (char32_t cp = 0; cp <= kMaxCodePoint; ++cp) {
    ASSERT_EQ(LetterScript(cp), icu::LetterScript(cp))
        << std::hex << static_cast<std::uint32_t>(cp);
  }
}

TEST(CharTable, PictographsAreThoseThatMayJoinInAnEmoji) {
  for (char32_t cp = 0; cp <= kMaxCodePoint; ++cp) {
    ASSERT_EQ(IsPictographic(cp), icu::IsPictographic(cp))
        << std::hex << static_cast<std::uint32_t>(cp);
  }
}

TEST(CharTable, RangesAreSortedAndDoNotOverlap) {
  for (const auto table : {kClassRanges, kScriptRanges, kPictographicRanges}) {
    for (std::size_t i = 0; i < table.size(); ++i) {
      ASSERT_LE(table[i].first, table[i].last);
      if (i != 0) {
        ASSERT_GT(table[i].first, table[i - 1].last);
      }
    }
  }
}

TEST(CharTable, WhatIsAboveUnicodeIsNeverRaw) {
  EXPECT_EQ(ClassOf(0x110000), CharClass::kInvisible);
}

// FR-098, FR-100, FR-101: one table out of properties, not a list of the controls somebody knew.
TEST(CharTable, NoCodePointOfTheTableSurvivesQuotingRaw) {
  for (char32_t cp = 0; cp <= kMaxCodePoint; ++cp) {
    const CharClass c = ClassOf(cp);
    if (c != CharClass::kInvisible && c != CharClass::kSpace) continue;
    if (cp >= 0xD800 && cp <= 0xDFFF) continue;  // no UTF-8 form
    std::string raw;
    base::AppendUtf8(raw, cp);
    ASSERT_EQ(QuoteLine("a" + raw + "b").find(raw), std::string::npos)
        << std::hex << static_cast<std::uint32_t>(cp);
  }
}

}  // namespace
}  // namespace approval::render
