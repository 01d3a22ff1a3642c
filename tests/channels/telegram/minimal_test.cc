// The short card as one Telegram message (channels.md 3.4).
#include <gtest/gtest.h>

#include "channels/telegram/card_text.h"
#include "tests/channels/telegram/rig.h"
#include "tests/support/bot_html.h"
#include "tests/support/sample_requests.h"

namespace approval::telegram {
namespace {

render::Card Minimal(const base::Json& payload, const std::string& action_class,
                     const std::string& protected_path = {}) {
  testing::SampleOptions options;
  options.action_class = action_class;
  render::CardOptions look;
  look.surface = render::Surface::kTelegram;
  look.minimal = render::MinimalStyle{
      {{"office.fax", {"send a fax", {{"to", "To"}, {"body", std::nullopt}}, true}}}};
  gate::RequestModel request = testing::SampleRequest(payload, options);
  request.command_breakdown = {"ls · rm x", "classifier"};
  if (!protected_path.empty()) request.protected_path = {protected_path, "classifier"};
  return render::BuildCard(request, testing::kSampleNow, look);
}

std::string Shown(const render::Card& card) {
  const auto parsed = testing::ParseBotHtml(ComposeCard(card, {}).Open());
  EXPECT_TRUE(parsed.has_value());
  return parsed.value_or("");
}

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(MinimalCard, ShowsTheFieldsTheNoticesAndEveryByte) {
  const render::Card card = Minimal({{"to", "<b>1</b>"}, {"body", "Hello"}}, "office.fax");
  ASSERT_TRUE(card.is_minimal());
  const std::string shown = Shown(card);
  EXPECT_TRUE(Has(shown, "Your agent wants to send a fax"));
  EXPECT_TRUE(Has(shown, "To  <b>1</b>"));
  EXPECT_TRUE(Has(shown, "⚠ in the request, left off this card: body"));
  EXPECT_TRUE(Has(shown, card.canonical_text));
}

TEST(MinimalCard, ACardThatDoesNotHoldEveryByteSaysSoAndNamesTheDocument) {
  const render::Card card =
      Minimal(testing::CommandPayload("ls; " + std::string(6'000, 'x')), "exec.local");
  ASSERT_TRUE(card.is_minimal());
  const std::string shown = Shown(card);
  EXPECT_TRUE(Has(shown, "⚠ shortened: this card does not hold every byte"));
  EXPECT_TRUE(Has(shown, DocumentOf(card).file_name));
  EXPECT_LT(shown.find("commands  ls · rm x"), shown.find("⏳"));
}

TEST(MinimalCard, AProtectedPathStandsOutsideTheFoldOfATechnicalCard) {
  const render::Card card =
      Minimal(testing::FilePayload("AGENTS.md"), "files.write", "AGENTS.md (rule protected-path)");
  EXPECT_EQ(card.rendering->fallback, "policy");
  const std::string shown = Shown(card);
  EXPECT_LT(shown.find("protected path  AGENTS.md (rule protected-path)"), shown.find("⏳"));
  EXPECT_TRUE(Has(shown, "class: files.write"));
}

TEST(MinimalCard, NoRowThatMayNotBeHiddenIsCutAway) {
  std::string content;
  for (int i = 0; i < 400; ++i) content += std::string(60, '<') + "\n";
  const render::Card card =
      Minimal(testing::FilePayload("AGENTS.md", content), "files.write", "AGENTS.md (rule x)");
  const std::string shown = Shown(card);
  EXPECT_TRUE(Has(shown, "protected path  AGENTS.md (rule x)"));
  EXPECT_TRUE(Has(shown, "class: files.write"));
}

TEST(MinimalCard, DenyIsTheRejectButtonAndTheReportSaysHowItWasDrawn) {
  Rig rig;
  policy::Policy policy;
  policy.channels.prompts["telegram"].style = policy::PromptStyle::kMinimal;
  rig.runtime.SetPolicy(policy);
  const BotMessage card = rig.StartWith(Mail());
  EXPECT_TRUE(Has(card.text, "Your agent wants to send an email"));
  rig.Toast(rig.server->Tap(card.id, "✋ Deny"));
  const channels::Report report = rig.runtime.reports().at(0);
  EXPECT_EQ(report.gesture, channels::Gesture::kReject);
  ASSERT_TRUE(report.rendering.has_value());
  EXPECT_EQ(report.rendering->style, "minimal");
}

TEST(MinimalCard, UnderATechnicalPolicyTheReportSaysNothingOfIt) {
  Rig rig;
  const BotMessage card = rig.StartWith(Mail());
  rig.Toast(rig.server->Tap(card.id, kApprove));
  EXPECT_FALSE(rig.runtime.reports().at(0).rendering.has_value());
}

}  // namespace
}  // namespace approval::telegram
