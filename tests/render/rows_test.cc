#include "render/rows.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/render/payloads.h"

namespace approval::render {
namespace {

using Names = std::vector<std::string>;

// The order of channels.md 1.10.
const Names kTelegramOrder = {"action_key",
                              "task",
                              "class",
                              "command_breakdown",
                              "protected_path",
                              "policy_diff",
                              "policy_load",
                              "autonomy",
                              "budgets",
                              "attestation",
                              "provenance",
                              "state",
                              "requested_ts",
                              "waiting",
                              "ttl_remaining_ms",
                              "payload_hash",
                              "chain",
                              "token_delivery",
                              "gloss",
                              "summary",
                              "est_cost_usd",
                              "rationale",
                              "confidence"};
const Names kScreenOrder = {"action_key",
                            "task",
                            "class",
                            "command_breakdown",
                            "protected_path",
                            "policy_diff",
                            "policy_load",
                            "autonomy",
                            "provenance",
                            "state",
                            "requested_ts",
                            "waiting",
                            "ttl_remaining_ms",
                            "payload_hash",
                            "attestation",
                            "budgets",
                            "chain",
                            "est_cost_usd",
                            "gloss",
                            "summary",
                            "rationale",
                            "confidence",
                            "token_delivery"};

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

// The rows that a request can carry, claimed ones behind the computed ones.
Names Carried(const Names& order) {
  Names computed;
  Names claimed;
  for (const std::string& name : order) {
    if (name == "policy_diff" || name == "policy_load" || name == "gloss") continue;
    const bool is_claim =
        name == "summary" || name == "est_cost_usd" || name == "rationale" || name == "confidence";
    (is_claim ? claimed : computed).push_back(name);
  }
  computed.insert(computed.end(), claimed.begin(), claimed.end());
  return computed;
}

// A request that carries every row it can.
gate::RequestModel Full() {
  gate::RequestModel request = Ordinary();
  request.command_breakdown = {"ls", "classifier"};
  request.protected_path = {"AGENTS.md (rule protected-path)", "classifier"};
  request.token_delivery = {"0123456789abcdef", "log"};
  request.rationale = {"tidy up", "agent:drafter"};
  request.confidence = {0.5, "agent:drafter"};
  request.reversible.value.reset();
  return request;
}

TEST(Rows, TheDefaultOrderIsThatOfTheSurface) {
  PromptRows all;
  all.always = kTelegramOrder;
  EXPECT_EQ(NamesOf(Full(), Surface::kTelegram, all), Carried(kTelegramOrder));
  EXPECT_EQ(NamesOf(Full(), Surface::kCli, {}), Carried(kScreenOrder));
  EXPECT_EQ(NamesOf(Full(), Surface::kWeb, {}), Carried(kScreenOrder));
}

TEST(Rows, TelegramAlwaysShowsWhatIsDoneHowLongAndWhatIsClaimed) {
  EXPECT_EQ(NamesOf(Full(), Surface::kTelegram, {}),
            (Names{"class", "command_breakdown", "protected_path", "waiting", "summary",
                   "est_cost_usd", "rationale", "confidence"}));
}

// channels.md 8.30
TEST(Rows, TheBreakdownAndTheProtectedPathAreQuoted) {
  gate::RequestModel request = Ordinary();
  request.command_breakdown = {"echo a\nb\u202E ⚠ x", "classifier"};
  request.protected_path = {"AGENTS.md\n (rule protected-path)", "classifier"};
  for (const Surface surface : {Surface::kTelegram, Surface::kWeb, Surface::kCli}) {
    const auto commands = Find(request, surface, "command_breakdown");
    ASSERT_TRUE(commands.has_value());
    EXPECT_EQ(commands->label, "commands");
    EXPECT_EQ(commands->text, "echo a ⏎ b«U+202E» «U+26A0» x");
    EXPECT_EQ(commands->origin, "classifier");
    const auto path = Find(request, surface, "protected_path");
    ASSERT_TRUE(path.has_value());
    EXPECT_EQ(path->label, "protected path");
    EXPECT_EQ(path->text, "AGENTS.md ⏎  (rule protected-path)");
    EXPECT_EQ(path->kind, Kind::kComputed);
  }
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

TEST(Rows, RowsOnlyOrdersAndIsNeverAWhitelist) {
  for (const Surface surface : {Surface::kTelegram, Surface::kWeb, Surface::kCli}) {
    const Names before = NamesOf(Full(), surface, {});
    for (const std::string& first : kScreenOrder) {
      PromptRows prompt;
      prompt.rows = {first};
      const Names after = NamesOf(Full(), surface, prompt);
      EXPECT_TRUE(std::is_permutation(before.begin(), before.end(), after.begin(), after.end()))
          << first;
      Names rest_before = before;
      Names rest_after = after;
      std::erase(rest_before, first);
      std::erase(rest_after, first);
      EXPECT_EQ(rest_before, rest_after) << first;
    }
  }
}

TEST(Rows, OrderingARowDoesNotShowIt) {
  PromptRows prompt;
  prompt.rows = {"chain"};
  EXPECT_FALSE(Find(Ordinary(), Surface::kTelegram, "chain", prompt).has_value());
}

TEST(Rows, AlwaysShowsARowThatIsOffByDefault) {
  for (const std::string& name : Carried(kTelegramOrder)) {
    PromptRows prompt;
    prompt.always = {name};
    EXPECT_TRUE(Find(Full(), Surface::kTelegram, name, prompt).has_value()) << name;
  }
}

TEST(Rows, HideTakesAwayEveryRowThatIsNotRequired) {
  for (const Surface surface : {Surface::kTelegram, Surface::kWeb, Surface::kCli}) {
    for (const std::string& name : NamesOf(Full(), surface, {})) {
      PromptRows prompt;
      prompt.hide = {name};
      EXPECT_EQ(Find(Full(), surface, name, prompt).has_value(), IsRequiredRow(name)) << name;
    }
  }
}

TEST(Rows, ThePayloadHashMayBeHidden) {
  PromptRows prompt;
  prompt.hide = {"payload_hash"};
  EXPECT_FALSE(Find(Ordinary(), Surface::kWeb, "payload_hash", prompt).has_value());
}

TEST(Rows, AnAbnormalValueCarriesTheSignAlsoWhenForcedOn) {
  gate::RequestModel request = Ordinary();
  request.autonomy.value = "supervised";
  PromptRows prompt;
  prompt.always = {"autonomy"};
  EXPECT_EQ(Find(request, Surface::kTelegram, "autonomy", prompt)->text, "⚠ supervised");
  request.autonomy.value = "manual";
  EXPECT_EQ(Find(request, Surface::kTelegram, "autonomy", prompt)->text, "manual");
}

TEST(Rows, AnAbnormalRowThatIsHiddenStaysHidden) {
  gate::RequestModel request = Ordinary();
  request.autonomy.value = "supervised";
  PromptRows prompt;
  prompt.hide = {"autonomy"};
  EXPECT_FALSE(Find(request, Surface::kTelegram, "autonomy", prompt).has_value());
}

TEST(Rows, EachStatusButAttestedIsAbnormal) {
  using Status = gate::AttestationView::Status;
  gate::RequestModel request = Ordinary();
  for (const Status status :
       {Status::kAttested, Status::kNotAttested, Status::kHashMismatch, Status::kUnreadable}) {
    request.attestation.value.status = status;
    EXPECT_EQ(Find(request, Surface::kCli, "attestation")->abnormal, status != Status::kAttested);
  }
}

TEST(Rows, ARowOutsideTheVocabularyIsAppendedOnScreens) {
  gate::RequestModel request = Full();
  request.reversible.value = false;
  PromptRows prompt;
  prompt.rows = {"class"};
  for (const Surface surface : {Surface::kWeb, Surface::kCli}) {
    EXPECT_TRUE(Find(request, surface, "reversible", prompt).has_value());
  }
}

TEST(Rows, ANameOutsideTheVocabularyReachesNothing) {
  PromptRows prompt;
  prompt.rows = {"payload", "buttons"};
  prompt.always = {"buttons"};
  prompt.hide = {"payload", "canonical_block", "buttons"};
  EXPECT_EQ(NamesOf(Full(), Surface::kTelegram, prompt), NamesOf(Full(), Surface::kTelegram, {}));
}

TEST(Rows, NoOrderPutsAClaimAboveAComputedRow) {
  PromptRows prompt;
  prompt.rows = {"confidence", "summary", "gloss", "est_cost_usd", "rationale"};
  for (const Surface surface : {Surface::kTelegram, Surface::kWeb, Surface::kCli}) {
    const auto rows = BuildRows(Full(), kTestNow, surface, prompt);
    EXPECT_TRUE(std::is_partitioned(rows.begin(), rows.end(),
                                    [](const Row& row) { return row.kind == Kind::kComputed; }));
  }
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
