// channels.md 2.4, checklist 29: the row of a command in a few words.
#include "core/classify/breakdown.h"

#include <gtest/gtest.h>

#include "core/base/utf8.h"

namespace approval::classify {
namespace {

std::string Of(std::string_view command) { return Breakdown(command).value_or("(none)"); }

// channels.md 8.29
TEST(Breakdown, FourSegmentsAreJoined) {
  EXPECT_EQ(Of("cd app && npm ci; npm test | tee out.txt"),
            "cd app · npm ci · npm test · tee out.txt");
}

// channels.md 8.29
TEST(Breakdown, FlagsAndTheWordAfterABareShortFlagAreDropped) {
  EXPECT_EQ(Of("git commit -m 'a long note' --amend file.c"), "git commit file.c");
  EXPECT_EQ(Of("tail -n 5 -f log"), "tail");
  EXPECT_EQ(Of("rm -rf build"), "rm build");
}

// channels.md 8.29
TEST(Breakdown, TheWordAfterALongFlagStays) {
  EXPECT_EQ(Of("git push --repo origin main"), "git push origin main");
}

// channels.md 8.29
TEST(Breakdown, ASegmentIsCutAt40CodePointsAndSaysSo) {
  const std::string exact = "echo " + std::string(35, 'x');
  EXPECT_EQ(Of(exact), exact);
  EXPECT_EQ(Of(exact + "y"), "echo " + std::string(34, 'x') + "…");
}

TEST(Breakdown, ACutNeverFallsIntoACharacter) {
  std::string word;
  for (int i = 0; i < 60; ++i) word += "é😀";
  const std::string text = Of("a " + word);
  EXPECT_TRUE(base::IsValidUtf8(text));
  EXPECT_EQ(base::CountCodePoints(text), 40u);
}

// channels.md 8.29
TEST(Breakdown, ElevenSegmentsShowEightAndCountTheRest) {
  EXPECT_EQ(Of("a;b;c;d;e;f;g;h;i;j;k"), "a · b · c · d · e · f · g · h · … 3 more");
  EXPECT_EQ(Of("a;b;c;d;e;f;g;h"), "a · b · c · d · e · f · g · h");
}

// channels.md 8.29
TEST(Breakdown, QuotesAreReadAsTheShellReadsThem) {
  EXPECT_EQ(Of("echo 'a && b; c' \"d | e\""), "echo a && b; c d | e");
}

// channels.md 8.29
TEST(Breakdown, ACommandThatCannotBeReadHasNone) {
  EXPECT_EQ(Breakdown("echo 'a"), std::nullopt);
  EXPECT_EQ(Breakdown("cat <<EOF\nx"), std::nullopt);
  EXPECT_EQ(Breakdown(" && "), std::nullopt);
}

TEST(Breakdown, WhatASubstitutionAddsIsShownAsAPlace) {
  EXPECT_EQ(Of("git push origin $(git branch)"), "git push origin $(…)");
  EXPECT_EQ(Of("git push -o \"$(evil)\" `worse`"), "git push $(…) $(…)");
}

TEST(Breakdown, ABareRedirectionIsShown) { EXPECT_EQ(Of("ls &> all.log"), "ls · > all.log"); }

TEST(Breakdown, OnlyACommandPayloadHasOne) {
  EXPECT_EQ(BreakdownOf({{"command", "ls -l"}, {"cwd", "/srv"}}), "ls");
  EXPECT_EQ(BreakdownOf({{"command", "ls"}, {"cwd", 1}}), std::nullopt);
  EXPECT_EQ(BreakdownOf({{"command", "ls"}, {"more", "x"}}), std::nullopt);
  EXPECT_EQ(BreakdownOf({{"cwd", "/srv"}}), std::nullopt);
  EXPECT_EQ(BreakdownOf("ls"), std::nullopt);
}

}  // namespace
}  // namespace approval::classify
