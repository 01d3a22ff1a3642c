#include "core/policy/resolve.h"

#include <gtest/gtest.h>

#include "tests/policy/policy_text.h"

namespace approval::policy {
namespace {

Resolution Ask(std::string_view lines, std::string_view action_class,
               std::optional<bool> reversible = std::nullopt) {
  const LoadResult load = testing::LoadLines(lines);
  EXPECT_TRUE(load.policy) << load.failure->message;
  return Resolve(load, action_class, reversible);
}

TEST(Resolve, TheFloorMakesAnIrreversibleActionManual) {
  for (const char* level : {"supervised", "supervised-retro", "autonomous"}) {
    const Resolution out =
        Ask("classes: { a.b: { autonomy: " + std::string(level) + " } }\n", "a.b", false);
    EXPECT_EQ(out.autonomy, Autonomy::kManual) << level;
    EXPECT_EQ(out.provenance, Provenance::kFloor);
    EXPECT_EQ(out.pattern, "a.b");
  }
}

TEST(Resolve, TheFloorClearsTheRates) {
  const char* lines =
      "classes: { a: { autonomy: supervised-live, live_rate: 0.2, retro_rate: 0.3 } }\n";
  EXPECT_EQ(Ask(lines, "a").live_rate, 0.2);
  const Resolution out = Ask(lines, "a", false);
  EXPECT_EQ(out.overridden, Autonomy::kSupervisedLive);
  EXPECT_FALSE(out.live_rate);
  EXPECT_FALSE(out.retro_rate);
}

TEST(Resolve, HumanOnlyIsUntouchedByTheFloor) {
  const Resolution out = Ask("classes: { a: { autonomy: human-only } }\n", "a", false);
  EXPECT_EQ(out.autonomy, Autonomy::kHumanOnly);
  EXPECT_EQ(out.provenance, Provenance::kRule);
}

TEST(Resolve, TheFloorIsLiftedOnlyIfEveryTiedRuleAllowsIt) {
  const char* both =
      "classes:\n"
      "  a.*: { autonomy: autonomous, allow_irreversible: true }\n"
      "  \"*.b\": { autonomy: autonomous, allow_irreversible: true }\n";
  const char* one =
      "classes:\n"
      "  a.*: { autonomy: autonomous, allow_irreversible: true }\n"
      "  \"*.b\": { autonomy: autonomous }\n";
  EXPECT_EQ(Ask(both, "a.b", false).autonomy, Autonomy::kAutonomous);
  EXPECT_EQ(Ask(one, "a.b", false).autonomy, Autonomy::kManual);
}

TEST(Resolve, TheDefaultCannotLiftTheFloor) {
  EXPECT_EQ(Ask("defaults: { autonomy: autonomous }\n", "a.b", false).autonomy, Autonomy::kManual);
}

TEST(Resolve, TheStrictestOfTiedRulesWinsAcrossAllLevels) {
  EXPECT_EQ(
      Ask("classes:\n  a.*: { autonomy: manual }\n  \"*.b\": { autonomy: human-only }\n", "a.b")
          .autonomy,
      Autonomy::kHumanOnly);
  EXPECT_EQ(Ask("classes:\n  a.*: { autonomy: supervised }\n"
                "  \"*.b\": { autonomy: supervised-live, live_rate: 1 }\n",
                "a.b")
                .autonomy,
            Autonomy::kSupervisedLive);
}

TEST(Resolve, BothNamesOfRetrospectiveSupervisionAreEquallyStrict) {
  const Resolution out =
      Ask("classes:\n  a.*: { autonomy: supervised-retro }\n"
          "  \"*.b\": { autonomy: supervised }\n",
          "a.b");
  EXPECT_EQ(out.pattern, "*.b");  // the smaller pattern
}

TEST(Resolve, AClassBelowPolicyEditInheritsItsRule) {
  const char* lines =
      "classes:\n  policy.edit: { autonomy: human-only }\n  policy.*: { autonomy: autonomous }\n";
  const Resolution out = Ask(lines, "policy.edit.spec");
  EXPECT_EQ(out.autonomy, Autonomy::kHumanOnly);
  EXPECT_EQ(out.provenance, Provenance::kInherited);
  EXPECT_EQ(out.pattern, "policy.edit");
}

TEST(Resolve, ARuleOfItsOwnBeatsInheritance) {
  const char* lines =
      "classes:\n  policy.edit: { autonomy: manual }\n  policy.edit.*: { autonomy: human-only }\n";
  EXPECT_EQ(Ask(lines, "policy.edit.spec").autonomy, Autonomy::kHumanOnly);
  EXPECT_EQ(Ask(lines, "policy.edit.spec").provenance, Provenance::kRule);
}

TEST(Resolve, WithoutARulePolicyEditNothingIsInherited) {
  EXPECT_EQ(Ask("", "policy.edit.spec").provenance, Provenance::kDefault);
}

TEST(Resolve, ALaunchNeedsARuleOfItsOwn) {
  EXPECT_TRUE(
      Ask("defaults: { autonomy: autonomous }\n", "harness.launch.x").harness_launch_unruled);
  EXPECT_TRUE(Ask("classes: { \"*.*\": { autonomy: autonomous } }\n", "harness.launch.x")
                  .harness_launch_unruled);
  EXPECT_FALSE(Ask("classes: { harness.launch.*: { autonomy: manual } }\n", "harness.launch.x")
                   .harness_launch_unruled);
  EXPECT_FALSE(Ask("", "read.web").harness_launch_unruled);
}

TEST(Resolve, ALaunchUnderABrokenPolicyIsUnruled) {
  EXPECT_TRUE(Resolve(LoadPolicyBytes("", "x"), "harness.launch.x", true).harness_launch_unruled);
}

TEST(Resolve, ApproversAndLimitsComeFromTheWinnerAlone) {
  const char* lines =
      "approvers: { al: { channels: [x] } }\n"
      "classes:\n  a.b: { autonomy: manual }\n"
      "  a.*: { autonomy: manual, approvers: [al], limits: { daily_usd: 2.5 } }\n";
  EXPECT_FALSE(Ask(lines, "a.b").approvers);
  EXPECT_FALSE(Ask(lines, "a.b").limits);
  EXPECT_EQ(Ask(lines, "a.c").approvers, std::vector<std::string>{"al"});
  EXPECT_EQ(Ask(lines, "a.c").limits->at("daily_usd"), 2'500'000);
}

}  // namespace
}  // namespace approval::policy
