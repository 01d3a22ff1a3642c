#include "render/card.h"

#include <gtest/gtest.h>

#include <chrono>

#include "render/quote.h"
#include "tests/render/payloads.h"

namespace approval::render {
namespace {

Card CardOf(std::string_view payload, std::string action_class = "communicate.email.external",
            const CardOptions& options = {}) {
  return BuildCard(RequestFor(Parsed(payload), std::move(action_class)), kTestNow, options);
}

std::vector<std::string> WarningsOf(const Card& card, WarningKind kind) {
  std::vector<std::string> out;
  for (const Warning& warning : card.warnings) {
    if (warning.kind == kind) out.push_back(warning.text);
  }
  return out;
}

using Texts = std::vector<std::string>;

constexpr std::string_view kMail =
    R"({"to":["agency@example.co.uk"],"cc":["me@example.org"],"subject":"Deposit <2> & final",)"
    R"("body":"Hello,\n\nNow 21 days late.\n"})";

TEST(Card, TheHeadlineComesFromShapeAndClassAlone) {
  EXPECT_EQ(CardOf(kMail).headline, "Send an email");
  EXPECT_EQ(CardOf(R"({"command":"ls"})").headline, "Run a command");
  EXPECT_EQ(CardOf(R"({"argv":["ls"],"cwd":"/"})").headline, "Run a program");
  EXPECT_EQ(CardOf(R"({"file":"a","content":"b"})").headline, "Change a file");
  EXPECT_EQ(CardOf(R"({"amount":1})", "payments.transfer").headline, "Use payments.transfer");
}

TEST(Card, APayloadShapedLikeAMailDoesNotMakeAMailOutOfAnotherClass) {
  EXPECT_EQ(CardOf(kMail, "payments.transfer").headline, "Use payments.transfer");
}

TEST(Card, AMailShowsWhatMattersInNumberedLines) {
  const Card card = CardOf(
      R"({"to":["a@x.org","b@y.org"],"bcc":"h@z.org","subject":"s\nt","body":"one\n\ntwo"})");
  Texts lines;
  for (const KeyLine& line : card.key_lines) lines.push_back(line.label + "=" + line.value);
  EXPECT_EQ(lines, (Texts{"to 1/2=a@x.org", "to 2/2=b@y.org", "bcc=h@z.org", "subject=s ⏎ t"}));
  EXPECT_EQ(card.content_label, "body: 3 lines, 8 characters, 8 bytes");
  EXPECT_EQ(card.content, (Texts{"one", "", "two"}));
}

// FR-191, HV-028
TEST(Card, BlindCopiesAreCountedInAWarning) {
  const Card card = CardOf(R"({"to":"a@x","bcc":["h@z","i@z"],"subject":"s","body":"b"})");
  EXPECT_EQ(WarningsOf(card, WarningKind::kBlindCopy),
            Texts{"2 blind copies, which the other recipients do not see"});
}

TEST(Card, LookAlikeLettersAreNamedWithTheirFieldAndNumber) {
  const Card card = CardOf(R"({"to":["\u0430gency@example.org"],"subject":"P\u0430y","body":"b"})");
  EXPECT_EQ(WarningsOf(card, WarningKind::kLookAlike),
            (Texts{"look-alike letters in to: «U+0430»gency",
                   "look-alike letters in subject: P«U+0430»y"}));
}

TEST(Card, AnAddressInAnotherScriptIsNamed) {
  EXPECT_EQ(WarningsOf(CardOf(R"({"to":"почта@example.org","subject":"s","body":"b"})"),
                       WarningKind::kAddress),
            Texts{"foreign letters in an address in to: почта@example.org"});
}

TEST(Card, AForeignHostIsShownWithItsAsciiForm) {
  EXPECT_EQ(
      WarningsOf(CardOf(R"({"to":"a@exämple.com","subject":"s","body":"b"})"), WarningKind::kHost),
      Texts{"foreign letters in a host in to: exämple.com, in ASCII xn--exmple-cua.com"});
  EXPECT_EQ(WarningsOf(CardOf(R"({"command":"curl https://xn--exmple-cua.com/x"})", "c"),
                       WarningKind::kHost),
            Texts{"foreign letters in a host in command: xn--exmple-cua.com, reads exämple.com"});
}

TEST(Card, TheRealHostBehindAnAtIsNamed) {
  EXPECT_EQ(
      WarningsOf(CardOf(R"({"argv":["curl","https://example.com@evil.example/x"],"cwd":"/"})"),
                 WarningKind::kHost),
      Texts{"the real host stands behind an @ in argument 2: evil.example"});
}

TEST(Card, OneRecipientAtALookAlikeDomainIsNamed) {
  const Card card =
      CardOf(R"({"to":["a@corp-mail.example","b@corp-mail.example","c@corp-mall.example"],)"
             R"("subject":"s","body":"b"})");
  EXPECT_EQ(WarningsOf(card, WarningKind::kAddress),
            Texts{"two domains that look alike among the recipients: corp-mail.example (2) and "
                  "corp-mall.example (1), such as c@corp-mall.example"});
}

TEST(Card, InvisibleCharactersAreCountedByField) {
  EXPECT_EQ(WarningsOf(CardOf(R"({"command":"a\u202eb\u200b","cwd":"/\u2060x"})"),
                       WarningKind::kInvisible),
            (Texts{"2 characters that cannot be seen or that change the direction in command",
                   "1 character that cannot be seen or that change the direction in cwd"}));
}

// FR-064
TEST(Card, ASecretLikeStringIsWarnedAboutAndStillShown) {
  const std::string key = "sk-" + std::string(40, 'F');
  const Card card = CardOf(R"({"argv":["curl","-H","x )" + key + R"("],"cwd":"/"})");
  EXPECT_EQ(WarningsOf(card, WarningKind::kSecret),
            Texts{"looks like a secret in argument 3: an API key (sk-…) at character 3"});
  EXPECT_NE(card.canonical_text.find(key), std::string::npos);
}

TEST(Card, WhatTheRuntimeFindsOddIsAWarning) {
  gate::RequestModel request = RequestFor(Parsed(R"({"command":"ls"})"));
  request.autonomy.value = "autonomous";
  request.attestation.value = {gate::AttestationView::Status::kNotAttested, std::nullopt};
  request.budgets.value.front().pass = false;
  const Card card = BuildCard(request, kTestNow, {});
  EXPECT_EQ(WarningsOf(card, WarningKind::kAutonomy), Texts{"autonomy is autonomous, not manual"});
  EXPECT_EQ(WarningsOf(card, WarningKind::kAttestation), Texts{"policy not attested by anyone"});
  EXPECT_EQ(WarningsOf(card, WarningKind::kBudget),
            Texts{"budget EXCEEDED class.daily_usd (rolling-24h): consumed $0.00, this $0.02, left "
                  "$4.98"});
}

TEST(Card, ThousandsOfOddPlacesAreBoundedAndCounted) {
  base::JsonObject payload;
  for (int i = 0; i < 3000; ++i) payload["k" + std::to_string(i)] = "\u0430a";
  const Card card = BuildCard(RequestFor(payload), kTestNow, {});
  const Texts warnings = WarningsOf(card, WarningKind::kLookAlike);
  ASSERT_EQ(warnings.size(), 13u);
  EXPECT_EQ(warnings.back(), "the same kind of oddness in 2988 more places");
}

TEST(Card, AHugePayloadIsDrawnInBoundedTime) {
  base::JsonObject inner;
  for (int i = 0; i < 2000; ++i) inner["k" + std::to_string(i)] = "\u202e\u0430a";
  base::JsonObject payload;
  payload[std::string(1 << 20, 'k')] = inner;
  const auto start = std::chrono::steady_clock::now();
  EXPECT_TRUE(BuildCard(RequestFor(payload), kTestNow, {}).complete);
  EXPECT_TRUE(BuildCard(RequestFor(base::Json(std::string(1 << 21, 'x'))), kTestNow, {}).complete);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

// channels.md 8.42
TEST(Card, AMixedScriptWordAndAForeignHostAreWarnedAboutWhateverThePolicyHides) {
  const base::Json mail = Parsed(R"({"to":"me@ex\u0430mple.org","subject":"s","body":"b"})");
  for (const Surface surface : {Surface::kTelegram, Surface::kWeb, Surface::kCli}) {
    CardOptions options;
    options.surface = surface;
    options.prompt.hide = {
        "task",      "autonomy",         "provenance",   "state",       "requested_ts",
        "waiting",   "ttl_remaining_ms", "payload_hash", "attestation", "budgets",
        "chain",     "token_delivery",   "est_cost_usd", "gloss",       "summary",
        "rationale", "confidence"};
    const Card card = BuildCard(RequestFor(mail), kTestNow, options);
    EXPECT_EQ(WarningsOf(card, WarningKind::kLookAlike).size(), 1u);
    EXPECT_EQ(WarningsOf(card, WarningKind::kHost).size(), 1u);
  }
}

// channels.md 8.42
TEST(Card, NoPolicyHidesAWarning) {
  CardOptions options;
  options.surface = Surface::kTelegram;
  options.prompt.hide = {"autonomy", "budgets", "attestation", "summary"};
  gate::RequestModel request = RequestFor(Parsed(R"({"command":"\u0441url"})"));
  request.autonomy.value = "supervised";
  const Card card = BuildCard(request, kTestNow, options);
  EXPECT_EQ(WarningsOf(card, WarningKind::kLookAlike).size(), 1u);
  EXPECT_EQ(WarningsOf(card, WarningKind::kAutonomy).size(), 1u);
}

TEST(Card, AnOrdinaryRequestHasNoWarning) { EXPECT_TRUE(CardOf(kMail).warnings.empty()); }

TEST(Card, ClaimedLinesStandApartWithTheirAuthor) {
  gate::RequestModel request = RequestFor(Parsed(kMail));
  request.rationale = {"late\nagain", "agent:planner"};
  request.confidence = {0.9, "agent:planner"};
  const Card card = BuildCard(request, kTestNow, {});
  Texts lines;
  for (const ClaimedLine& line : card.claimed) {
    lines.push_back(line.author + " " + line.label + "=" + line.text);
  }
  EXPECT_EQ(lines,
            (Texts{"agent:drafter est. cost=$0.02", "agent:drafter summary=Send the deposit chaser",
                   "agent:planner rationale=late ⏎ again", "agent:planner confidence=0.9"}));
}

TEST(Card, TheDeadlineAndTheCountStandOnIt) {
  CardOptions options;
  options.index = 1;
  options.total = 6;
  const Card card = CardOf(kMail, "communicate.email", options);
  EXPECT_EQ(card.count_line, "1 of 6");
  EXPECT_EQ(card.deadline,
            "about 3 hours left, until 15:10 UTC · the agent is blocked and waiting · without an "
            "answer it will not happen");
  EXPECT_EQ(card.reversible, false);
}

TEST(Card, APreviewSaysExactlyHowMuchItLeavesOut) {
  std::string body;
  for (int i = 1; i <= 100; ++i) body += "line " + std::to_string(i) + "\n";
  CardOptions options;
  options.preview_lines = 20;
  const Card card =
      BuildCard(RequestFor(base::JsonObject{{"to", "a@b"}, {"subject", "s"}, {"body", body}}),
                kTestNow, options);
  EXPECT_EQ(card.content_lines_left_out, 61u);
  ASSERT_EQ(card.content.size(), 41u);
  EXPECT_EQ(card.content[19], "line 20");
  EXPECT_EQ(card.content[20], "«61 lines not shown here»");
  EXPECT_EQ(card.content[39], "line 100");
  EXPECT_NE(card.canonical_text.find("│ line 50\n"), std::string::npos);
}

TEST(Card, TheBlockAndItsDigestAreThoseOfTheCanonicalBlock) {
  const Card card = CardOf(kMail);
  const auto block = CanonicalBlock(Parsed(kMail), "communicate.email.external");
  EXPECT_EQ(card.canonical_text, block->text);
  EXPECT_EQ(card.display_hash, block->display_hash);
  EXPECT_TRUE(card.complete);
}

// channels.md 8.5
TEST(Card, BytesThatAreNotTheBoundOnesAreNotShownAndNotComplete) {
  gate::RequestModel request = RequestFor(Parsed(R"({"command":"\u0441url evil"})"));
  request.payload_hash.value = std::string(64, '0');
  const Card card = BuildCard(request, kTestNow, {});
  EXPECT_FALSE(card.complete);
  for (const std::string& line : CardLines(card)) {
    EXPECT_EQ(line.find("evil"), std::string::npos) << line;
    EXPECT_EQ(line.find("url"), std::string::npos) << line;
  }
}

TEST(Card, APayloadThatCannotBeShownIsNotComplete) {
  gate::RequestModel request = RequestFor(base::Json("x"));
  request.payload.value.value = std::string("x\xED\xA0\xBD");
  const Card card = BuildCard(request, kTestNow, {});
  EXPECT_FALSE(card.complete);
  EXPECT_FALSE(card.incomplete_reason.empty());
  EXPECT_TRUE(card.content.empty());
}

// Every string of a card is one line without anything that cannot be seen, whatever was fed in.
TEST(Card, NoLineBreakAndNoHiddenCharacterSurvivesAnywhere) {
  RandomText random(99);
  for (int round = 0; round < 3000; ++round) {
    const auto text = [&random] { return random.Text(12); };
    gate::RequestModel request = RequestFor(
        base::JsonObject{{"to", text()}, {"subject", text()}, {"body", text()}}, "mail" + text());
    request.action_key.value = text();
    request.summary = {text(), "agent:" + text()};
    request.rationale = {text(), "agent:" + text()};
    request.autonomy.value = text();
    request.provenance.value = text();
    for (const std::string& line : CardLines(BuildCard(request, kTestNow, {}))) {
      // The emoji of our own headline and joined ones aside, quoting again changes our marks only.
      ASSERT_EQ(line.find('\n'), std::string::npos);
      ASSERT_EQ(CountInvisible(line), 0u) << line;
    }
  }
}

// channels.md 8.33
TEST(Card, TheSameRequestGivesTheSamePayloadTextOnEverySurface) {
  CardOptions telegram;
  telegram.surface = Surface::kTelegram;
  CardOptions web;
  web.surface = Surface::kWeb;
  const Card a = CardOf(kMail, "communicate.email", telegram);
  const Card b = CardOf(kMail, "communicate.email", web);
  EXPECT_EQ(a.canonical_text, b.canonical_text);
  EXPECT_EQ(a.content, b.content);
  EXPECT_EQ(a.headline, b.headline);
}

}  // namespace
}  // namespace approval::render
