// Asking (core.md 5.5, order of level N; spec README items 3, 13 and 18).
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/gate/rig.h"

namespace approval::gate {
namespace {

using testing::Action;
using testing::CodeOf;
using testing::Detail;
using testing::HashOf;
using testing::kHour;
using testing::kLines;
using testing::Letter;
using testing::Rig;

Action Reading() {
  Action action;
  action.action_class = "read.web";
  return action;
}

TEST(Request, ItRecordsWhatThePersonWillBeAskedAndUnderWhichPolicy) {
  Rig rig;
  Action action;
  action.cost = 0.02;
  action.reversible = true;
  const auto requested = rig.Ask(action);
  ASSERT_TRUE(requested);
  EXPECT_TRUE(requested->requested);
  EXPECT_FALSE(requested->proceed);
  const log::Record last = rig.Last();
  EXPECT_EQ(last.seq, requested->seq);
  EXPECT_EQ(last.event, "approval.requested");
  EXPECT_EQ(last.actor, "agent:claude");
  EXPECT_EQ(last.task, "t-1");
  EXPECT_EQ(last.payload.at("class"), "communicate.email.external");
  EXPECT_EQ(last.payload.at("est_cost_usd"), "0.02");
  EXPECT_EQ(last.payload.at("reversible"), true);
  EXPECT_EQ(last.payload.at("summary"), "Send the chaser");
  EXPECT_EQ(rig.LastText("payload_hash"), HashOf(Letter()));
  EXPECT_EQ(rig.LastText("policy_sha256"),
            base::Sha256Hex(*base::ReadFile(rig.folder.Path("APPROVAL.md"))));
}

TEST(Request, AMissingCostIsRecordedAsZero) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  EXPECT_EQ(rig.LastText("est_cost_usd"), "0");
}

TEST(Request, ThePayloadIsStoredUnderItsHash) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  EXPECT_EQ(CodeOf(rig.gate.store().Get(HashOf(Letter()))), "ok");
}

TEST(Request, TheDigestOfTheRenderingIsRecordedWhenThereIsOne) {
  Rig rig;
  Gate gate({rig.gate.log_path(), rig.folder.Path("APPROVAL.md"),
             [](const base::Json&, std::string_view cls) -> std::optional<std::string> {
               return base::Sha256Hex(cls);
             }},
            rig.clock, rig.random);
  ASSERT_TRUE(rig.Register("t-1", {Action{}}));
  ASSERT_TRUE(gate.Request({"t-1", "k", "agent:claude", Letter()}));
  EXPECT_EQ(rig.LastText("display_hash"), base::Sha256Hex("communicate.email.external"));
}

TEST(Request, AnActorIsAHumanOrAnAgent) {
  Rig rig;
  EXPECT_EQ(CodeOf(rig.Request("k", Letter(), "t-1", "claude")), "actor-invalid");
}

TEST(Request, ATaskNobodyRegisteredIsRefused) {
  Rig rig;
  EXPECT_EQ(CodeOf(rig.Request()), "not-registered");
}

TEST(Request, AKeyThatTheTaskDoesNotDeclareIsRefused) {
  Rig rig;
  ASSERT_TRUE(rig.Register("t-1", {Action{}}));
  EXPECT_EQ(CodeOf(rig.Request("other")), "action-not-registered");
}

TEST(Request, AKeyThatAnotherTaskDeclaredFirstIsRefused) {
  Rig rig;
  ASSERT_TRUE(rig.Register("t-1", {Action{}}));
  log::Draft foreign{"task.registered", "agent:a", "t-2"};
  foreign.payload =
      base::JsonObject{{"actions", Rig::Envelope({Action{}}).at("actions")}, {"state", "proposed"}};
  ASSERT_TRUE(rig.Append(foreign));
  EXPECT_EQ(CodeOf(rig.Request("k", Letter(), "t-2")), "action-not-registered");
}

TEST(Request, AnActionOfAForeignLogWhoseCostCannotBeCountedIsNotDeclared) {
  Rig rig;
  log::Draft foreign{"task.registered", "agent:a", "t-1"};
  base::JsonArray actions = Rig::Envelope({Action{}}).at("actions").as_array();
  actions[0].as_object()["est_cost_usd"] = 1e20;
  foreign.payload = base::JsonObject{{"actions", actions}, {"state", "proposed"}};
  ASSERT_TRUE(rig.Append(foreign));
  EXPECT_EQ(CodeOf(rig.Request()), "action-not-registered");
}

TEST(Request, AnEditedPolicyStopsEveryRequestEvenOfAnAutonomousClass) {
  Rig rig;
  ASSERT_TRUE(rig.Register("t-1", {Reading()}));
  rig.SetPolicy(std::string(kLines) + "payload_retention: 30d\n");
  const std::size_t before = rig.Count();
  const auto refused = rig.Request();
  EXPECT_EQ(CodeOf(refused), "policy-not-attested");
  EXPECT_EQ(Detail(refused, "detail"), "hash-mismatch");
  EXPECT_EQ(rig.Count(), before);
}

TEST(Request, APolicyThatNobodyAttestedStopsEveryRequest) {
  Rig rig;
  std::filesystem::remove(rig.gate.log_path());
  ASSERT_TRUE(rig.Register("t-1", {Action{}}));
  EXPECT_EQ(Detail(rig.Request(), "detail"), "not-attested");
}

TEST(Request, APolicyThatCannotBeReadStopsEveryRequest) {
  Rig rig;
  ASSERT_TRUE(rig.Register("t-1", {Action{}}));
  std::filesystem::remove(rig.folder.Path("APPROVAL.md"));
  EXPECT_EQ(Detail(rig.Request(), "detail"), "unreadable");
}

TEST(Request, OnlyAPersonAttestsAPolicy) {
  Rig rig;
  EXPECT_EQ(CodeOf(rig.Attest("agent:claude")), "actor-not-human");
}

TEST(Request, APolicyUpdateByAnAgentAttestsNothing) {
  Rig rig;
  ASSERT_TRUE(rig.Register("t-1", {Action{}}));
  rig.SetPolicy(std::string(kLines) + "payload_retention: 30d\n");
  log::Draft forged{"policy.updated", "agent:claude"};
  forged.payload = base::JsonObject{
      {"policy_path", "APPROVAL.md"},
      {"sha256", base::Sha256Hex(*base::ReadFile(rig.folder.Path("APPROVAL.md")))}};
  ASSERT_TRUE(rig.Append(forged));
  EXPECT_EQ(CodeOf(rig.Request()), "policy-not-attested");
}

TEST(Request, APolicyThatDoesNotLoadMakesEveryClassManual) {
  Rig rig("classes:\n  read.*: {autonomy: no-such-level}\n");
  const auto asked = rig.Ask(Reading());
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->autonomy, policy::Autonomy::kManual);
  EXPECT_TRUE(asked->requested);
}

TEST(Request, AnAutonomousClassProceedsAndAppendsNothing) {
  Rig rig;
  ASSERT_TRUE(rig.Register("t-1", {Reading()}));
  const std::size_t before = rig.Count();
  const auto answer = rig.Request();
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->proceed);
  EXPECT_FALSE(answer->requested);
  EXPECT_FALSE(answer->seq);
  EXPECT_EQ(rig.Count(), before);
}

TEST(Request, AnIrreversibleActionOfAnAutonomousClassIsAskedFor) {
  Rig rig;
  Action action = Reading();
  action.reversible = false;
  const auto answer = rig.Ask(action);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->autonomy, policy::Autonomy::kManual);
  EXPECT_TRUE(answer->requested);
}

TEST(Request, WhatOnlyAPersonMayDoCannotBeAskedFor) {
  Rig rig;
  Action action;
  action.action_class = "deploy.production";
  EXPECT_EQ(CodeOf(rig.Ask(action)), "class-human-only");
}

TEST(Request, AnActionWithoutADeclaredHashCannotBeAskedFor) {
  Rig rig;
  Action action;
  action.payload.reset();
  ASSERT_TRUE(rig.Register("t-1", {action}));
  EXPECT_EQ(CodeOf(rig.Request()), "payload-hash-required");
  EXPECT_EQ(CodeOf(rig.Request("k", std::nullopt)), "payload-hash-required");
}

TEST(Request, OtherBytesThanDeclaredAreRefusedAndNotStored) {
  Rig rig;
  ASSERT_TRUE(rig.Register("t-1", {Action{}}));
  const std::size_t before = rig.Count();
  EXPECT_EQ(CodeOf(rig.Request("k", Letter("Hello!"))), "payload-mismatch");
  EXPECT_EQ(rig.Count(), before);
  EXPECT_EQ(CodeOf(rig.gate.store().Get(HashOf(Letter("Hello!")))), "absent");
}

TEST(Request, AThreeMegabytePayloadIsRefusedAndNothingIsAppended) {
  Rig rig;
  Action action;
  action.payload = Letter(std::string(std::size_t{3} << 20, 'x'));
  ASSERT_TRUE(rig.Register("t-1", {action}));
  const std::size_t before = rig.Count();
  EXPECT_EQ(CodeOf(rig.Request("k", action.payload)), "payload-too-large");
  EXPECT_EQ(rig.Count(), before);
  EXPECT_EQ(CodeOf(rig.gate.store().Get(HashOf(*action.payload))), "absent");
}

TEST(Request, APayloadOfExactlyTwoMebibytesIsTaken) {
  Rig rig;
  const std::size_t frame = base::Canonicalize(Letter(""))->size();
  Action action;
  action.payload = Letter(std::string(kMaxPayloadBytes - frame, 'x'));
  EXPECT_EQ(CodeOf(rig.Ask(action)), "ok");
}

TEST(Request, AStoreThatCannotBeWrittenRefusesBeforeTheRecord) {
  Rig rig;
  ASSERT_TRUE(rig.Register("t-1", {Action{}}));
  rig.folder.Write("payloads", "a file where the folder belongs");
  const std::size_t before = rig.Count();
  EXPECT_EQ(CodeOf(rig.Request()), "payload-store-failed");
  EXPECT_EQ(rig.Count(), before);
}

TEST(Request, ARequestThatWaitsIsNotMadeTwice) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  const std::size_t before = rig.Count();
  const auto again = rig.Request();
  EXPECT_EQ(CodeOf(again), "duplicate-request");
  EXPECT_EQ(Detail(again, "state"), "requested");
  EXPECT_EQ(rig.Count(), before);
}

TEST(Request, ADuplicateRequestIsRefusedWhileTheGrantIsUnspent) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  const auto granted = rig.Grant();
  ASSERT_TRUE(granted);
  const auto again = rig.Request();
  EXPECT_EQ(CodeOf(again), "duplicate-request");
  EXPECT_EQ(Detail(again, "state"), "granted");
  EXPECT_EQ(CodeOf(rig.Consume(granted->token->Reveal())), "ok");
}

TEST(Request, AGrantThatLapsedMayBeAskedForAgain) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  ASSERT_TRUE(rig.Grant());
  rig.clock.Advance(kHour + 1);
  EXPECT_EQ(CodeOf(rig.Request()), "ok");
}

TEST(Request, AGrantExactlyAtTheLimitIsStillLive) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  ASSERT_TRUE(rig.Grant());
  rig.clock.Advance(kHour);
  EXPECT_EQ(CodeOf(rig.Request()), "duplicate-request");
}

TEST(Request, ARejectedKeyMayBeAskedForAgain) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  ASSERT_TRUE(rig.Reject());
  EXPECT_EQ(CodeOf(rig.Request()), "ok");
}

TEST(Request, ARevokedKeyMayBeAskedForAgain) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  ASSERT_TRUE(rig.Grant());
  ASSERT_TRUE(rig.Revoke());
  EXPECT_EQ(CodeOf(rig.Request()), "ok");
}

TEST(Request, AKeyThatWasExecutedIsNeverAskedForAgain) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  const auto granted = rig.Grant();
  ASSERT_TRUE(rig.Consume(granted->token->Reveal()));
  const auto again = rig.Request();
  EXPECT_EQ(CodeOf(again), "already-executed");
  EXPECT_EQ(Detail(again, "state"), "granted");
}

TEST(Request, AMissingLogWithStoredPayloadsIsRefused) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  std::filesystem::remove(rig.gate.log_path());
  EXPECT_EQ(CodeOf(rig.Request()), "log-unreadable");
  EXPECT_FALSE(std::filesystem::exists(rig.gate.log_path()));
}

TEST(Request, AnEmptiedLogWithStoredPayloadsIsRefused) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  rig.folder.Write("log/events.jsonl", "");
  EXPECT_EQ(CodeOf(rig.Request()), "log-unreadable");
}

TEST(Request, AnEditedRecordStopsTheGate) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  std::string bytes = *base::ReadFile(rig.gate.log_path());
  bytes.replace(bytes.find("Send the chaser"), 4, "Read");
  rig.folder.Write("log/events.jsonl", bytes);
  EXPECT_EQ(CodeOf(rig.Grant()), "log-corrupt");
}

}  // namespace
}  // namespace approval::gate
