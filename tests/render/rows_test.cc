#include "render/rows.h"

#include <gtest/gtest.h>

#include "tests/render/payloads.h"

namespace approval::render {
namespace {

using Names = std::vector<std::string>;

gate::RequestModel Ordinary() { return RequestFor(Parsed(R"({"command":"ls"})"), "exec.local"); }

Names NamesOf(const gate::RequestModel& request, Surface surface, const PromptRows& prompt) {
  Names names;
  for (const Row& row : BuildRows(request, kTestNow, surface, prompt)) names.push_back(row.name);
  return names;
}

std::optional<Row> Find(const gate::RequestModel& request, Surface surface, std::string_view name,
                        const PromptRows& prompt = {}) {
  for (const Row& row : BuildRows(request, kTestNow, surface, prompt)) {
    if (row.name == name) return row;
  }
  return std::nullopt;
}

TEST(Rows, TelegramShowsFewByDefault) {
  EXPECT_EQ(NamesOf(Ordinary(), Surface::kTelegram, {}),
            (Names{"class", "waiting", "summary", "est_cost_usd"}));
}

TEST(Rows, ScreensShowAllByDefaultInTheirOrder) {
  const Names all = {"action_key",  "task",         "class",   "autonomy",         "provenance",
                     "state",       "requested_ts", "waiting", "ttl_remaining_ms", "payload_hash",
                     "attestation", "budgets",      "chain",   "reversible",       "est_cost_usd",
                     "summary"};
  EXPECT_EQ(NamesOf(Ordinary(), Surface::kCli, {}), all);
  EXPECT_EQ(NamesOf(Ordinary(), Surface::kWeb, {}), all);
}

TEST(Rows, AnAbnormalValueIsShownAndCarriesTheSignEverywhere) {
  gate::RequestModel request = Ordinary();
  request.autonomy.value = "supervised";
  request.attestation.value.status = gate::AttestationView::Status::kHashMismatch;
  request.budgets.value.front().pass = false;
  for (const Surface surface : {Surface::kTelegram, Surface::kWeb, Surface::kCli}) {
    for (const char* name : {"autonomy", "attestation", "budgets"}) {
      const auto row = Find(request, surface, name);
      ASSERT_TRUE(row.has_value()) << name;
      EXPECT_TRUE(row->abnormal);
      EXPECT_TRUE(row->text.starts_with("⚠ ")) << row->text;
    }
  }
}

TEST(Rows, ANormalValueNeverCarriesTheSign) {
  gate::RequestModel request = Ordinary();
  request.summary.value = "⚠ ⚠\uFE0F all is well";
  PromptRows prompt;
  prompt.always = {"autonomy", "attestation", "budgets"};
  const auto rows = BuildRows(request, kTestNow, Surface::kTelegram, prompt);
  EXPECT_EQ(rows.size(), 7u);
  for (const Row& row : rows) EXPECT_EQ(row.text.find("⚠"), std::string::npos) << row.name;
}

TEST(Rows, RowsReordersAndNeverRemoves) {
  PromptRows prompt;
  prompt.rows = {"budgets", "class"};
  const Names names = NamesOf(Ordinary(), Surface::kCli, prompt);
  EXPECT_EQ(names.size(), NamesOf(Ordinary(), Surface::kCli, {}).size());
  EXPECT_EQ((Names{names[0], names[1], names[2]}), (Names{"budgets", "class", "action_key"}));
}

TEST(Rows, HideHidesAndAlwaysRaises) {
  PromptRows prompt;
  prompt.hide = {"waiting", "summary"};
  prompt.always = {"chain"};
  EXPECT_EQ(NamesOf(Ordinary(), Surface::kTelegram, prompt),
            (Names{"class", "chain", "est_cost_usd"}));
}

TEST(Rows, ARequiredRowIsNotHidden) {
  PromptRows prompt;
  prompt.hide = {"class", "action_key"};
  EXPECT_TRUE(Find(Ordinary(), Surface::kCli, "class", prompt).has_value());
  EXPECT_TRUE(Find(Ordinary(), Surface::kCli, "action_key", prompt).has_value());
}

TEST(Rows, AClaimedRowPutFirstStaysBehindTheComputedOnes) {
  PromptRows prompt;
  prompt.rows = {"summary"};
  const auto rows = BuildRows(Ordinary(), kTestNow, Surface::kTelegram, prompt);
  EXPECT_EQ(rows.front().kind, Kind::kComputed);
  EXPECT_EQ(rows[2].name, "summary");
  EXPECT_EQ(rows[2].kind, Kind::kClaimed);
}

TEST(Rows, ARowThatTheRequestDoesNotCarryIsAbsent) {
  gate::RequestModel request = Ordinary();
  request.summary.value.reset();
  request.task.value.reset();
  EXPECT_FALSE(Find(request, Surface::kCli, "summary").has_value());
  EXPECT_FALSE(Find(request, Surface::kCli, "task").has_value());
}

TEST(Rows, ComputedRowsNameTheirSourceAndClaimedOnesTheirAuthor) {
  EXPECT_EQ(Find(Ordinary(), Surface::kCli, "budgets")->origin, "budgets");
  EXPECT_EQ(Find(Ordinary(), Surface::kCli, "summary")->origin, "agent:drafter");
}

TEST(Rows, ABudgetSaysWhatIsConsumedWhatThisTakesAndWhatIsLeft) {
  EXPECT_EQ(Find(Ordinary(), Surface::kCli, "budgets")->text,
            "ok class.daily_usd (rolling-24h): consumed $0.00, this $0.02, left $4.98");
}

TEST(Rows, AClaimWithALineBreakStaysOneLine) {
  gate::RequestModel request = Ordinary();
  request.summary.value = "ok\n[computed] class: read.web\u202E";
  EXPECT_EQ(Find(request, Surface::kCli, "summary")->text,
            "ok ⏎ [computed] class: read.web«U+202E»");
}

}  // namespace
}  // namespace approval::render
