// Widths and rows of quoted text.
#include "channels/cli/cells.h"

#include <gtest/gtest.h>

#include "render/clusters.h"
#include "render/quote.h"
#include "tests/render/random_text.h"

namespace approval::channels::cli {
namespace {

std::string Joined(const std::vector<std::string>& rows) {
  std::string out;
  for (const std::string& row : rows) out += row;
  return out;
}

TEST(Cells, WideLettersTakeTwoAndCombiningMarksNone) {
  EXPECT_EQ(Cells("abc"), 3U);
  EXPECT_EQ(Cells("日本"), 4U);
  EXPECT_EQ(Cells("e\u0301"), 1U);
  EXPECT_EQ(Cells("пример"), 6U);
  EXPECT_EQ(Cells("👍"), 2U);
}

TEST(Cells, RowsGiveTheTextBackAndNeverGetWiderThanSaid) {
  render::RandomText random(11);
  for (int i = 0; i < 2000; ++i) {
    const std::string quoted = render::QuoteLine(random.Text(60));
    const std::size_t first = 2 + random.Below(40);
    const std::size_t rest = 2 + random.Below(40);
    const auto rows = WrapCells(quoted, first, rest);
    ASSERT_EQ(Joined(rows), quoted);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      // A cluster of its own may need more than a row has.
      if (!rows[r].empty() && render::NextCluster(rows[r], 0).bytes == rows[r].size()) continue;
      ASSERT_LE(Cells(rows[r]), r == 0 ? first : rest) << quoted;
    }
  }
}

TEST(Cells, ARowEndsBehindABlankWhereItCan) {
  EXPECT_EQ(WrapCells("one two three", 9, 9), (std::vector<std::string>{"one two ", "three"}));
  EXPECT_EQ(WrapCells("abcdefgh", 3, 3), (std::vector<std::string>{"abc", "def", "gh"}));
}

// channels.md 8.41
TEST(Cells, AMarkIsNotTornApart) {
  EXPECT_EQ(WrapCells("abcde«U+202E»f", 10, 10), (std::vector<std::string>{"abcde", "«U+202E»f"}));
}

TEST(Cells, AnEmptyTextIsOneEmptyRow) {
  EXPECT_EQ(WrapCells("", 10, 10), std::vector<std::string>{""});
}

// channels.md 8.41
TEST(Cells, WhatIsFittedSaysThatItWasCut) {
  EXPECT_EQ(FitCells("abcdef", 6), "abcdef");
  EXPECT_EQ(FitCells("abcdefg", 6), "abcde…");
  EXPECT_EQ(FitCells("日本語", 4), "日…");
}

}  // namespace
}  // namespace approval::channels::cli
