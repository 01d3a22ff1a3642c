// surfaces.md 1.2: what the tokenizer reads, segment by segment.
#include "core/classify/tokenizer.h"

#include <gtest/gtest.h>

namespace approval::classify {
namespace {

using Texts = std::vector<std::string>;

std::vector<Segment> Read(std::string_view command) {
  auto segments = Tokenize(command);
  EXPECT_TRUE(segments.has_value()) << command << ": " << segments.error().detail;
  return segments ? *segments : std::vector<Segment>();
}

Texts SegmentsOf(std::string_view command) {
  Texts texts;
  for (const Segment& segment : Read(command)) texts.push_back(segment.text);
  return texts;
}

Texts WordsOf(std::string_view command) {
  Texts words;
  for (const Segment& segment : Read(command)) {
    for (const Word& word : segment.words) words.push_back(word.text);
  }
  return words;
}

Texts TargetsOf(std::string_view command) {
  Texts targets;
  for (const Segment& segment : Read(command)) {
    for (const Redirect& redirect : segment.redirects) {
      targets.push_back(redirect.op + redirect.target.text);
    }
  }
  return targets;
}

Texts SubstitutionsOf(std::string_view command) {
  Texts inner;
  for (const Segment& segment : Read(command)) {
    inner.insert(inner.end(), segment.substitutions.begin(), segment.substitutions.end());
  }
  return inner;
}

std::string RefusalOf(std::string_view command) {
  const auto segments = Tokenize(command);
  return segments ? "read" : segments.error().detail;
}

TEST(Tokenizer, BlanksPartWords) { EXPECT_EQ(WordsOf(" a\tb \r c "), (Texts{"a", "b", "c"})); }

TEST(Tokenizer, ABackslashAndALineFeedJoinLines) {
  EXPECT_EQ(WordsOf("a\\\nb \\\n c \"d\\\ne\""), (Texts{"ab", "c", "de"}));
}

TEST(Tokenizer, ABackslashMakesTheNextCharacterLiteral) {
  EXPECT_EQ(WordsOf("a\\ b \\$X \\é"), (Texts{"a b", "$X", "é"}));
  EXPECT_EQ(WordsOf("a\\"), (Texts{"a\\"}));
}

TEST(Tokenizer, SingleQuotesTakeEverythingAsItIs) {
  EXPECT_EQ(WordsOf("'a \\ \"$(b)'"), (Texts{"a \\ \"$(b)"}));
  EXPECT_TRUE(SubstitutionsOf("'$(b)'").empty());
}

TEST(Tokenizer, DoubleQuotesTakeAnEscapedCharacterLiterally) {
  EXPECT_EQ(WordsOf("\"a \\\"b\\\" \\n\""), (Texts{"a \"b\" n"}));
}

TEST(Tokenizer, QuotedAndBareRunsFormOneWord) {
  EXPECT_EQ(WordsOf("a'b c'\"d\"e ''"), (Texts{"ab cde", ""}));
}

TEST(Tokenizer, AQuoteThatNothingClosesIsRefused) {
  for (const char* command : {"echo 'a", "echo \"a", "echo $(a", "echo `a", "echo $((1+2)", "ls #'",
                              "echo \"$(a\"", "echo $(echo 'a)"}) {
    EXPECT_EQ(RefusalOf(command), "unterminated quote or command substitution") << command;
  }
}

TEST(Tokenizer, ASubstitutionIsCollectedAndAddsNothingToTheWord) {
  const auto segments = Read("x a$(b 'c)' \"d)\" (e) \\))f \"g$(h)\"");
  ASSERT_EQ(segments.size(), 1u);
  EXPECT_EQ(segments[0].words[1].text, "af");
  EXPECT_TRUE(segments[0].words[1].substitutes);
  EXPECT_EQ(segments[0].words[2].text, "g");
  EXPECT_EQ(segments[0].substitutions, (Texts{"b 'c)' \"d)\" (e) \\)", "h"}));
  EXPECT_FALSE(segments[0].opaque);
}

TEST(Tokenizer, QuotesInsideASubstitutionInsideQuotesAreItsOwn) {
  EXPECT_EQ(SubstitutionsOf("x $(y \"$(z \")\")\") w"), (Texts{"y \"$(z \")\")\""}));
  EXPECT_EQ(SubstitutionsOf("x $(y \"\\$(\")"), (Texts{"y \"\\$(\""}));
}

TEST(Tokenizer, BackticksAndArithmeticMakeTheSegmentOpaque) {
  EXPECT_EQ(Read("echo `date`")[0].opaque, "backtick command substitution");
  EXPECT_EQ(Read("echo \"`date`\"")[0].opaque, "backtick command substitution");
  EXPECT_EQ(Read("echo $((1+2))")[0].opaque, "arithmetic expansion");
  EXPECT_FALSE(Read("echo '`date`'")[0].opaque);
}

TEST(Tokenizer, VariablesGlobsTildesAndBracesStandAsWritten) {
  EXPECT_EQ(WordsOf("$A ${B} *.c ~/x {a,b} # y"),
            (Texts{"$A", "${B}", "*.c", "~/x", "{a,b}", "#", "y"}));
}

TEST(Tokenizer, ARedirectionTakesTheNextWordAsItsTarget) {
  EXPECT_EQ(TargetsOf("a >b 2>> 'c d' >|e <f 3>g"), (Texts{">b", ">>c d", ">|e", "<f", ">g"}));
  EXPECT_EQ(WordsOf("a >b c"), (Texts{"a", "c"}));
}

TEST(Tokenizer, ARedirectionEndsTheWordBeforeIt) {
  EXPECT_EQ(WordsOf("echo file2>out"), (Texts{"echo", "file2"}));
  EXPECT_EQ(TargetsOf("echo file2>out"), (Texts{">out"}));
}

TEST(Tokenizer, ADuplicationSwallowsItsNumberAndHasNoTarget) {
  EXPECT_EQ(TargetsOf("a 2>&1 <&0 2>&-"), (Texts{">&", "<&", ">&"}));
  EXPECT_EQ(WordsOf("a 2>&1 <&0 2>&- b"), (Texts{"a", "b"}));
  EXPECT_EQ(WordsOf("ls >&out"), (Texts{"ls", "out"}));
}

TEST(Tokenizer, ARedirectionWithoutATargetIsRefused) {
  EXPECT_EQ(RefusalOf("echo >"), "redirection > has no target");
  EXPECT_EQ(RefusalOf("ls <(cat x)"), "redirection < has no target");
  EXPECT_EQ(RefusalOf("tee >(cat)"), "redirection > has no target");
  EXPECT_EQ(RefusalOf("cat <<< 'x'"), "heredoc has no terminator word");
}

TEST(Tokenizer, TheBodyOfAHeredocIsData) {
  EXPECT_EQ(SegmentsOf("cat <<EOF > f; ls\nrm -rf /\n'\nEOF\npwd"),
            (Texts{"cat <<EOF > f", "ls", "pwd"}));
}

TEST(Tokenizer, SeveralHeredocsAreSkippedInTheirOrder) {
  EXPECT_EQ(SegmentsOf("cat <<A <<'B C'\nx\nB C\nA\ny\nB C\npwd"),
            (Texts{"cat <<A <<'B C'", "pwd"}));
}

TEST(Tokenizer, ADashStripsTabsBeforeTheTerminator) {
  EXPECT_EQ(SegmentsOf("cat <<-EOF\n\tx\n\t\tEOF \r\npwd"), (Texts{"cat <<-EOF", "pwd"}));
  EXPECT_EQ(RefusalOf("cat <<EOF\n\tEOF\n"), "heredoc <<EOF is never terminated");
}

TEST(Tokenizer, AHeredocThatNothingEndsIsRefused) {
  EXPECT_EQ(RefusalOf("cat <<EOF\nx"), "heredoc <<EOF is never terminated");
  EXPECT_EQ(RefusalOf("cat <<EOF"), "heredoc <<EOF is never terminated");
}

TEST(Tokenizer, WhatAnUnquotedHeredocWouldRunIsCollected) {
  EXPECT_EQ(SubstitutionsOf("cat <<E\n$(a) \\$(b)\nE\n"), (Texts{"a"}));
  EXPECT_EQ(Read("cat <<E\n`a`\nE\n")[0].opaque, "backtick command substitution");
  for (const char* quoted : {"cat <<'E'\n$(a) `b`\nE\n", "cat <<\\E\n$(a)\nE\n"}) {
    EXPECT_TRUE(SubstitutionsOf(quoted).empty()) << quoted;
    EXPECT_FALSE(Read(quoted)[0].opaque) << quoted;
  }
}

TEST(Tokenizer, ASubstitutionInATargetIsCollected) {
  EXPECT_EQ(SubstitutionsOf("ls > \"$(rm x)\""), (Texts{"rm x"}));
}

TEST(Tokenizer, EachOperatorEndsASegment) {
  EXPECT_EQ(SegmentsOf("a && b || c; d | e & (f) \n g"),
            (Texts{"a", "b", "c", "d", "e", "f", "g"}));
}

TEST(Tokenizer, OperatorsOfTwoKindsAreReadAsTwo) {
  EXPECT_EQ(SegmentsOf("ls &> all.log"), (Texts{"ls", "> all.log"}));
  EXPECT_EQ(SegmentsOf("ls |& tee x"), (Texts{"ls", "tee x"}));
  EXPECT_EQ(SegmentsOf("a;;b"), (Texts{"a", "b"}));
}

TEST(Tokenizer, ASegmentWithoutAnythingInItIsNone) {
  for (const char* command : {"", "  ", "&&", ";;\n", "()"}) {
    EXPECT_TRUE(Read(command).empty()) << command;
  }
}

TEST(Tokenizer, BytesThatAreNoTextAreBytesOfTheirWord) {
  using namespace std::string_literals;
  EXPECT_EQ(WordsOf("a\xff\0b \xc3"s), (Texts{"a\xff\0b"s, "\xc3"}));
}

TEST(Tokenizer, DeepAndLongCommandsAreReadInOnePass) {
  std::string deep;
  for (int i = 0; i < 200'000; ++i) deep += "$(";
  EXPECT_EQ(RefusalOf(deep), "unterminated quote or command substitution");
  EXPECT_EQ(RefusalOf(deep + std::string(200'000, ')')), "read");
  std::string many;
  for (int i = 0; i < 50'000; ++i) many += "cat <<A\nA\n";
  EXPECT_EQ(Read(many).size(), 50'000u);
}

}  // namespace
}  // namespace approval::classify
