#include "render/line_diff.h"

#include <gtest/gtest.h>

#include <chrono>

#include "tests/render/random_text.h"

namespace approval::render {
namespace {

std::string Drawn(std::string_view before, std::string_view after) {
  std::string out;
  for (const DiffLine& line : DiffLines(before, after)) {
    out += line.edit == Edit::kKeep ? " " : line.edit == Edit::kRemove ? "-" : "+";
    out += std::string(line.text) + "|";
  }
  return out;
}

TEST(LineDiff, LinesThatStayAreContext) {
  EXPECT_EQ(Drawn("a\nb\nc\n", "a\nx\nc\n"), " a|-b|+x| c|");
  EXPECT_EQ(Drawn("a\nb", "a\nb"), " a| b|");
  EXPECT_EQ(Drawn("", "a\n"), "+a|");
  EXPECT_EQ(Drawn("a\n", ""), "-a|");
}

TEST(LineDiff, ALineInTheMiddleIsFound) {
  EXPECT_EQ(Drawn("a\nkeep\nb\n", "x\nkeep\ny\n"), "-a|+x| keep|-b|+y|");
}

TEST(LineDiff, TheEditsGiveBothTextsBack) {
  RandomText random(5);
  for (int round = 0; round < 3000; ++round) {
    std::string before;
    std::string after;
    for (std::size_t i = random.Below(12); i > 0; --i)
      before += std::string(1, "abc"[random.Below(3)]) + "\n";
    for (std::size_t i = random.Below(12); i > 0; --i)
      after += std::string(1, "abc"[random.Below(3)]) + "\n";
    std::string old_text;
    std::string new_text;
    for (const DiffLine& line : DiffLines(before, after)) {
      if (line.edit != Edit::kAdd) old_text += std::string(line.text) + "\n";
      if (line.edit != Edit::kRemove) new_text += std::string(line.text) + "\n";
    }
    ASSERT_EQ(old_text, before);
    ASSERT_EQ(new_text, after);
  }
}

TEST(LineDiff, ABigChangeIsOneReplacementInBoundedTime) {
  std::string before;
  std::string after;
  for (int i = 0; i < 50'000; ++i) {
    before += "old " + std::to_string(i) + "\n";
    after += "new " + std::to_string(i) + "\n";
  }
  const auto start = std::chrono::steady_clock::now();
  const auto diff = DiffLines(before, after);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  ASSERT_EQ(diff.size(), 100'000u);
  EXPECT_EQ(diff.front().edit, Edit::kRemove);
  EXPECT_EQ(diff.back().edit, Edit::kAdd);
}

}  // namespace
}  // namespace approval::render
