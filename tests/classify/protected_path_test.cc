// channels.md 2.4 and surfaces.md 1.7, checklist 30: the protected path of a payload.
#include "core/classify/protected_path.h"

#include <gtest/gtest.h>

#include <sstream>

#include "core/policy/protected_paths.h"
#include "tests/support/vectors.h"

namespace approval::classify {
namespace {

const std::vector<policy::ProtectedPath> kEntries = {{"SPEC.md", "policy.edit"},
                                                     {"design/", "policy.edit.design"},
                                                     {"design/ci/AGENTS.md", "policy.edit.ci"}};

std::string OfCommand(const std::string& command) {
  return ProtectedPathOf({{"command", command}}, kEntries).value_or("(none)");
}

int TierOf(std::string_view path) {
  const auto protection = policy::ProtectionOf(path, kEntries);
  return protection ? protection->tier : 0;
}

// channels.md 8.30
TEST(ProtectedPath, ACommandNamesItsPathAndTheRule) {
  EXPECT_EQ(OfCommand("rm docs/APPROVAL.md"), "docs/APPROVAL.md (rule protected-path)");
  EXPECT_EQ(OfCommand("echo x > 'APPROVAL.md'"), "APPROVAL.md (rule redirect-protected)");
  EXPECT_EQ(OfCommand("rm README.md"), "(none)");
}

// channels.md 8.30
TEST(ProtectedPath, AFileChangeNamesItsFileAndTheRule) {
  const base::Json change = {{"file", "a/CLAUDE.md"}, {"content", "x"}};
  EXPECT_EQ(ProtectedPathOf(change, {}), "a/CLAUDE.md (rule protected-path)");
  EXPECT_EQ(ProtectedPathOf({{"file", "a/b.md"}, {"content", "AGENTS.md"}}, {}), std::nullopt);
}

TEST(ProtectedPath, AnArgumentOfAProgramIsAWord) {
  const base::Json argv = {{"argv", {"rm", "--", ".approval/log/events.jsonl"}}, {"cwd", "/srv"}};
  EXPECT_EQ(ProtectedPathOf(argv, {}), ".approval/log/events.jsonl (rule protected-path)");
}

TEST(ProtectedPath, ThePayloadsOwnRuleIsALabelOnlyWhenItIsOneOfThree) {
  for (const char* rule :
       {"protected-path", "protected-path-proposal", "protected-name-elsewhere"}) {
    EXPECT_EQ(ProtectedPathOf({{"file", "AGENTS.md"}, {"content", ""}, {"rule", rule}}, {}),
              "AGENTS.md (rule " + std::string(rule) + ")");
  }
  EXPECT_EQ(ProtectedPathOf({{"file", "AGENTS.md"}, {"content", ""}, {"rule", "harmless"}}, {}),
            "AGENTS.md (rule protected-path)");
  EXPECT_EQ(ProtectedPathOf({{"file", "a.md"}, {"rule", "protected-path"}}, {}), std::nullopt);
}

TEST(ProtectedPath, TheStrictestOneIsNamedAndTheFirstOfSeveral) {
  EXPECT_EQ(OfCommand("cp SPEC.md AGENTS.md .claude/settings.json .approval/log/x"),
            ".approval/log/x (rule protected-path)");
  EXPECT_EQ(OfCommand("cp APPROVAL.md .claude/settings.json"), "APPROVAL.md (rule protected-path)");
}

// Without the table a read is not told from a write.
TEST(ProtectedPath, AReadOfAProtectedPathHasTheRowAsWell) {
  EXPECT_EQ(OfCommand("cat APPROVAL.md"), "APPROVAL.md (rule protected-path)");
  EXPECT_EQ(OfCommand("cat < .approval/env"), ".approval/env (rule redirect-protected)");
}

TEST(ProtectedPath, SubstitutionsAreLookedInto) {
  EXPECT_EQ(OfCommand("echo $(echo \"$(rm AGENTS.md)\")"), "AGENTS.md (rule protected-path)");
  EXPECT_EQ(OfCommand("cat <<E\n$(rm AGENTS.md)\nE\n"), "AGENTS.md (rule protected-path)");
  EXPECT_EQ(OfCommand("cat <<'E'\n$(rm AGENTS.md)\nE\n"), "(none)");
}

TEST(ProtectedPath, AValueJoinedToAFlagIsLookedInto) {
  EXPECT_EQ(OfCommand("tool --file=.approval/env"), "--file=.approval/env (rule protected-path)");
  EXPECT_EQ(OfCommand("curl -d @.approval/env x"), "@.approval/env (rule protected-path)");
}

TEST(ProtectedPath, ACommandThatCannotBeReadNamesNone) {
  EXPECT_EQ(OfCommand("rm APPROVAL.md '"), "(none)");
}

TEST(ProtectedPath, TheTiersAnswerInTheirOrder) {
  EXPECT_EQ(TierOf("./.approval//log/x"), 1);
  EXPECT_EQ(TierOf(".approval/env"), 2);
  EXPECT_EQ(TierOf(".codex/x/../config.toml"), 2);
  EXPECT_EQ(TierOf("a/design/AGENTS.md"), 3);
  EXPECT_EQ(TierOf("AGENTS.md"), 4);
  EXPECT_EQ(TierOf(".github/workflows/ci.yml"), 4);
  EXPECT_EQ(TierOf("a/SPEC.md"), 5);
  EXPECT_EQ(TierOf("a/SPEC.md.bak"), 0);
  EXPECT_EQ(TierOf(".approval-journal/x"), 0);
  EXPECT_EQ(TierOf("C:\\x\\.claude\\settings.local.json"), 2);
}

TEST(ProtectedPath, OfRoutedEntriesTheOneWithMostPartsWinsThenTheFirst) {
  EXPECT_EQ(policy::ProtectionOf("design/ci/AGENTS.md", kEntries)->policy_class, "policy.edit.ci");
  const std::vector<policy::ProtectedPath> twins = {{"x", "policy.edit.a"}, {"x", "policy.edit.b"}};
  EXPECT_EQ(policy::ProtectionOf("x", twins)->policy_class, "policy.edit.a");
}

TEST(ProtectedPath, AnEntryRoutedToNoRoutedClassMatchesNothing) {
  EXPECT_FALSE(policy::ProtectionOf("x", {{"x", "read.web"}}));
}

// surfaces.md 1.10 item 13: on some disks these are the same files.
TEST(ProtectedPath, CaseDoesNotHideAName) {
  EXPECT_EQ(OfCommand("echo x > approval.MD"), "approval.MD (rule redirect-protected)");
  EXPECT_EQ(TierOf(".APPROVAL/Log/x"), 1);
  EXPECT_EQ(TierOf("spec.MD"), 5);
  EXPECT_EQ(TierOf(".Claude/SETTINGS.json"), 2);
}

// Every path that the reference names has a row here, with its rule.
TEST(ProtectedPath, NamesWhatTheReferenceNames) {
  APPROVAL_REQUIRE_VECTORS();
  int checked = 0;
  std::istringstream lines(testing::ReadText(testing::VectorsDir() / "classify" / "vectors.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    const auto row = base::ParseJson(line, base::kLenientJson);
    ASSERT_TRUE(row.has_value());
    const base::JsonObject& expect = row->get_object().at("expect").get_object();
    if (!expect.at("ok").get_bool()) continue;
    const auto command = base::StringMember(row->get_object(), "command");
    for (const base::Json& segment : expect.at("segments").get_array()) {
      const auto rule = base::StringMember(segment.get_object(), "rule");
      if (rule != "protected-path" && rule != "redirect-protected") continue;
      const std::string path(*base::StringMember(segment.get_object(), "path"));
      EXPECT_EQ(ProtectedPathOf({{"command", *command}}, {}),
                path + " (rule " + std::string(*rule) + ")")
          << *command;
      ++checked;
    }
  }
  EXPECT_EQ(checked, 46);
}

}  // namespace
}  // namespace approval::classify
