// What channels receive (channels.md 1.4, 1.5).
#include "core/gate/pending.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <regex>
#include <set>
#include <type_traits>

#include "core/policy/budgets.h"
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

base::Result<RequestModel> Build(const Rig& rig, const std::string& key = "k") {
  const log::VerifiedLog log = rig.Log();
  return BuildRequest(log, StateTable::Fold(log), rig.gate.LoadPolicy(), rig.gate.store(), key,
                      rig.clock.NowMs());
}

PendingQueue QueueOf(const Rig& rig) {
  return BuildPendingQueue(rig.Log(), rig.gate.LoadPolicy(), rig.gate.store(), rig.clock.NowMs());
}

// A request record with exactly this payload.
void AskWith(Rig& rig, base::JsonObject payload) {
  log::Draft asked{"approval.requested", "agent:claude", "t-1", "k"};
  asked.payload = std::move(payload);
  ASSERT_TRUE(rig.Append(asked));
}

// channels.md 8.7
TEST(BuildRequest, AKeyNobodyAskedForIsNotRequested) {
  const Rig rig;
  EXPECT_EQ(CodeOf(Build(rig)), "not-requested");
}

// channels.md 8.7
TEST(BuildRequest, AnEndedRequestIsNotAwaiting) {
  Rig granted, rejected, withdrawn;
  ASSERT_TRUE(granted.Ask());
  ASSERT_TRUE(granted.Grant());
  EXPECT_EQ(CodeOf(Build(granted)), "not-awaiting");
  ASSERT_TRUE(rejected.Ask());
  ASSERT_TRUE(rejected.Reject());
  EXPECT_EQ(CodeOf(Build(rejected)), "not-awaiting");
  ASSERT_TRUE(withdrawn.Ask());
  ASSERT_TRUE(withdrawn.gate.Withdraw("t-1", "k", "agent:claude", "cancelled", std::nullopt));
  EXPECT_EQ(CodeOf(Build(withdrawn)), "not-awaiting");
}

// channels.md 8.8
TEST(BuildRequest, AtTheLimitItWaitsAndOneMillisecondLaterItDoesNot) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  rig.clock.Advance(kHour);
  const auto at_limit = Build(rig);
  ASSERT_TRUE(at_limit);
  EXPECT_EQ(at_limit->ttl_remaining_ms.value, 0);
  rig.clock.Advance(1);
  EXPECT_EQ(CodeOf(Build(rig)), "not-awaiting");
}

TEST(BuildRequest, ARequestWithoutAClassIsNamed) {
  Rig rig;
  AskWith(rig, {{"payload_hash", HashOf(Letter())}});
  EXPECT_EQ(CodeOf(Build(rig)), "class-missing");
}

TEST(BuildRequest, ARequestWithoutAHashIsNamed) {
  Rig rig;
  AskWith(rig, {{"class", "communicate.email.external"}});
  EXPECT_EQ(CodeOf(Build(rig)), "payload-hash-missing");
}

// channels.md 8.4
TEST(BuildRequest, BytesThatNobodyHoldsAreUnavailable) {
  Rig rig;
  AskWith(rig, {{"class", "communicate.email.external"}, {"payload_hash", HashOf(Letter())}});
  EXPECT_EQ(CodeOf(Build(rig)), "payload-unavailable");
}

// channels.md 8.5, 8.6
TEST(BuildRequest, OtherBytesUnderTheHashAreNeverShown) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  rig.folder.Write("payloads/" + HashOf(Letter()) + ".json", R"({"subject":"another"})");
  const auto built = Build(rig);
  ASSERT_EQ(CodeOf(built), "payload-mismatch");
  EXPECT_EQ(built.error().message.find("another"), std::string::npos);
}

// channels.md 8.1
TEST(BuildRequest, EveryValueIsTaggedWithItsSourceOrItsAuthor) {
  Rig rig;
  Action action;
  action.cost = 0.02;
  ASSERT_TRUE(rig.Ask(action));
  const auto it = Build(rig);
  ASSERT_TRUE(it);
  EXPECT_EQ(it->action_key.source, "log");
  EXPECT_EQ(it->task.source, "log");
  EXPECT_EQ(it->action_class.source, "log");
  EXPECT_EQ(it->command_breakdown.source, "classifier");
  EXPECT_EQ(it->protected_path.source, "classifier");
  EXPECT_EQ(it->autonomy.source, "policy-match");
  EXPECT_EQ(it->provenance.source, "policy-match");
  EXPECT_EQ(it->state.source, "log");
  EXPECT_EQ(it->requester.source, "log");
  EXPECT_EQ(it->waiting.source, "clock");
  EXPECT_EQ(it->ttl_remaining_ms.source, "clock");
  EXPECT_EQ(it->payload_hash.source, "log");
  EXPECT_EQ(it->attestation.source, "attestation");
  EXPECT_EQ(it->budgets.source, "budgets");
  EXPECT_EQ(it->chain.source, "log");
  EXPECT_EQ(it->payload.source, "payload-binding");
  EXPECT_EQ(it->summary.author, "agent:claude");
  EXPECT_EQ(it->est_cost.author, "agent:claude");
}

// channels.md 8.2
TEST(BuildRequest, TheComputedValuesAreThoseOfTheEngines) {
  const std::string lines = std::string(kLines) + "budgets:\n  all: {daily_usd: 5}\n";
  Rig rig(lines);
  Action action;
  action.cost = 2.5;
  ASSERT_TRUE(rig.Ask(action));
  const log::Record request = rig.Last();
  rig.clock.Advance(60'000);
  const auto it = Build(rig);
  ASSERT_TRUE(it);
  const auto load = rig.gate.LoadPolicy();
  const auto resolution = policy::Resolve(load, action.action_class, std::nullopt);
  EXPECT_EQ(it->action_class.value, action.action_class);
  EXPECT_EQ(it->autonomy.value, policy::Spelling(resolution.autonomy));
  EXPECT_EQ(it->provenance.value, policy::Spelling(resolution.provenance));
  EXPECT_EQ(it->attestation.value.status, AttestationView::Status::kAttested);
  EXPECT_EQ(it->attestation.value.seq, 1);
  const auto budgets = policy::EvaluateBudgets(rig.Log().records(), load.OrDefaults(), resolution,
                                               {2'500'000, "t-1", rig.clock.NowMs()});
  ASSERT_EQ(it->budgets.value.size(), 1U);
  EXPECT_EQ(policy::BudgetVerdictsJson(it->budgets.value),
            policy::BudgetVerdictsJson(budgets.verdicts));
  EXPECT_EQ(it->chain.value.seq, request.seq);
  EXPECT_EQ(it->chain.value.hash, request.hash);
  EXPECT_EQ(it->waiting.value.requested_ts, request.ts);
  EXPECT_EQ(it->ttl_remaining_ms.value, kHour - 60'000);
  EXPECT_EQ(it->payload.value.text, *base::Canonicalize(Letter()));
  EXPECT_EQ(it->payload.value.hash, HashOf(Letter()));
  EXPECT_EQ(it->summary.value, "Send the chaser");
  EXPECT_EQ(it->est_cost.value, 2'500'000);
}

// channels.md 2.4: both come from the bound bytes, and stay raw here.
TEST(BuildRequest, ACommandHasItsBreakdownAndItsProtectedPath) {
  Rig rig(std::string(kLines) +
          "protected_paths: [SPEC.md, {path: design/, class: "
          "policy.edit.design}]\n");
  Action action;
  action.payload = base::JsonObject{{"command", "cd 'a\nb' && cp SPEC.md design/x > y"}};
  ASSERT_TRUE(rig.Ask(action));
  const auto it = Build(rig);
  ASSERT_TRUE(it);
  EXPECT_EQ(it->command_breakdown.value, "cd a\nb · cp SPEC.md design/x");
  EXPECT_EQ(it->protected_path.value, "design/x (rule protected-path)");
}

TEST(BuildRequest, APayloadThatIsNoCommandHasNoBreakdownAndNoProtectedPath) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  const auto it = Build(rig);
  ASSERT_TRUE(it);
  EXPECT_EQ(it->command_breakdown.value, std::nullopt);
  EXPECT_EQ(it->protected_path.value, std::nullopt);
}

// The built-in set needs no policy.
TEST(BuildRequest, ABrokenPolicyStillNamesTheProtectedPath) {
  Rig rig;
  Action action;
  action.payload = base::JsonObject{{"file", "docs/APPROVAL.md"}, {"content", "x"}};
  ASSERT_TRUE(rig.Ask(action));
  rig.SetPolicy("nonsense: true\n");
  const auto it = Build(rig);
  ASSERT_TRUE(it);
  EXPECT_EQ(it->protected_path.value, "docs/APPROVAL.md (rule protected-path)");
}

TEST(BuildRequest, APolicyThatDoesNotLoadStillShowsTheRequestAsManual) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  rig.SetPolicy("nonsense: true\n");
  const auto it = Build(rig);
  ASSERT_TRUE(it);
  EXPECT_EQ(it->autonomy.value, "manual");
  EXPECT_EQ(it->provenance.value, "fail-closed");
  EXPECT_EQ(it->attestation.value.status, AttestationView::Status::kHashMismatch);
}

TEST(BuildRequest, TheRequestersOwnWaitEndsTheWindowWhenItIsShorter) {
  Rig rig;
  ASSERT_TRUE(rig.gate.store().Put(HashOf(Letter()), *base::Canonicalize(Letter())));
  AskWith(rig, {{"class", "communicate.email.external"},
                {"payload_hash", HashOf(Letter())},
                {"execution", "harness"},
                {"wait_until", "2026-08-04T09:05:00.000Z"}});
  const auto it = Build(rig);
  ASSERT_TRUE(it) << it.error().message;
  EXPECT_TRUE(it->waiting.value.requester_waits);
  EXPECT_EQ(it->ttl_remaining_ms.value, 300'000);
}

// channels.md 8.10
TEST(PendingQueue, OldestFirstAndWhatCannotBeShownIsReportedWithCodeAndSentence) {
  Rig rig;
  Action a, b, c;
  a.key = "a";
  b.key = "b";
  b.payload = Letter("lost");
  c.key = "c";
  ASSERT_TRUE(rig.Register("t-1", {a, b, c}));
  ASSERT_TRUE(rig.Request("c"));
  ASSERT_TRUE(rig.Request("b", Letter("lost")));
  ASSERT_TRUE(rig.Request("a"));
  std::filesystem::remove(rig.folder.Path("payloads/" + HashOf(Letter("lost")) + ".json"));
  const PendingQueue queue = QueueOf(rig);
  ASSERT_EQ(queue.requests.size(), 2U);
  EXPECT_EQ(queue.requests[0].action_key.value, "c");
  EXPECT_EQ(queue.requests[1].action_key.value, "a");
  ASSERT_EQ(queue.skipped.size(), 1U);
  EXPECT_EQ(queue.skipped[0].action_key, "b");
  EXPECT_EQ(queue.skipped[0].error.code, base::Code::kPayloadUnavailable);
  EXPECT_FALSE(queue.skipped[0].error.message.empty());
}

// channels.md 8.8
TEST(PendingQueue, OneMillisecondAfterTheWindowARequestIsNeitherShownNorSkipped) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  rig.clock.Advance(kHour);
  EXPECT_EQ(QueueOf(rig).requests.size(), 1U);
  rig.clock.Advance(1);
  EXPECT_TRUE(QueueOf(rig).requests.empty());
  EXPECT_TRUE(QueueOf(rig).skipped.empty());
}

// channels.md 8.1
TEST(BuildRequest, AValueWithoutATagOrOfTheOtherKindIsNoFieldOfARequest) {
  using Text = std::optional<std::string>;
  EXPECT_FALSE((std::is_assignable_v<decltype(RequestModel::summary)&, Computed<Text>>));
  EXPECT_FALSE((std::is_assignable_v<decltype(RequestModel::task)&, Claimed<Text>>));
  EXPECT_FALSE((std::is_convertible_v<std::string, Computed<std::string>>));
  EXPECT_FALSE((std::is_convertible_v<Text, Claimed<Text>>));
}

// What a route says of itself is in no record, so that no request has a rationale or a confidence.
// channels.md 8.3
TEST(BuildRequest, ClaimsCarryTheActorThatRequestedAndNoRouteIsClaimed) {
  Rig rig;
  Action action;
  action.cost = 0.02;
  base::JsonObject envelope = Rig::Envelope({action});
  envelope["route"] = base::JsonObject{
      {"assignee", "agent:planner"}, {"rationale", "it is due"}, {"confidence", 0.9}};
  rig.folder.Write("t-1.md", rig.TaskText("t-1", envelope));
  ASSERT_TRUE(rig.gate.Register(rig.folder.Path("t-1.md"), "agent:planner"));
  ASSERT_TRUE(rig.Request("k", Letter(), "t-1", "agent:claude"));
  const auto it = Build(rig);
  ASSERT_TRUE(it);
  EXPECT_EQ(it->summary.value, "Send the chaser");
  EXPECT_EQ(it->summary.author, "agent:claude");
  EXPECT_EQ(it->est_cost.value, 20'000);
  EXPECT_EQ(it->est_cost.author, "agent:claude");
  EXPECT_EQ(it->rationale.value, std::nullopt);
  EXPECT_EQ(it->confidence.value, std::nullopt);
}

// A request model holds its bytes: the type has no way to leave them out.
// channels.md 8.4
TEST(BuildRequest, ARequestWithoutItsPayloadCannotBeConstructed) {
  EXPECT_TRUE((std::is_same_v<decltype(RequestModel::payload), Computed<BoundPayload>>));
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  std::filesystem::remove(rig.folder.Path("payloads/" + HashOf(Letter()) + ".json"));
  EXPECT_EQ(CodeOf(Build(rig)), "payload-unavailable");
}

// channels.md 8.7
TEST(PendingQueue, UnknownAndDecidedKeysAreNeitherShownNorSkipped) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  ASSERT_TRUE(rig.Reject());
  EXPECT_TRUE(QueueOf(rig).requests.empty());
  EXPECT_TRUE(QueueOf(rig).skipped.empty());
}

// channels.md 8.11
TEST(BuildRequest, TheRefusalCodesAreTheseAndNoOthers) {
  const std::vector<std::function<void(Rig&)>> faults = {
      [](Rig&) {},
      [](Rig& rig) {
        ASSERT_TRUE(rig.Ask());
        ASSERT_TRUE(rig.Reject());
      },
      [](Rig& rig) {
        AskWith(rig, {{"payload_hash", HashOf(Letter())}});
      },
      [](Rig& rig) {
        AskWith(rig, {{"class", "read.web"}});
      },
      [](Rig& rig) {
        AskWith(rig, {{"class", "read.web"}, {"payload_hash", HashOf(Letter())}});
      },
      [](Rig& rig) {
        ASSERT_TRUE(rig.Ask());
        rig.folder.Write("payloads/" + HashOf(Letter()) + ".json", "{}");
      }};
  std::set<std::string> met;
  for (const auto& fault : faults) {
    Rig rig;
    fault(rig);
    met.insert(CodeOf(Build(rig)));
  }
  const std::set<std::string> listed = {"not-requested",       "not-awaiting",
                                        "class-missing",       "payload-hash-missing",
                                        "payload-unavailable", "payload-mismatch"};
  EXPECT_EQ(met, listed);
  // What the builder spells, as its source does.
  const auto source = base::ReadFile(std::string(APPROVAL_SOURCE_DIR) + "/core/gate/pending.cc");
  ASSERT_TRUE(source);
  std::set<std::string> spelled;
  const std::regex code("Fail\\(Code::k([A-Za-z]+)");
  for (std::sregex_iterator at(source->begin(), source->end(), code), end; at != end; ++at) {
    spelled.insert((*at)[1]);
  }
  EXPECT_EQ(spelled,
            (std::set<std::string>{"NotRequested", "NotAwaiting", "ClassMissing",
                                   "PayloadHashMissing", "PayloadUnavailable", "PayloadMismatch"}));
}

// channels.md 8.11
TEST(BuildRequest, TheSourcesAreTheseAndNoOthers) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  const auto it = Build(rig);
  ASSERT_TRUE(it);
  const std::set<std::string> met = {it->action_key.source,       it->task.source,
                                     it->action_class.source,     it->command_breakdown.source,
                                     it->protected_path.source,   it->autonomy.source,
                                     it->provenance.source,       it->state.source,
                                     it->requester.source,        it->waiting.source,
                                     it->ttl_remaining_ms.source, it->payload_hash.source,
                                     it->display_hash.source,     it->attestation.source,
                                     it->budgets.source,          it->chain.source,
                                     it->token_delivery.source,   it->reversible.source,
                                     it->payload.source};
  EXPECT_EQ(met, (std::set<std::string>{"log", "classifier", "policy-match", "clock", "attestation",
                                        "budgets", "payload-binding"}));
}

// Nothing of ours puts a batch together; what a caller that did would leave on record.
// channels.md 8.15
TEST(Batch, EachMemberIsOneEventWithTheDeliveryIdAndTheNoteHoldsOnlyThePersonsWords) {
  Rig rig;
  Action a, b;
  a.key = "a";
  b.key = "b";
  ASSERT_TRUE(rig.Register("t-1", {a, b}));
  ASSERT_TRUE(rig.Request("a"));
  ASSERT_TRUE(rig.Request("b"));
  const std::size_t before = rig.Count();
  for (const char* key : {"a", "b"}) {
    DecisionAsk ask;
    ask.decision = Decision::kReject;
    ask.action_key = key;
    ask.actor = "human:alice";
    ask.note = "not today";
    ask.batch_delivery_id = "d-1";
    ASSERT_TRUE(rig.gate.Decide(ask));
    EXPECT_EQ(rig.Last().action_key, key);
    EXPECT_EQ(rig.LastText("batch_delivery_id"), "d-1");
    EXPECT_EQ(rig.LastText("note"), "not today");
  }
  EXPECT_EQ(rig.Count(), before + 2);
}

}  // namespace
}  // namespace approval::gate
