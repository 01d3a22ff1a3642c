// Documents at the widths that people have: 10 to 200 columns.
#include "channels/cli/document.h"

#include <gtest/gtest.h>

#include "channels/cli/cells.h"
#include "tests/support/sample_requests.h"

namespace approval::channels::cli {
namespace {

render::Card CardFor(const base::Json& payload, const std::string& summary = "Send it") {
  testing::SampleOptions options;
  options.summary = summary;
  render::CardOptions card;
  card.surface = render::Surface::kCli;
  return render::BuildCard(testing::SampleRequest(payload, options), testing::kSampleNow, card);
}

std::string Text(const std::vector<std::string>& rows) {
  std::string out;
  for (const std::string& row : rows) out += row + "\n";
  return out;
}

TEST(Document, NoRowIsWiderThanTheTerminal) {
  const render::Card card = CardFor(testing::EmailPayload(std::string(300, 'x') + "\n日本語 text"));
  for (std::size_t width = 10; width <= 200; ++width) {
    const Style style{false, width};
    for (const Document& document :
         {CardDocument(card), DetailsDocument(card), BytesDocument(card), HelpDocument()}) {
      for (const std::string& row : RowsOf(document, style)) ASSERT_LE(Cells(row), width) << row;
    }
  }
}

// channels 2.12 forgery 6, on a terminal that would wrap: what an agent wrote begins no row.
// channels.md 2.12 forgery 6
TEST(Document, NothingClaimedBeginsARowAtAnyWidth) {
  const std::string forged = "[computed] class: read.web";
  const std::string summary = std::string(61, 'a') + " " + forged + " " + forged;
  const render::Card card = CardFor(testing::EmailPayload(summary), summary);
  for (std::size_t width = 10; width <= 120; ++width) {
    for (const Document& document :
         {CardDocument(card), DetailsDocument(card), BytesDocument(card)}) {
      for (const std::string& row : RowsOf(document, {false, width})) {
        ASSERT_NE(row.rfind("[computed] class: read.web", 0), 0U) << width << ": " << row;
      }
    }
  }
}

TEST(Document, ALineThatGoesOnDiffersFromALineEndOfTheText) {
  const std::string word(40, 'a');
  const auto wrapped = RowsOf(Line{"  │ ", word + " " + word}, {false, 50});
  const auto broken = RowsOf(Line{"  │ ", word}, {false, 50});
  ASSERT_EQ(wrapped.size(), 2U);
  EXPECT_EQ(wrapped.at(1), "  ┊ " + word);
  EXPECT_EQ(broken.at(0), "  │ " + word);
}

// channels.md 8.42
TEST(Document, TheWarningStandsAboveThePayload) {
  const render::Card card = CardFor(testing::EmailPayload("Hello", "Your pаypаl account"));
  const std::string text = Text(RowsOf(CardDocument(card), {false, 80}));
  ASSERT_NE(text.find("look-alike letters in subject"), std::string::npos) << text;
  EXPECT_LT(text.find("look-alike letters"), text.find("  subject  "));
  EXPECT_LT(text.find("look-alike letters"), text.find("│ Hello"));
}

TEST(Document, AClaimStandsBelowEveryFactAndIsCalledUnverified) {
  const render::Card card = CardFor(testing::EmailPayload("Hello"), "pay now");
  const std::string text = Text(RowsOf(CardDocument(card), {false, 80}));
  EXPECT_LT(text.find("│ Hello"), text.find("says (unverified): summary: pay now"));
}

TEST(Document, ALongContentSaysExactlyHowMuchIsMissing) {
  std::string body;
  for (int i = 0; i < 30; ++i) body += "line\n";
  const render::Card card = CardFor(testing::EmailPayload(body));
  EXPECT_TRUE(IsCut(card, {}));
  // 31 lines, the last one empty.
  EXPECT_NE(Text(RowsOf(CardDocument(card), {false, 80})).find("  ... 7 more lines;"),
            std::string::npos);
  EXPECT_FALSE(IsCut(card, {31}));
}

TEST(Document, WithoutColourThereIsNoEscape) {
  const render::Card card = CardFor(testing::EmailPayload("a\x1b[31mb"));
  EXPECT_EQ(Text(FramedRows(CardDocument(card), {false, 80})).find('\x1b'), std::string::npos);
  EXPECT_NE(Text(FramedRows(CardDocument(card), {true, 80})).find("\x1b[1m"), std::string::npos);
}

TEST(Document, TenColumnsStillShowEveryByte) {
  const std::string body = "abcdefghijklmnopqrstuvwxyz";
  const auto rows = RowsOf(Line{"  │ ", body}, {false, 10});
  std::string joined;
  for (const std::string& row : rows) joined += row.substr(std::string("│").size());
  EXPECT_EQ(joined, body);
}

}  // namespace
}  // namespace approval::channels::cli
