// Which refusal is named when several hold (core.md 5.5, 5.7 and 5.10, order of level N), and the
// attestation that stands before all of them.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/gate/rig.h"

namespace approval::gate {
namespace {

using testing::Action;
using testing::CodeOf;
using testing::HashOf;
using testing::kHour;
using testing::kLines;
using testing::Letter;
using testing::Rig;

Action Of(const std::string& action_class) {
  Action action;
  action.action_class = action_class;
  return action;
}

void EditPolicy(Rig& rig) { rig.SetPolicy(std::string(kLines) + "payload_retention: 30d\n"); }

// A request on record that no registration stands behind.
void AskWith(Rig& rig, base::JsonObject payload) {
  log::Draft asked{"approval.requested", "agent:claude", "t-1", "k"};
  asked.payload = std::move(payload);
  ASSERT_TRUE(rig.Append(asked));
}

TEST(RequestOrder, TheActorStandsBeforeTheLog) {
  Rig rig;
  rig.folder.Write("log/events.jsonl", "rubbish\n");
  EXPECT_EQ(CodeOf(rig.Request("k", Letter(), "t-1", "claude")), "actor-invalid");
  EXPECT_EQ(CodeOf(rig.Request()), "log-corrupt");
}

TEST(RequestOrder, TheAttestationStandsBeforeTheClassAndThePayload) {
  Rig rig;
  ASSERT_TRUE(rig.Register("t-1", {Of("deploy.production")}));
  EditPolicy(rig);
  EXPECT_EQ(CodeOf(rig.Request("k", Letter("other"))), "policy-not-attested");
}

TEST(RequestOrder, TheClassStandsBeforeThePayload) {
  Rig rig;
  ASSERT_TRUE(rig.Register("t-1", {Of("deploy.production")}));
  EXPECT_EQ(CodeOf(rig.Request("k", Letter("other"))), "class-human-only");
}

TEST(RequestOrder, ThePayloadStandsBeforeTheDuplicate) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  EXPECT_EQ(CodeOf(rig.Request("k", Letter("other"))), "payload-mismatch");
}

TEST(RequestOrder, ADuplicateOfAnExecutedKeyThatWaitsAgainIsADuplicate) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  const auto granted = rig.Grant();
  ASSERT_TRUE(rig.Consume(granted->token->Reveal()));
  AskWith(rig, {{"class", "communicate.email.external"}, {"payload_hash", HashOf(Letter())}});
  EXPECT_EQ(CodeOf(rig.Request()), "duplicate-request");
}

TEST(DecideOrder, TheAttestationStandsBeforeTheRequest) {
  Rig rig;
  EditPolicy(rig);
  EXPECT_EQ(CodeOf(rig.Grant()), "policy-not-attested");
  EXPECT_EQ(CodeOf(rig.Reject()), "not-requested");
}

TEST(DecideOrder, TheClassStandsBeforeTheExpiry) {
  Rig rig;
  AskWith(rig, {{"class", "deploy.production"}, {"payload_hash", HashOf(Letter())}});
  rig.clock.Advance(kHour + 1);
  const std::size_t before = rig.Count();
  EXPECT_EQ(CodeOf(rig.Grant()), "class-human-only");
  EXPECT_EQ(rig.Count(), before);
  EXPECT_EQ(CodeOf(rig.Reject()), "expired");
}

TEST(DecideOrder, TheExpiryStandsBeforeThePolicysDrift) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  EditPolicy(rig);
  ASSERT_TRUE(rig.Attest());
  rig.clock.Advance(kHour + 1);
  EXPECT_EQ(CodeOf(rig.Grant()), "expired");
}

TEST(DecideOrder, TheFirstAnswerStandsBeforeThePolicysDrift) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  ASSERT_TRUE(rig.Grant());
  EditPolicy(rig);
  ASSERT_TRUE(rig.Attest());
  EXPECT_EQ(CodeOf(rig.Grant()), "already-decided");
}

TEST(DecideOrder, ThePolicysDriftStandsBeforeTheMissingClass) {
  Rig rig;
  AskWith(rig, {{"policy_sha256", std::string(64, '0')}, {"payload_hash", HashOf(Letter())}});
  EXPECT_EQ(CodeOf(rig.Grant()), "policy-drift");
}

TEST(DecideOrder, TheApproverStandsBeforeTheBudget) {
  Rig rig(
      "defaults:\n  approval_ttl: 1h\nbudgets:\n  all: {daily_usd: 1}\n"
      "classes:\n  payments.refund: {autonomy: manual, approvers: [bo]}\n"
      "approvers:\n  bo: {channels: [cli]}\n");
  AskWith(
      rig,
      {{"class", "payments.refund"}, {"est_cost_usd", "5"}, {"payload_hash", HashOf(Letter())}});
  const std::size_t before = rig.Count();
  EXPECT_EQ(CodeOf(rig.Grant("k", "human:alice")), "actor-not-approver");
  EXPECT_EQ(rig.Count(), before);
  EXPECT_EQ(CodeOf(rig.Grant("k", "human:bo")), "budget-exceeded");
}

TEST(StartOrder, AnUnknownOutcomeStandsBeforeTheToken) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  const auto granted = rig.Grant();
  ASSERT_TRUE(rig.Start(granted->token->Reveal()));
  ASSERT_TRUE(rig.Finish(Outcome::kIndeterminate));
  EXPECT_EQ(CodeOf(rig.Start("")), "execution-indeterminate");
}

TEST(StartOrder, TheLoopStandsBeforeTheEarlierExecution) {
  Rig rig;
  std::vector<Action> actions;
  for (const char* key : {"a", "b", "c"}) {
    actions.push_back(Of("files.write"));
    actions.back().key = key;
  }
  ASSERT_TRUE(rig.Register("t-1", actions));
  for (const Action& action : actions) {
    ASSERT_TRUE(rig.Start("", Letter(), action.key));
    ASSERT_TRUE(rig.Finish(Outcome::kFailed, action.key));
  }
  EXPECT_EQ(CodeOf(rig.Start("", Letter(), "a")), "loop-escalated");
}

TEST(StartOrder, TheTokenStandsBeforeTheBytes) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  ASSERT_TRUE(rig.Grant());
  EXPECT_EQ(CodeOf(rig.Start(std::string(64, '0'), Letter("other"))), "token-mismatch");
}

TEST(Levels, AHarnessLaunchNeedsARuleOfItsOwn) {
  Rig bare("defaults:\n  autonomy: autonomous\n");
  EXPECT_EQ(CodeOf(bare.Ask(Of("harness.launch.codex"))), "harness-launch-unruled");
  EXPECT_EQ(CodeOf(bare.Start("")), "harness-launch-unruled");
  Rig ruled("classes:\n  harness.launch.codex: {autonomy: manual}\n");
  EXPECT_EQ(CodeOf(ruled.Ask(Of("harness.launch.codex"))), "ok");
}

TEST(Levels, ALiveDrawThatNobodyCanMakeIsAskedForLikeManual) {
  Rig rig("classes:\n  files.write: {autonomy: supervised-live, live_rate: 0.01}\n");
  const auto asked = rig.Ask(Of("files.write"));
  ASSERT_TRUE(asked);
  EXPECT_TRUE(asked->requested);
  EXPECT_EQ(CodeOf(rig.Start("")), "token-required");
}

TEST(Attest, ItHashesTheBytesOfTheFileAndNothingElse) {
  Rig rig;
  rig.SetPolicy("nonsense: true\n");
  std::string sha256;
  const auto attested = rig.gate.Attest("human:alice", sha256);
  ASSERT_TRUE(attested);
  EXPECT_EQ(sha256, base::Sha256Hex(*base::ReadFile(rig.folder.Path("APPROVAL.md"))));
  EXPECT_EQ(rig.LastText("sha256"), sha256);
  EXPECT_EQ(rig.LastText("policy_path"), "APPROVAL.md");
}

TEST(Attest, APolicyThatCannotBeReadIsNotAttested) {
  Rig rig;
  std::filesystem::remove(rig.folder.Path("APPROVAL.md"));
  const std::size_t before = rig.Count();
  EXPECT_EQ(CodeOf(rig.Attest()), "unreadable");
  EXPECT_EQ(rig.Count(), before);
}

TEST(Attest, ItWorksOnALogThatIsBrokenAboveItsLastLine) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  std::string bytes = *base::ReadFile(rig.gate.log_path());
  bytes.replace(bytes.find("APPROVAL.md"), 8, "DISMISSA");
  rig.folder.Write("log/events.jsonl", bytes);
  EXPECT_EQ(CodeOf(rig.Attest()), "ok");
  EXPECT_EQ(CodeOf(rig.Grant()), "log-corrupt");
}

TEST(Attest, OnATornLogItIsRefusedByTheBareCode) {
  Rig rig;
  const std::string bytes = *base::ReadFile(rig.gate.log_path());
  rig.folder.Write("log/events.jsonl", bytes + "{\"seq\":");
  EXPECT_EQ(CodeOf(rig.Attest()), "corrupt-tail");
}

}  // namespace
}  // namespace approval::gate
