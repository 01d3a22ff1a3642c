// The short card of channels.md 1.10 and 3.4.
#include "render/minimal.h"

#include <gtest/gtest.h>

#include "render/card.h"
#include "tests/render/payloads.h"

namespace approval::render {
namespace {

const base::Json kFax = {{"to", "+49 30 1"}, {"pages", 2}, {"body", "Hello"}};

MinimalStyle FaxStyle() {
  MinimalStyle style;
  style.say["office.fax"] = {
      "send a fax", {{"to", "To"}, {"pages", "Pages"}, {"body", std::nullopt}}, true};
  return style;
}

Card Draw(const gate::RequestModel& request, const MinimalStyle& style = FaxStyle()) {
  CardOptions options;
  options.surface = Surface::kTelegram;
  options.minimal = style;
  return BuildCard(request, kTestNow, options);
}

Card Fax(const base::Json& payload = kFax) { return Draw(RequestFor(payload, "office.fax")); }

std::string FallbackOf(const Card& card) {
  EXPECT_TRUE(card.rendering.has_value());
  EXPECT_EQ(card.is_minimal(), !card.rendering->fallback.has_value());
  return card.rendering->fallback.value_or("minimal");
}

TEST(Minimal, ThePolicysWordsAreTheHeadline) {
  EXPECT_EQ(Fax().headline, "Your agent wants to send a fax");
}

TEST(Minimal, AClassOfOursHasAPhraseOfOurs) {
  for (const char* name :
       {"network.call", "read.web", "browser.exec", "cron.manage", "process.write", "skill.manage",
        "agent.delegate", "message.send", "files.delete.scratch"}) {
    const Card card = Draw(RequestFor(Parsed(R"({"command":"ls"})"), name));
    EXPECT_TRUE(card.headline.starts_with("Your agent wants to ")) << card.headline;
    EXPECT_EQ(card.headline.find(name), std::string::npos) << card.headline;
    EXPECT_EQ(card.headline.find("command"), std::string::npos) << card.headline;
  }
}

TEST(Minimal, AnyOtherClassHasAPhraseOfTheShapeAndItsName) {
  EXPECT_EQ(Draw(RequestFor(Parsed(R"({"command":"ls"})"), "exec.local")).headline,
            "Your agent wants to run a command (exec.local)");
  EXPECT_EQ(Draw(RequestFor(Parsed(R"({"command":"ls"})"), "exec.local"), {}).headline,
            "Your agent wants to run a command (exec.local)");
}

TEST(Minimal, TheQuotedFieldsOfAnOpaquePayloadAreTheKeyLines) {
  const Card card = Fax();
  ASSERT_EQ(card.key_lines.size(), 2u);
  EXPECT_EQ(card.key_lines[0].label, "Pages");
  EXPECT_EQ(card.key_lines[0].value, "2");
  EXPECT_EQ(card.key_lines[1].label, "To");
  EXPECT_EQ(card.key_lines[1].value, "+49 30 1");
  EXPECT_TRUE(card.content.empty());
}

TEST(Minimal, ADeclaredFieldThatIsLeftOffIsNamed) {
  EXPECT_EQ(Fax().notices, (std::vector<std::string>{"in the request, left off this card: body"}));
  EXPECT_TRUE(Fax({{"to", "1"}}).notices.empty());
}

TEST(Minimal, AFieldIsCutAt280CodePointsAndTheCutIsNamed) {
  EXPECT_TRUE(Fax({{"to", std::string(280, 'x')}}).notices.empty());
  const Card card = Fax({{"to", std::string(281, 'x')}});
  EXPECT_EQ(card.notices, (std::vector<std::string>{"cut on this card: to"}));
  EXPECT_NE(card.key_lines[0].value.find("«cut: "), std::string::npos);
}

TEST(Minimal, AFieldCannotImitateALineOrAMark) {
  const Card card = Fax({{"to", "a\n⚠ b\u202E«cut»"}});
  EXPECT_EQ(card.key_lines[0].value.find('\n'), std::string::npos);
  EXPECT_NE(card.key_lines[0].value.find("«U+202E»«U+00AB»cut"), std::string::npos);
}

TEST(Minimal, ACommandOfSeveralLinesSaysSo) {
  const Card card = Draw(RequestFor(Parsed(R"({"command":"a\nb"})"), "exec.local"));
  EXPECT_EQ(card.notices, (std::vector<std::string>{"the command has 2 lines"}));
}

TEST(Minimal, WarningsDeadlineAndTheWholeBlockStay) {
  const base::Json mail =
      Parsed(R"({"to":["a@b.org"],"bcc":["c@d.org"],"subject":"s","body":"b"})");
  CardOptions technical;
  technical.surface = Surface::kTelegram;
  const Card before = BuildCard(RequestFor(mail), kTestNow, technical);
  const Card card = Draw(RequestFor(mail));
  EXPECT_TRUE(card.is_minimal());
  EXPECT_FALSE(before.warnings.empty());
  EXPECT_EQ(card.warnings.size(), before.warnings.size());
  EXPECT_EQ(card.deadline, before.deadline);
  EXPECT_EQ(card.canonical_text, before.canonical_text);
  EXPECT_EQ(card.content, before.content);
}

TEST(Minimal, NoteNoneDropsTheSummary) {
  MinimalStyle style = FaxStyle();
  EXPECT_EQ(Draw(RequestFor(kFax, "office.fax"), style).claimed.size(), 2u);
  style.say["office.fax"].with_summary = false;
  const Card card = Draw(RequestFor(kFax, "office.fax"), style);
  ASSERT_EQ(card.claimed.size(), 1u);
  EXPECT_EQ(card.claimed[0].label, "est. cost");
}

TEST(Minimal, ACostOfNothingIsNotSaid) {
  gate::RequestModel request = RequestFor(kFax, "office.fax");
  request.est_cost.value = 0;
  EXPECT_EQ(Draw(request).claimed.size(), 1u);
}

TEST(Minimal, WhatConcernsThePolicyStaysTechnical) {
  const base::Json command = Parsed(R"({"command":"ls"})");
  for (const char* name : {"policy", "policy.core", "policy.edit.ci", "log.mutate"}) {
    EXPECT_EQ(FallbackOf(Draw(RequestFor(command, name))), "policy") << name;
  }
  EXPECT_EQ(FallbackOf(Draw(RequestFor(command, "policymaking.x"))), "minimal");
  gate::RequestModel request = RequestFor(command, "exec.local");
  request.protected_path = {"AGENTS.md (rule protected-path)", "classifier"};
  EXPECT_EQ(FallbackOf(Draw(request)), "policy");
}

TEST(Minimal, AnAbnormalRequestStaysTechnical) {
  gate::RequestModel request = RequestFor(kFax, "office.fax");
  request.autonomy.value = "supervised";
  EXPECT_EQ(FallbackOf(Draw(request)), "anomaly");
  request = RequestFor(kFax, "office.fax");
  request.budgets.value.front().pass = false;
  EXPECT_EQ(FallbackOf(Draw(request)), "anomaly");
  request = RequestFor(kFax, "office.fax");
  request.attestation.value.status = gate::AttestationView::Status::kNotAttested;
  EXPECT_EQ(FallbackOf(Draw(request)), "anomaly");
}

TEST(Minimal, AnOpaquePayloadWithoutQuoteIsUndeclared) {
  EXPECT_EQ(FallbackOf(Draw(RequestFor(kFax, "office.telex"))), "undeclared");
}

TEST(Minimal, AKeyThatThePolicyDoesNotNameIsUnlisted) {
  EXPECT_EQ(FallbackOf(Fax({{"to", "1"}, {"copies", 3}})), "unlisted-key");
}

TEST(Minimal, AnOpaquePayloadWithoutALabelledFieldQuotesNothing) {
  EXPECT_EQ(FallbackOf(Fax({{"body", "x"}})), "nothing-quoted");
  EXPECT_EQ(FallbackOf(Fax(base::JsonArray{"to"})), "nothing-quoted");
}

TEST(Minimal, ARequestThatRecordsAnotherRenderingStaysTechnical) {
  gate::RequestModel request = RequestFor(kFax, "office.fax");
  request.display_hash = {Fax().display_hash, "log"};
  EXPECT_EQ(FallbackOf(Draw(request)), "minimal");
  request.display_hash.value = std::string(64, 'd');
  EXPECT_EQ(FallbackOf(Draw(request)), "digest");
}

TEST(Minimal, AFallbackIsTheTechnicalCardItself) {
  const gate::RequestModel request = RequestFor(kFax, "office.telex");
  CardOptions technical;
  technical.surface = Surface::kTelegram;
  EXPECT_EQ(CardLines(Draw(request)), CardLines(BuildCard(request, kTestNow, technical)));
}

TEST(Minimal, ATechnicalPolicyRecordsNothing) {
  EXPECT_FALSE(BuildCard(RequestFor(kFax, "office.fax"), kTestNow, {}).rendering.has_value());
}

}  // namespace
}  // namespace approval::render
