#include "render/quote.h"

#include <gtest/gtest.h>

#include "core/base/char_table.h"
#include "core/base/utf8.h"
#include "tests/render/random_text.h"

namespace approval::render {
namespace {

using Lines = std::vector<std::string>;

std::string Joined(const Lines& lines) {
  std::string out = lines.front();
  for (std::size_t i = 1; i < lines.size(); ++i) out += "\n" + lines[i];
  return out;
}

TEST(Quote, LettersAccentsAndScriptsStayAsTheyAre) {
  for (const std::string text : {"Grüße – £1,200 – 東京", "דוח שבועי 2026", "Отчёт готов",
                                 "e\u0301te\u0301", "हिन्दी", "مرحبا 123"}) {
    EXPECT_EQ(QuoteLine(text), text);
  }
}

TEST(Quote, ALineFeedIsDrawnOnOneLine) { EXPECT_EQ(QuoteLine("a\nb"), "a ⏎ b"); }

TEST(Quote, ALineFeedSplitsARegion) {
  EXPECT_EQ(QuoteLines("a\n\nb\n", TabRule::kMark), (Lines{"a", "", "b", ""}));
}

TEST(Quote, RealAndLiteralLineFeedsDiffer) {
  EXPECT_EQ(QuoteLine("a\\nb"), "a\\nb");
  EXPECT_NE(QuoteLine("a\\nb"), QuoteLine("a\nb"));
}

TEST(Quote, ControlsAndFormatCharactersAreMarkedWithTheirNumber) {
  EXPECT_EQ(QuoteLine("x\u202Egpj"), "x«U+202E»gpj");
  EXPECT_EQ(QuoteLine(std::string("a\0b", 3)), "a«U+0000»b");
  EXPECT_EQ(QuoteLine("\u001B[2J\u0007\r"), "«U+001B»[2J«U+0007»«U+000D»");
  EXPECT_EQ(QuoteLine("\u009B31m"), "«U+009B»31m");
  EXPECT_EQ(QuoteLine("a\u2028b\u2029"), "a«U+2028»b«U+2029»");
}

// channels.md 8.39
TEST(Quote, OverridesIsolatesZeroWidthsBomSoftHyphenTagsAndControlsAreAllMarked) {
  for (const auto& [raw, mark] :
       std::vector<std::pair<std::string, std::string>>{{"\u202A", "«U+202A»"},
                                                        {"\u202B", "«U+202B»"},
                                                        {"\u202C", "«U+202C»"},
                                                        {"\u202D", "«U+202D»"},
                                                        {"\u202E", "«U+202E»"},
                                                        {"\u2066", "«U+2066»"},
                                                        {"\u2067", "«U+2067»"},
                                                        {"\u2068", "«U+2068»"},
                                                        {"\u2069", "«U+2069»"},
                                                        {"\u200B", "«U+200B»"},
                                                        {"\u200C", "«U+200C»"},
                                                        {"\u200D", "«U+200D»"},
                                                        {"\u200E", "«U+200E»"},
                                                        {"\u200F", "«U+200F»"},
                                                        {"\u2060", "«U+2060»"},
                                                        {"\uFEFF", "«U+FEFF»"},
                                                        {"\u00AD", "«U+00AD»"},
                                                        {"\U000E0041", "«U+E0041»"},
                                                        {std::string(1, '\0'), "«U+0000»"},
                                                        {"\a", "«U+0007»"},
                                                        {"\x1b", "«U+001B»"},
                                                        {"\r", "«U+000D»"}}) {
    EXPECT_EQ(QuoteLine("a" + raw + "b"), "a" + mark + "b");
    EXPECT_EQ(QuoteLines("a" + raw + "b", TabRule::kMark), Lines{"a" + mark + "b"});
    EXPECT_EQ(QuoteLines("a" + raw + "b", TabRule::kArrow), Lines{"a" + mark + "b"});
  }
}

TEST(Quote, TagCharactersSelectorsAndFillersAreMarked) {
  EXPECT_EQ(QuoteLine("\U000E0061"), "«U+E0061»");
  EXPECT_EQ(QuoteLine("a\uFE00"), "a«U+FE00»");
  EXPECT_EQ(QuoteLine("\u3164\u115F\u2800\u034F"), "«U+3164»«U+115F»«U+2800»«U+034F»");
}

TEST(Quote, UnusualSpacesAreMarked) {
  EXPECT_EQ(QuoteLine("a\u00A0b\u3000"), "a«U+00A0»b«U+3000»");
}

// channels.md 8.40
TEST(Quote, AMarkInTheInputIsMarkedItself) {
  EXPECT_EQ(QuoteLine("«U+202E» ⏎ │ →"), "«U+00AB»U+202E«U+00BB» «U+23CE» «U+2502» «U+2192»");
}

TEST(Quote, BytesThatAreNotUtf8AreMarkedAsBytes) {
  EXPECT_EQ(QuoteLine("a\xFF\xC0z"), "a«0xFF»«0xC0»z");
}

TEST(Quote, ATabInACommandIsAnArrowAndElsewhereAMark) {
  EXPECT_EQ(QuoteLines("a\tb", TabRule::kArrow), Lines{"a→   b"});
  EXPECT_EQ(QuoteLines("a\tb", TabRule::kMark), Lines{"a«U+0009»b"});
}

TEST(Quote, MoreThanFourCombiningMarksOnOneBaseAreMarked) {
  EXPECT_EQ(QuoteLine("a\u0300\u0301\u0302\u0303\u0304\u0305"),
            "a\u0300\u0301\u0302\u0303«U+0304»«U+0305»");
}

TEST(Quote, ACombiningMarkWithoutABaseDoesNotAttachToOurText) {
  EXPECT_EQ(QuoteLine("\u0338\u20E0OK"), "«U+0338»«U+20E0»OK");
  EXPECT_EQ(QuoteLine("\u200B\u0301"), "«U+200B»«U+0301»");
}

// FR-102: joined emoji are kept; a joiner anywhere else is a mark. Reversible either way.
TEST(Quote, AJoinerStaysInsideAnEmojiAndNowhereElse) {
  const std::string family =
      "👨\u200D👩\u200D👧 👍🏽 ❤\uFE0F 1\uFE0F\u20E3 🇩🇪 🏳\uFE0F\u200D🌈";
  EXPECT_EQ(QuoteLine(family), family);
  EXPECT_EQ(QuoteLine("👨\u200Da"), "👨«U+200D»a");
  EXPECT_EQ(QuoteLine("a\u200D👨"), "a«U+200D»👨");
  EXPECT_EQ(QuoteLine("a\uFE0F"), "a«U+FE0F»");
  EXPECT_EQ(QuoteLine("1\uFE0F2"), "1«U+FE0F»2");
  EXPECT_EQ(QuoteLine("👍\uFE0F\uFE0F"), "👍\uFE0F«U+FE0F»");
}

TEST(Quote, LongRunsOfOneHiddenCharacterAreCounted) {
  EXPECT_EQ(QuoteLine("x" + std::string(5, '\a') + "y"), "x«U+0007×5»y");
}

// FR-094
TEST(Quote, PaddingIsDrawnAsACount) {
  EXPECT_EQ(QuoteLine("a" + std::string(2000, ' ') + "b"), "a«U+0020×2000»b");
  EXPECT_EQ(QuoteLine("a" + std::string(300, '\n') + "b"), "a«U+000A×300»b");
  EXPECT_EQ(QuoteLines("a" + std::string(300, '\n') + "b", TabRule::kMark),
            (Lines{"a", "«299 blank lines»", "b"}));
}

// channels.md 8.41
TEST(Quote, ACutSaysHowMuchIsCut) {
  EXPECT_EQ(QuoteLine("abcdef", 4), "abcd«cut: 2 more characters»");
  EXPECT_EQ(QuoteLine("abcdef", 6), "abcdef");
}

// channels.md 8.41
TEST(Quote, ACutNeverSplitsAMarkOrACluster) {
  EXPECT_EQ(QuoteLine("ab\u202Ecd", 5), "ab«cut: 3 more characters»");
  EXPECT_EQ(QuoteLine("ae\u0301", 2), "a«cut: 2 more characters»");
}

TEST(Quote, AFewForgedMarksDoNotFillTheMemory) {
  const std::string mark = "«U+0041×40000000»";
  EXPECT_EQ(Unquote(mark + mark), std::nullopt);
  EXPECT_EQ(Unquote("«60000000 blank lines»«60000000 blank lines»"), std::nullopt);
  EXPECT_EQ(Unquote("«U+10FFFF×40000000»"), std::nullopt);
}

TEST(Quote, ACutIsNotAQuotedText) { EXPECT_EQ(Unquote(QuoteLine("abcdef", 4)), std::nullopt); }

// channels.md 8.40
TEST(Quote, UnquoteGivesEveryTextBack) {
  RandomText random(20261130);
  for (int round = 0; round < 20000; ++round) {
    const std::string text = random.Text(40);
    ASSERT_EQ(Unquote(QuoteLine(text)), text);
    ASSERT_EQ(Unquote(Joined(QuoteLines(text, TabRule::kMark))), text);
    ASSERT_EQ(Unquote(Joined(QuoteLines(text, TabRule::kArrow))), text);
  }
}

TEST(Quote, UnquoteGivesRandomBytesBack) {
  RandomText random(7);
  for (int round = 0; round < 20000; ++round) {
    std::string bytes;
    for (std::size_t i = random.Below(30); i > 0; --i) {
      bytes.push_back(static_cast<char>(random.Below(256)));
    }
    ASSERT_EQ(Unquote(QuoteLine(bytes)), bytes);
    ASSERT_TRUE(base::IsValidUtf8(QuoteLine(bytes)));
  }
}

TEST(Quote, ACutTextBeginsAsTheWholeOneAndStaysInItsLimit) {
  RandomText random(11);
  for (int round = 0; round < 5000; ++round) {
    const std::string text = random.Text(30);
    const std::size_t limit = random.Below(40);
    const std::string whole = QuoteLine(text);
    const std::string cut = QuoteLine(text, limit);
    const std::string kept = cut.substr(0, cut.find("«cut: "));
    ASSERT_TRUE(whole.starts_with(kept));
    ASSERT_LE(base::CountCodePoints(kept), limit);
    ASSERT_TRUE(Unquote(kept).has_value());
  }
}

TEST(Quote, InvisibleCharactersAreCountedWithoutOrdinaryLineEndsAndTabs) {
  EXPECT_EQ(CountInvisible("a\tb\r\nc\n"), 0u);
  EXPECT_EQ(CountInvisible("\u202Ea\u200Bb\rc"), 3u);
  EXPECT_EQ(CountInvisible("«×» é 👨\u200D👩"), 0u);
}

TEST(Escape, HtmlEscapesQuotesAsWell) {
  EXPECT_EQ(EscapeHtml("<&>\"'"), "&lt;&amp;&gt;&quot;&#39;");
}

TEST(Escape, TelegramEscapesThreeCharacters) {
  EXPECT_EQ(EscapeTelegram("<&>\"'"), "&lt;&amp;&gt;\"'");
}

}  // namespace
}  // namespace approval::render
