// Faults of comparable products, asked of this gate: one winner, one record, one truth.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "core/base/encoding.h"
#include "core/log/verify.h"
#include "tests/gate/rig.h"

namespace approval::gate {
namespace {

using testing::Action;
using testing::CodeOf;
using testing::kHour;
using testing::Letter;
using testing::Rig;

// Codes of the same step done by several gates at once, each with its own clock and random source.
template <typename Step>
std::vector<std::string> AtOnce(const Rig& rig, int count, const Step& step) {
  std::vector<std::string> codes(static_cast<std::size_t>(count));
  std::atomic<int> ready{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      base::SystemRandom random;
      Gate gate({rig.gate.log_path(), rig.folder.Path("APPROVAL.md"), {}}, rig.clock, random);
      ++ready;
      while (ready < count) std::this_thread::yield();
      codes[static_cast<std::size_t>(i)] = step(gate, i);
    });
  }
  for (std::thread& thread : threads) thread.join();
  return codes;
}

std::ptrdiff_t CountOf(const std::vector<std::string>& all, std::string_view one) {
  return std::count(all.begin(), all.end(), one);
}

DecisionAsk AskFor(Decision decision) {
  DecisionAsk ask;
  ask.decision = decision;
  ask.action_key = "k";
  ask.actor = "human:alice";
  return ask;
}

// FR-067
TEST(FieldReports, OfADecisionAndAnExpiryInOneInstantOnlyOneIsRecorded) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  rig.clock.Advance(kHour + 1);
  const auto codes = AtOnce(rig, 4, [](Gate& gate, int i) {
    return i % 2 == 0 ? CodeOf(gate.Expire("k")) : CodeOf(gate.Decide(AskFor(Decision::kGrant)));
  });
  EXPECT_EQ(CountOf(rig.Events(), "approval.expired"), 1) << codes[0] << codes[1];
  EXPECT_EQ(CountOf(rig.Events(), "approval.granted"), 0);
}

// FR-067
TEST(FieldReports, OfGrantAndRejectInOneInstantOneWins) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  const auto codes = AtOnce(rig, 4, [](Gate& gate, int i) {
    return CodeOf(gate.Decide(AskFor(i % 2 == 0 ? Decision::kGrant : Decision::kReject)));
  });
  EXPECT_EQ(CountOf(codes, "ok"), 1);
  EXPECT_EQ(CountOf(codes, "already-decided"), 3);
}

// FR-069, FR-072
TEST(FieldReports, ASpentTokenStaysSpentForAFreshProcess) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  const auto granted = rig.Grant();
  ASSERT_TRUE(rig.Consume(granted->token->Reveal()));
  Gate restarted = rig.Another();
  EXPECT_EQ(CodeOf(restarted.Consume(Rig::StartOf("k", Letter(), granted->token->Reveal()))),
            "token-consumed");
}

// FR-071
TEST(FieldReports, OfManySpendersOfOneTokenOneStarts) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  const auto granted = rig.Grant();
  const std::string token(granted->token->Reveal());
  const auto codes = AtOnce(rig, 8, [&](Gate& gate, int) {
    return CodeOf(gate.Consume(Rig::StartOf("k", Letter(), token)));
  });
  EXPECT_EQ(CountOf(codes, "ok"), 1);
  EXPECT_EQ(CountOf(codes, "token-consumed"), 7);
  EXPECT_EQ(CountOf(rig.Events(), "execution.started"), 1);
}

// FR-074
TEST(FieldReports, TheAgentThatAskedCannotApproveEvenUnderAHumansSpelling) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  for (const char* actor : {"agent:claude", "Human:alice", "human", " human:alice"}) {
    EXPECT_EQ(CodeOf(rig.Grant("k", actor)), "actor-not-human") << actor;
  }
}

// FR-076
TEST(FieldReports, RequestDecisionSpendAndOutcomeStandInThatOrderOnRecord) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  EXPECT_EQ(CodeOf(rig.Start("")), "token-required");
  const auto granted = rig.Grant();
  ASSERT_TRUE(rig.Start(granted->token->Reveal()));
  ASSERT_TRUE(rig.Finish(Outcome::kCompleted));
  EXPECT_EQ(rig.Events(), (std::vector<std::string>{"policy.updated", "task.registered",
                                                    "approval.requested", "approval.granted",
                                                    "execution.started", "execution.completed"}));
}

// FR-077
TEST(FieldReports, AGrantForOneCommandOpensNoLongerOne) {
  const base::Json status = base::JsonObject{{"command", "git status"}};
  const base::Json push = base::JsonObject{{"command", "git status; git push --force"}};
  Rig rig;
  Action action;
  action.payload = status;
  ASSERT_TRUE(rig.Ask(action));
  const auto granted = rig.Grant();
  EXPECT_EQ(CodeOf(rig.Start(granted->token->Reveal(), push)), "payload-mismatch");
}

// FR-083
TEST(FieldReports, ADecisionThatCannotBeRecordedIsNoDecision) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  // A lock that nobody can take: a folder in its place.
  rig.folder.Write("log/events.jsonl.lock/in-the-way", "x");
  const auto refused = rig.Grant();
  ASSERT_EQ(CodeOf(refused), "append-failed");
  EXPECT_TRUE(refused.error().cause);
  EXPECT_EQ(CountOf(rig.Events(), "approval.granted"), 0);
}

// FR-084
TEST(FieldReports, ATokenIsJudgedByTheGatesClockAlsoWhenThatWasSetBack) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  const auto granted = rig.Grant();
  rig.clock.Advance(-300'000);
  EXPECT_EQ(CodeOf(rig.gate.Token("k")), "ok");
  rig.clock.Advance(300'000 + kHour + 1);
  EXPECT_EQ(CodeOf(rig.Consume(granted->token->Reveal())), "token-expired");
}

// FR-085
TEST(FieldReports, OfManyEqualRequestsOneIsRecorded) {
  Rig rig;
  ASSERT_TRUE(rig.Register("t-1", {Action{}}));
  const auto codes = AtOnce(rig, 8, [](Gate& gate, int) {
    return CodeOf(gate.Request({"t-1", "k", "agent:claude", Letter()}));
  });
  EXPECT_EQ(CountOf(codes, "ok"), 1);
  EXPECT_EQ(CountOf(codes, "duplicate-request"), 7);
  EXPECT_EQ(CountOf(rig.Events(), "approval.requested"), 1);
}

// FR-085
TEST(FieldReports, TheSameKeyWithOtherBytesIsRefusedByItsOwnCode) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  EXPECT_EQ(CodeOf(rig.Request("k", Letter("Hello!"))), "payload-mismatch");
}

// FR-086
TEST(FieldReports, TheGateAsksWhicheverSurfaceComes) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  EXPECT_EQ(CodeOf(rig.Start("")), "token-required");
  EXPECT_EQ(CodeOf(rig.Consume("")), "token-required");
  EXPECT_EQ(CountOf(rig.Events(), "execution.started"), 0);
}

// FR-161
TEST(FieldReports, AFullDiskStartsNothingAndLeavesNoWrongRecord) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  const auto granted = rig.Grant();
  const auto size = base::ReadFile(rig.gate.log_path())->size();
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  rlimit full = before;
  full.rlim_cur = size + 10;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &full), 0);
  const auto refused = rig.Consume(granted->token->Reveal());
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  ::signal(SIGXFSZ, handler);
  EXPECT_EQ(CodeOf(refused), "append-failed");
  log::Verifier verifier;
  verifier.Feed(*base::ReadFile(rig.gate.log_path()));
  EXPECT_NE(verifier.Judge().status, log::Status::kCorrupt);
  EXPECT_EQ(verifier.Judge().records, 4U);
}

// FR-168
TEST(FieldReports, InvalidUtf8IsRefusedAtEveryEntryOfTheGate) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  const std::size_t before = rig.Count();
  for (const std::string bad : {"\xFF", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xC3"}) {
    SCOPED_TRACE(base::HexEncode(bad));
    rig.folder.Write("t-2.md", "---\nid: t-2\nx: \"" + bad + "\"\napproval: {}\n---\n");
    EXPECT_EQ(CodeOf(rig.gate.Register(rig.folder.Path("t-2.md"), "agent:a")), "envelope-invalid");
    EXPECT_NE(CodeOf(rig.Request("k", Letter(bad))), "ok");
    DecisionAsk ask = AskFor(Decision::kReject);
    ask.note = bad;
    EXPECT_EQ(CodeOf(rig.gate.Decide(ask)), "append-failed");
    EXPECT_EQ(CodeOf(rig.gate.Withdraw("t-1", "k", "agent:claude", "cancelled", bad)),
              "append-failed");
  }
  EXPECT_EQ(rig.Count(), before);
}

// FR-214
TEST(FieldReports, ADecisionThatFindsNobodyWaitingIsThereForTheNextLook) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  ASSERT_TRUE(rig.Grant());
  Gate later = rig.Another();
  EXPECT_EQ(later.WaitView("t-1")->at(0).state, State::kGranted);
}

TEST(WholeLife, TheRecordsOfALifeVerify) {
  Rig rig;
  Action a, b;
  a.key = "a";
  b.key = "b";
  ASSERT_TRUE(rig.Register("t-1", {a, b, Action{}}));
  ASSERT_TRUE(rig.Request());
  const auto granted = rig.Grant();
  ASSERT_TRUE(rig.Start(granted->token->Reveal()));
  ASSERT_TRUE(rig.Finish(Outcome::kIndeterminate));
  ASSERT_TRUE(rig.Request("a"));
  ASSERT_TRUE(rig.Grant("a"));
  ASSERT_TRUE(rig.Revoke("a"));
  ASSERT_TRUE(rig.Request("b"));
  ASSERT_TRUE(rig.Reject("b"));
  ASSERT_TRUE(rig.Request("b"));
  ASSERT_TRUE(rig.gate.RecordRefusedGesture("b", Decision::kGrant, base::Code::kSenderUnmapped,
                                            {"telegram", "42"}));
  rig.clock.Advance(kHour + 1);
  ASSERT_TRUE(rig.gate.Expire("b"));
  log::Verifier verifier;
  verifier.Feed(*base::ReadFile(rig.gate.log_path()));
  const log::Verdict verdict = verifier.Judge();
  EXPECT_EQ(verdict.status, log::Status::kClean) << verdict.message;
  EXPECT_EQ(verdict.records, 14U);
}

}  // namespace
}  // namespace approval::gate
