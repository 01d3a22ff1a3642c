// What the reference derived from recorded logs, row by row (core.md 5.6, 5.9, 5.10, 5.13).
#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/instant.h"
#include "core/base/sha256.h"
#include "core/gate/declarations.h"
#include "core/gate/state.h"
#include "core/gate/token.h"
#include "core/log/read.h"
#include "tests/support/vectors.h"

namespace approval::gate {
namespace {

using base::Json;
using base::JsonObject;

log::VerifiedLog LogOf(const Json& row) {
  const std::string name(row.at("log").as_string());
  auto log = log::ReadVerified((testing::VectorsDir() / "state/logs" / (name + ".jsonl")).string());
  EXPECT_TRUE(log) << name;
  return log ? std::move(*log) : log::VerifiedLog();
}

std::optional<std::string> Text(const Json& value) {
  if (!value.is_string()) return std::nullopt;
  return std::string(value.get_string());
}

std::optional<std::int64_t> Number(const Json& value) { return base::AsInteger(value); }

std::optional<std::int64_t> SeqOf(const log::Record* record) {
  if (record == nullptr) return std::nullopt;
  return record->seq;
}

// Calls `check(row, fold, ttl, now)` for each of the 150 rows but those at an instant that is none:
// our gate takes its time from a clock, which always knows.
template <typename Check>
void ForEachDerivation(const Check& check) {
  const Json rows = testing::ReadJsonFile(testing::VectorsDir() / "state/derivation.json");
  ASSERT_EQ(rows.as_array().size(), 150U);
  int checked = 0;
  for (const Json& row : rows.as_array()) {
    SCOPED_TRACE(base::ToText(row));
    const auto now = base::ParseInstant(*Text(row.at("now")));
    if (!now) {
      EXPECT_EQ(row.at("now"), "not a time");
      continue;
    }
    const log::VerifiedLog log = LogOf(row);
    const StateTable table = StateTable::Fold(log);
    check(row, table.Of(*Text(row.at("key"))), Number(row.at("ttl_ms")), *now);
    ++checked;
  }
  EXPECT_GE(checked, 140);
}

TEST(StateVectors, EveryStateIsTheReferences) {
  APPROVAL_REQUIRE_VECTORS();
  ForEachDerivation([](const Json& row, const KeyFold& fold, auto ttl, std::int64_t now) {
    const JsonObject& want = row.at("derivation").as_object();
    EXPECT_EQ(Spelling(StateAt(fold, ttl, now)), *Text(want.at("state")));
  });
}

TEST(StateVectors, EveryCycleNamesItsRequestAndItsDecision) {
  APPROVAL_REQUIRE_VECTORS();
  ForEachDerivation([](const Json& row, const KeyFold& fold, auto, std::int64_t) {
    const JsonObject& want = row.at("derivation").as_object();
    EXPECT_EQ(fold.task, Text(want.at("task")));
    EXPECT_EQ(SeqOf(fold.request), Number(want.at("requestSeq")));
    EXPECT_EQ(SeqOf(fold.decision), Number(want.at("decisionSeq")));
    if (fold.request != nullptr) {
      EXPECT_EQ(fold.request->ts, *Text(want.at("requestTs")));
      EXPECT_EQ(fold.request->actor, *Text(want.at("requestActor")));
    }
    if (fold.decision != nullptr) {
      EXPECT_EQ(Spelling(fold.decided), *Text(want.at("decision")));
      EXPECT_EQ(fold.decision->ts, *Text(want.at("decisionTs")));
    }
  });
}

TEST(StateVectors, ExpiryByRecordAndExpiryByTimeAreToldApart) {
  APPROVAL_REQUIRE_VECTORS();
  ForEachDerivation([](const Json& row, const KeyFold& fold, auto ttl, std::int64_t now) {
    const JsonObject& want = row.at("derivation").as_object();
    const bool expired = StateAt(fold, ttl, now) == State::kExpired;
    EXPECT_EQ(fold.decided == State::kExpired, want.at("expiredByEvent").as_bool());
    EXPECT_EQ(expired && fold.decision == nullptr, want.at("expiredLazily").as_bool());
  });
}

TEST(StateVectors, DeclaredValuesAreTakenOnlyWhenTheyAreWellFormed) {
  APPROVAL_REQUIRE_VECTORS();
  ForEachDerivation([](const Json& row, const KeyFold& fold, auto, std::int64_t) {
    const JsonObject& want = row.at("derivation").at("declared").as_object();
    const Declared& got = fold.declared;
    EXPECT_EQ(got.action_class, Text(want.at("class")));
    EXPECT_EQ(got.summary, Text(want.at("summary")));
    EXPECT_EQ(got.payload_hash, Text(want.at("payload_hash")));
    EXPECT_EQ(got.harness, want.at("execution") == "harness");
    if (row.at("log") != "odd-payload") {
      EXPECT_EQ(got.est_cost, base::MoneyFromJson(want.at("est_cost_usd")));
    }
    EXPECT_EQ(got.reversible.has_value(), want.at("reversible").is_bool());
    if (got.reversible) {
      EXPECT_EQ(*got.reversible, want.at("reversible").as_bool());
    }
    const auto wait = Text(want.at("wait_until"));
    EXPECT_EQ(got.wait_until_ms, wait ? base::ParseInstant(*wait) : std::nullopt);
  });
}

// The reference of August reads no cost that is written as text; its successor writes them so.
TEST(StateVectors, ACostWrittenAsDecimalTextIsRead) {
  APPROVAL_REQUIRE_VECTORS();
  const Json row{{"log", "odd-payload"}};
  const log::VerifiedLog log = LogOf(row);
  EXPECT_EQ(StateTable::Fold(log).Of("k").declared.est_cost, 20'000);
}

TEST(StateVectors, TheLastExecutionRecordOfEachKindIsKeptAcrossCycles) {
  APPROVAL_REQUIRE_VECTORS();
  ForEachDerivation([](const Json& row, const KeyFold& fold, auto, std::int64_t) {
    const JsonObject& want = row.at("derivation").at("execution").as_object();
    EXPECT_EQ(SeqOf(fold.last_start()), Number(want.at("started")));
    EXPECT_EQ(SeqOf(fold.completed), Number(want.at("completed")));
    EXPECT_EQ(SeqOf(fold.failed), Number(want.at("failed")));
  });
}

TEST(StateVectors, EveryTokenStatusIsTheReferences) {
  APPROVAL_REQUIRE_VECTORS();
  ForEachDerivation([](const Json& row, const KeyFold& fold, auto ttl, std::int64_t now) {
    const JsonObject& want = row.at("token").as_object();
    const auto status = TokenStatus(fold, ttl, now);
    ASSERT_EQ(status.has_value(), want.at("ok").as_bool());
    if (!status) {
      EXPECT_EQ(base::Spelling(status.error().code), *Text(want.at("code")));
      const Json* seq = status.error().details.if_contains("seq");
      EXPECT_EQ(seq == nullptr ? Json(nullptr) : *seq, want.at("seq"));
      return;
    }
    EXPECT_EQ(status->grant_seq, Number(want.at("grant_seq")));
    EXPECT_EQ(status->payload_hash, Text(want.at("payload_hash")));
  });
}

TEST(StateVectors, FailuresOfATaskCountUntilOneExecutionCompletes) {
  APPROVAL_REQUIRE_VECTORS();
  const Json rows = testing::ReadJsonFile(testing::VectorsDir() / "state/loop.json");
  ASSERT_EQ(rows.as_array().size(), 6U);
  for (const Json& row : rows.as_array()) {
    if (row.at("log") == "dangling") continue;  // the test below
    SCOPED_TRACE(base::ToText(row));
    const log::VerifiedLog log = LogOf(row);
    for (const Json& want : row.at("loop").as_array()) {
      const int failures = ConsecutiveFailures(log, *Text(want.at("task")));
      EXPECT_EQ(failures, want.at("consecutiveFailures").as_int64());
      EXPECT_EQ(failures >= kLoopLimit, want.at("escalated").as_bool());
    }
  }
}

// The reference of August counts the failed `read.web` of this log.
TEST(StateVectors, AFailedReadCountsNeitherWay) {
  APPROVAL_REQUIRE_VECTORS();
  const Json rows = testing::ReadJsonFile(testing::VectorsDir() / "state/loop.json");
  for (const Json& row : rows.as_array()) {
    if (row.at("log") != "dangling") continue;
    EXPECT_EQ(row.at("loop").at(0).at("consecutiveFailures"), 1);
    EXPECT_EQ(ConsecutiveFailures(LogOf(row), "t2"), 0);
    return;
  }
  FAIL() << "no such row";
}

TEST(StateVectors, ExecutionsWithoutAnOutcomeAreDangling) {
  APPROVAL_REQUIRE_VECTORS();
  const Json rows = testing::ReadJsonFile(testing::VectorsDir() / "state/loop.json");
  for (const Json& row : rows.as_array()) {
    SCOPED_TRACE(base::ToText(row));
    const log::VerifiedLog log = LogOf(row);
    const StateTable table = StateTable::Fold(log);
    std::vector<std::pair<std::string, std::int64_t>> want;
    for (const Json& one : row.at("dangling").as_array()) {
      want.emplace_back(*Text(one.at("actionKey")), one.at("seq").as_int64());
    }
    std::vector<std::pair<std::string, std::int64_t>> got;
    for (const std::string& key : table.keys()) {
      const KeyFold& fold = table.Of(key);
      if (fold.dangling()) got.emplace_back(key, fold.last_start()->seq);
    }
    EXPECT_EQ(got, want);
  }
}

TEST(DeclarationVectors, AnActionWithoutAClassOrATaskIsNotDeclared) {
  APPROVAL_REQUIRE_VECTORS();
  const Json rows = testing::ReadJsonFile(testing::VectorsDir() / "state/declarations.json");
  int checked = 0;
  for (const Json& row : rows.as_array()) {
    if (!row.at("declaration").is_null()) continue;
    const auto declared = DeclaredAnywhere(LogOf(row), *Text(row.at("key")));
    ASSERT_FALSE(declared) << *Text(row.at("key"));
    EXPECT_EQ(declared.error().code, base::Code::kActionNotRegistered);
    ++checked;
  }
  EXPECT_EQ(checked, 2);
}

// The reference of August takes the last declaration; a key of two tasks is refused since.
TEST(DeclarationVectors, AKeyThatTwoTasksDeclareCannotBeRun) {
  APPROVAL_REQUIRE_VECTORS();
  const Json rows = testing::ReadJsonFile(testing::VectorsDir() / "state/declarations.json");
  const Json& row = rows.as_array().at(0);
  ASSERT_EQ(row.at("declaration").at("task"), "t2");
  const log::VerifiedLog log = LogOf(row);
  EXPECT_FALSE(DeclaredAnywhere(log, "x"));
  const auto in_task = DeclaredInTask(log, "t2", "x");
  ASSERT_TRUE(in_task);
  EXPECT_EQ(in_task->action_class, *Text(row.at("declaration").at("class")));
  EXPECT_EQ(in_task->summary, Text(row.at("declaration").at("summary")));
  EXPECT_EQ(in_task->reversible, false);
}

TEST(TokenVectors, TheDigestIsOverTheTextOfTheToken) {
  APPROVAL_REQUIRE_VECTORS();
  const Json rows = testing::ReadJsonFile(testing::VectorsDir() / "state/token-hash.json");
  for (const Json& row : rows.as_array()) {
    EXPECT_EQ(base::Sha256Hex(*Text(row.at("token"))), *Text(row.at("sha256_of_utf8_text")));
  }
}

}  // namespace
}  // namespace approval::gate
