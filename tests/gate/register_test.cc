// Registration (core.md 5.3).
#include <gtest/gtest.h>

#include "tests/gate/rig.h"

namespace approval::gate {
namespace {

using testing::Action;
using testing::CodeOf;
using testing::Rig;

TEST(Register, ItRecordsTheActionsAndNeitherOriginNorRoute) {
  Rig rig;
  const auto registered = rig.Register("t-1", {Action{}});
  ASSERT_TRUE(registered);
  EXPECT_EQ(registered->task, "t-1");
  EXPECT_EQ(registered->actions, 1U);
  const log::Record last = rig.Last();
  EXPECT_EQ(last.seq, registered->seq);
  EXPECT_EQ(last.event, "task.registered");
  EXPECT_EQ(last.payload.at("actions").as_array().size(), 1U);
  EXPECT_FALSE(last.payload.contains("origin"));
  EXPECT_FALSE(last.payload.contains("route"));
}

TEST(Register, CostsAreWrittenAsDecimalText) {
  Rig rig;
  Action action;
  action.cost = 0.1;
  ASSERT_TRUE(rig.Register("t-1", {action}));
  EXPECT_EQ(rig.Last().payload.at("actions").at(0).at("est_cost_usd"), "0.1");
}

TEST(Register, ItNeedsNoPolicyAtAll) {
  Rig rig;
  rig.SetPolicy("nonsense: true\n");
  EXPECT_EQ(CodeOf(rig.Register("t-1", {Action{}})), "ok");
}

TEST(Register, AnActorIsAHumanOrAnAgent) {
  Rig rig;
  EXPECT_EQ(CodeOf(rig.gate.Register(rig.folder.Path("none.md"), "system:gate")), "actor-invalid");
}

TEST(Register, ATaskFileThatIsMissingIsUnreadable) {
  Rig rig;
  EXPECT_EQ(CodeOf(rig.gate.Register(rig.folder.Path("none.md"), "agent:a")),
            "task-file-unreadable");
}

TEST(Register, ATaskIsRegisteredOnce) {
  Rig rig;
  ASSERT_TRUE(rig.Register("t-1", {Action{}}));
  const std::size_t before = rig.Count();
  Action other;
  other.key = "k2";
  EXPECT_EQ(CodeOf(rig.Register("t-1", {other})), "task-already-registered");
  EXPECT_EQ(rig.Count(), before);
}

TEST(Register, AKeyUnderTwoTasksIsRefused) {
  Rig rig;
  ASSERT_TRUE(rig.Register("t-1", {Action{}}));
  const std::size_t before = rig.Count();
  EXPECT_EQ(CodeOf(rig.Register("t-2", {Action{}})), "task-already-registered");
  EXPECT_EQ(rig.Count(), before);
}

TEST(Register, TwoActionsWithOneKeyAreRefused) {
  Rig rig;
  EXPECT_EQ(CodeOf(rig.Register("t-1", {Action{}, Action{}})), "envelope-invalid");
}

TEST(Register, AnEnvelopeTakenOutOfARegisteredTaskIsMissing) {
  Rig rig;
  ASSERT_TRUE(rig.Register("t-1", {Action{}}));
  rig.folder.Write("t-1.md", "---\nid: t-1\n---\n");
  EXPECT_EQ(CodeOf(rig.gate.Register(rig.folder.Path("t-1.md"), "agent:a")), "envelope-missing");
}

TEST(Register, FrontmatterTakenOutOfARegisteredTaskIsMissingByItsFileName) {
  Rig rig;
  ASSERT_TRUE(rig.Register("t-1", {Action{}}));
  rig.folder.Write("t-1 - Chase.md", "Text\n");
  EXPECT_EQ(CodeOf(rig.gate.Register(rig.folder.Path("t-1 - Chase.md"), "agent:a")),
            "envelope-missing");
}

TEST(Register, AFileThatNeverHadAnEnvelopeIsInvalid) {
  Rig rig;
  rig.folder.Write("t-9.md", "Text\n");
  EXPECT_EQ(CodeOf(rig.gate.Register(rig.folder.Path("t-9.md"), "agent:a")), "envelope-invalid");
}

TEST(Register, ABrokenLogIsAnsweredAsItself) {
  Rig rig;
  ASSERT_TRUE(rig.Register("t-1", {Action{}}));
  const std::string bytes = *base::ReadFile(rig.gate.log_path());
  rig.folder.Write("log/events.jsonl", bytes + "{\"seq\":");
  Action other;
  other.key = "k2";
  EXPECT_EQ(CodeOf(rig.Register("t-2", {other})), "log-torn-tail");
}

}  // namespace
}  // namespace approval::gate
