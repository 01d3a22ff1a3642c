// The card as text: channels.md 3.4, checklist 53 to 59.
#include <gtest/gtest.h>

#include "channels/telegram/card_text.h"
#include "core/base/sha256.h"
#include "core/base/utf8.h"
#include "tests/render/random_text.h"
#include "tests/support/bot_html.h"
#include "tests/support/sample_requests.h"

namespace approval::telegram {
namespace {

using testing::CommandPayload;
using testing::EmailPayload;
using testing::SampleOptions;
using testing::SampleRequest;

render::Card CardOf(const base::Json& payload, const SampleOptions& options = {}) {
  render::CardOptions look;
  look.surface = render::Surface::kTelegram;
  return render::BuildCard(SampleRequest(payload, options), testing::kSampleNow, look);
}

// The text a person sees; fails the test when the server would refuse it.
std::string Shown(const std::string& html) {
  const auto parsed = testing::ParseBotHtml(html);
  EXPECT_TRUE(parsed.has_value()) << parsed.error() << "\n" << html;
  EXPECT_LE(base::CountUtf16Units(parsed.value_or("")), 4096u);
  return parsed.value_or("");
}

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(CardText, AShortMailIsOneMessageWithEveryByteInTheFoldedQuote) {
  const render::Card card = CardOf(EmailPayload());
  ASSERT_FALSE(NeedsDocument(card, CardForm::kHtml));
  const std::string html = ComposeCard(card, {}).Open();
  const std::string shown = Shown(html);
  EXPECT_TRUE(Has(html, "<blockquote expandable>"));
  EXPECT_TRUE(Has(shown, card.canonical_text));
  EXPECT_TRUE(Has(shown, card.display_hash));
}

TEST(CardText, WhatMattersComesInTheOrderOfTheDesign) {
  const std::string shown = Shown(ComposeCard(CardOf(EmailPayload()), {}).Open());
  std::size_t last = 0;
  for (const char* part : {"Send an email", "task-101:chaser", "agency@example.co.uk",
                           "│ Now 21 days late.", "says (unverified)", "⏳", "the exact bytes"}) {
    const std::size_t at = shown.find(part, last);
    ASSERT_NE(at, std::string::npos) << part;
    last = at;
  }
}

// FR-008
TEST(CardText, MarkupInEveryFieldArrivesAsText) {
  SampleOptions options;
  options.key = "<b>&k</b>";
  options.summary = "</code><a href='x'>&amp;";
  const render::Card card =
      CardOf(CommandPayload("i < n && a > b\n#include <vector>", "/<pre>"), options);
  const std::string shown = Shown(ComposeCard(card, {}).Open());
  EXPECT_TRUE(Has(shown, "<b>&k</b>"));
  EXPECT_TRUE(Has(shown, "</code><a href='x'>&amp;"));
  EXPECT_TRUE(Has(shown, "#include <vector>"));
}

// FR-012
TEST(CardText, ForeignTextOutsideTheQuoteStandsInsideCode) {
  const std::string html =
      ComposeCard(CardOf(CommandPayload("cat README.md && sh setup.sh")), {}).Open();
  const std::string visible = html.substr(0, html.find("<blockquote"));
  const std::size_t at = visible.find("README.md");
  ASSERT_NE(at, std::string::npos);
  const std::size_t open =
      std::max(visible.rfind("<pre>", at) + 1, visible.rfind("<code>", at) + 1);
  EXPECT_GT(open, 0u);
  EXPECT_EQ(visible.substr(open, at - open).find("</"), std::string::npos);
}

TEST(CardText, ALongPayloadIsADocumentWhoseHashIsOnTheCard) {
  std::string body;
  for (int i = 1; i <= 400; ++i)
    body += "line " + std::to_string(i) + " of a long letter, and on\n";
  const render::Card card = CardOf(EmailPayload(body));
  ASSERT_TRUE(NeedsDocument(card, CardForm::kHtml));
  const CardDocument document = DocumentOf(card);
  EXPECT_EQ(document.file_name, "payload-" + card.payload_hash.substr(0, 12) + ".txt");
  EXPECT_EQ(base::Sha256Hex(document.bytes), card.display_hash);
  CardLook look;
  look.document = DocumentState::kSent;
  const std::string shown = Shown(ComposeCard(card, look).Open());
  EXPECT_TRUE(Has(shown, card.display_hash));
  EXPECT_TRUE(Has(shown, document.file_name));
  EXPECT_TRUE(Has(shown, "│ line 1 of"));
  EXPECT_TRUE(Has(shown, "│ line 20 of"));
  EXPECT_FALSE(Has(shown, "│ line 21 of"));
  EXPECT_TRUE(Has(shown, "«361 lines not shown here»"));
  EXPECT_TRUE(Has(shown, "│ line 400 of"));
}

// FR-091, FR-092
// channels.md 8.41
TEST(CardText, ALineThatIsCutSaysHowMuchIsMissing) {
  const std::string command = std::string(6'000, 'x') + "; rm -rf \"$HOME\"";
  const render::Card card = CardOf(CommandPayload(command));
  ASSERT_TRUE(NeedsDocument(card, CardForm::kHtml));
  EXPECT_TRUE(Has(Shown(ComposeCard(card, {}).Open()), "more characters»"));
  EXPECT_TRUE(Has(DocumentOf(card).bytes, "rm -rf"));
}

// FR-004
TEST(CardText, ACutNeverFallsIntoAnEntity) {
  for (std::size_t length = 3'000; length < 4'200; length += 7) {
    const render::Card card = CardOf(CommandPayload(std::string(length, 'x') + "&<>&<>&<>"));
    Shown(ComposeCard(card, {}).Open());
  }
}

// FR-010, FR-011
// channels.md 8.41
TEST(CardText, ACutNeverFallsIntoAClusterOrAMark) {
  const std::string family = "👩🏽‍🚀";
  EXPECT_EQ(CutQuoted(family + family, 8), family + "«cut: 4 more characters»");
  EXPECT_EQ(CutQuoted("ab«U+202E»cd", 5), "ab«cut: 10 more characters»");
  EXPECT_EQ(CutQuoted("e\u0301e\u0301", 3), "e\u0301«cut: 2 more characters»");
  EXPECT_EQ(CutQuoted("abc", 3), "abc");
}

TEST(CardText, TheOutcomeTakesThePlaceOfTheDeadlineAndTheCardStays) {
  const CardText text = ComposeCard(CardOf(EmailPayload()), {});
  const std::string settled = Shown(text.Settled("✅ Approved by human:<alex>"));
  EXPECT_FALSE(Has(settled, "⏳"));
  EXPECT_TRUE(Has(settled, "✅ Approved by human:<alex>"));
  EXPECT_TRUE(Has(settled, "21 days late"));
}

TEST(CardText, ThePlainFormHoldsTheSameCharacters) {
  const render::Card card = CardOf(CommandPayload("a < b && c"));
  CardLook plain;
  plain.form = CardForm::kPlain;
  EXPECT_EQ(ComposeCard(card, plain).Open(), Shown(ComposeCard(card, {}).Open()));
}

TEST(CardText, TheShortFormHoldsNoForeignText) {
  SampleOptions options;
  options.key = "evil-key";
  CardLook look;
  look.form = CardForm::kShort;
  look.document = DocumentState::kSent;
  const std::string text = ComposeCard(CardOf(CommandPayload("evil"), options), look).Open();
  EXPECT_FALSE(Has(text, "evil"));
  EXPECT_TRUE(NeedsDocument(CardOf(CommandPayload("evil")), CardForm::kShort));
}

// FR-064
TEST(CardText, ASecretIsShownWholeWithAWarning) {
  const std::string key = "sk-" + std::string(40, 'F');
  const std::string shown = Shown(ComposeCard(CardOf(CommandPayload("curl -H " + key)), {}).Open());
  EXPECT_TRUE(Has(shown, "⚠ looks like a secret"));
  EXPECT_TRUE(Has(shown, "-H " + key));
}

// FR-098
// channels.md 2.12 forgery 5
TEST(CardText, NoDirectionControlArrivesRaw) {
  const std::string controls =
      "\u061C\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069";
  const std::string shown =
      Shown(ComposeCard(CardOf(testing::FilePayload(controls, controls)), {}).Open());
  for (std::size_t i = 0; i < controls.size();) {
    const base::CodePoint control = base::DecodeAt(controls, i);
    EXPECT_FALSE(Has(shown, controls.substr(i, control.length)));
    i += control.length;
  }
}

TEST(CardText, ManyRecipientsStayWithinTheLimitsAndAreCounted) {
  base::JsonArray to;
  for (int i = 0; i < 400; ++i) {
    to.emplace_back("\u0430person" + std::to_string(i) + "@ex\u0430mple" + std::to_string(i) +
                    ".org");
  }
  const render::Card card =
      CardOf(base::JsonObject{{"to", to}, {"subject", "s"}, {"body", "b\u200b"}});
  const std::string html = ComposeCard(card, {}).Open();
  const std::string shown = Shown(html);
  EXPECT_TRUE(Has(shown, "more lines of these in the document"));
  EXPECT_TRUE(Has(shown, "cannot be seen"));
  std::size_t tags = 0;
  for (std::size_t at = html.find("</"); at != std::string::npos; at = html.find("</", at + 1)) {
    ++tags;
  }
  EXPECT_LE(tags, 100u);
}

TEST(CardText, ManyWarningsAreCountedAndEachKindIsNamed) {
  render::Card card = CardOf(EmailPayload());
  for (int i = 0; i < 60; ++i) {
    card.warnings.push_back({render::WarningKind::kHost, "to", "host " + std::string(200, 'h')});
  }
  card.warnings.push_back({render::WarningKind::kBudget, "budget", "budget EXCEEDED"});
  const std::string shown = Shown(ComposeCard(card, {}).Open());
  EXPECT_TRUE(Has(shown, "⚠ budget EXCEEDED"));
  EXPECT_TRUE(Has(shown, "more warnings"));
}

TEST(CardText, AnyInputGivesMessagesThatTheServerTakes) {
  render::RandomText random(5);
  for (int round = 0; round < 400; ++round) {
    const std::size_t size = round % 4 == 0 ? 3'000 : 200;
    SampleOptions options;
    options.key = "k" + random.Text(20);
    options.summary = random.Text(size);
    options.action_class = "c" + random.Text(5);
    const render::Card card =
        CardOf(EmailPayload(random.Text(size), random.Text(size / 4)), options);
    for (const CardForm form : {CardForm::kHtml, CardForm::kPlain, CardForm::kShort}) {
      CardLook look;
      look.form = form;
      const CardText text = ComposeCard(card, look);
      const std::string outcome(1'000, 'o');
      for (const std::string& whole : {text.Open(), text.Settled(outcome)}) {
        if (form == CardForm::kHtml) {
          Shown(whole);
        } else {
          ASSERT_LE(base::CountUtf16Units(whole), 4096u);
        }
      }
    }
  }
}

// FR-029
TEST(CardText, WithoutEveryByteTheCardSaysWhyItCannotBeApproved) {
  CardLook look;
  look.document = DocumentState::kFailed;
  const render::Card card = CardOf(EmailPayload(std::string(9'000, 'x')));
  EXPECT_TRUE(Has(Shown(ComposeCard(card, look).Open()), "cannot be approved here"));
}

}  // namespace
}  // namespace approval::telegram
