#include "core/gate/envelope.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/gate/rig.h"
#include "tests/support/vectors.h"

namespace approval::gate {
namespace {

using base::Json;
using testing::Action;
using testing::CodeOf;
using testing::Rig;

using Places = std::set<std::pair<std::string, std::string>>;

Places PlacesOf(const std::vector<EnvelopeFault>& faults) {
  Places places;
  for (const EnvelopeFault& fault : faults) places.emplace(fault.path, fault.keyword);
  return places;
}

Places WantedPlaces(const Json& row) {
  Places places;
  const Json* errors = row.as_object().if_contains("errors");
  if (errors == nullptr) return places;
  for (const Json& error : errors->as_array()) {
    places.emplace(error.at("path").as_string().c_str(), error.at("keyword").as_string().c_str());
  }
  return places;
}

void ExpectVerdict(const Json& document, const Json& row) {
  SCOPED_TRACE(base::ToText(row));
  const auto faults = ValidateEnvelope(document);
  EXPECT_EQ(faults.empty(), row.at("valid").as_bool());
  EXPECT_EQ(PlacesOf(faults), WantedPlaces(row));
}

TEST(EnvelopeVectors, EveryShippedFixtureGetsItsVerdict) {
  APPROVAL_REQUIRE_VECTORS();
  const auto folder = testing::VectorsDir() / "schema";
  int seen = 0;
  const Json rows = testing::ReadJsonFile(folder / "index.json");
  for (const Json& row : rows.as_array()) {
    if (row.at("schema") != "envelope") continue;
    ++seen;
    ExpectVerdict(testing::ReadJsonFile(folder / std::string(row.at("path").as_string())), row);
  }
  EXPECT_GT(seen, 10);
}

TEST(EnvelopeVectors, EveryFurtherDocumentGetsItsVerdict) {
  APPROVAL_REQUIRE_VECTORS();
  int seen = 0;
  const Json rows = testing::ReadJsonFile(testing::VectorsDir() / "schema/extra.json");
  for (const Json& row : rows.as_array()) {
    if (row.at("schema") != "envelope") continue;
    ++seen;
    if (row.at("id") == "cost 1e+308") continue;  // the test below
    ExpectVerdict(row.at("doc"), row);
  }
  EXPECT_EQ(seen, 113);
}

// The reference's schema accepts any amount; one beyond exact micro-dollars would count as none in
// every budget.
TEST(Envelope, ACostThatBudgetsCannotCountIsRefused) {
  Action action;
  action.cost = 9'007'199'254.0;
  EXPECT_TRUE(ValidateEnvelope(Rig::Envelope({action})).empty());
  for (const double cost : {9'007'199'255.0, 1e20, 1e308}) {
    action.cost = cost;
    const auto faults = ValidateEnvelope(Rig::Envelope({action}));
    ASSERT_EQ(faults.size(), 1U) << cost;
    EXPECT_EQ(faults[0].path, "/actions/0/est_cost_usd");
    EXPECT_EQ(faults[0].keyword, "maximum");
  }
}

// The reference accepts it and lets a request and a run mean different actions.
TEST(Envelope, TwoActionsWithOneKeyAreRefused) {
  const auto faults = ValidateEnvelope(Rig::Envelope({Action{}, Action{}}));
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].path, "/actions/1/idempotency_key");
  EXPECT_EQ(faults[0].keyword, "uniqueItems");
}

TEST(TaskFile, AFileThatIsNotThereIsUnreadable) {
  const testing::TempFolder folder;
  EXPECT_EQ(CodeOf(ReadTaskFile(folder.Path("none.md"))), "task-file-unreadable");
}

TEST(TaskFile, AFileWithoutFrontmatterIsLookedUpByItsName) {
  const testing::TempFolder folder;
  folder.Write("task-042 - Chase.md", "Text only\n");
  const auto task = ReadTaskFile(folder.Path("task-042 - Chase.md"));
  ASSERT_TRUE(task);
  EXPECT_EQ(task->missing, Missing::kNoFrontmatter);
  EXPECT_EQ(task->id, "task-042");
}

TEST(TaskFile, FrontmatterWithoutAnEnvelopeIsLookedUpByItsId) {
  const testing::TempFolder folder;
  folder.Write("a.md", "---\nid: task-7\n---\n");
  const auto task = ReadTaskFile(folder.Path("a.md"));
  ASSERT_TRUE(task);
  EXPECT_EQ(task->missing, Missing::kNoApprovalKey);
  EXPECT_EQ(task->id, "task-7");
}

TEST(TaskFile, AnIdThatIsNoTextIsRefused) {
  const testing::TempFolder folder;
  folder.Write("a.md", "---\nid: 7\napproval: {}\n---\n");
  EXPECT_EQ(CodeOf(ReadTaskFile(folder.Path("a.md"))), "envelope-invalid");
}

TEST(TaskFile, FrontmatterThatDoesNotEndIsRefused) {
  const testing::TempFolder folder;
  folder.Write("a.md", "---\nid: task-7\n");
  EXPECT_EQ(CodeOf(ReadTaskFile(folder.Path("a.md"))), "envelope-invalid");
}

TEST(TaskFile, ADuplicateKeyInTheFrontmatterIsRefused) {
  const testing::TempFolder folder;
  folder.Write("a.md", "---\nid: task-7\nid: task-8\napproval: {}\n---\n");
  EXPECT_EQ(CodeOf(ReadTaskFile(folder.Path("a.md"))), "envelope-invalid");
}

TEST(TaskFile, AnInvalidEnvelopeListsWhatIsWrong) {
  const testing::TempFolder folder;
  folder.Write("a.md", "---\nid: task-7\napproval: {state: proposed}\n---\n");
  const auto task = ReadTaskFile(folder.Path("a.md"));
  ASSERT_EQ(CodeOf(task), "envelope-invalid");
  const base::JsonArray& errors = task.error().details.at("errors").as_array();
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].at("keyword"), "required");
}

}  // namespace
}  // namespace approval::gate
