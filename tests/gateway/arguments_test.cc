// The command line's grammar (core.md 6.4) and what is made from the one table.
#include "gateway/arguments.h"

#include <gtest/gtest.h>

#include <set>

#include "gateway/scaffold.h"
#include "gateway/verb.h"

namespace approval::gateway {
namespace {

const VerbSpec& VerbNamed(const std::string& name) {
  for (const VerbSpec& verb : Verbs()) {
    if (verb.name == name) return verb;
  }
  ADD_FAILURE() << name;
  return Verbs().front();
}

base::Result<Arguments> Parse(const std::string& verb, const std::vector<std::string>& words) {
  return ParseArguments(VerbNamed(verb), words);
}

TEST(Arguments, AValueStandsBehindItsFlagOrBehindAnEqualsSign) {
  EXPECT_EQ(Parse("grant", {"k", "--note", "x"})->Flag("note"), "x");
  EXPECT_EQ(Parse("grant", {"k", "--note=x=y"})->Flag("note"), "x=y");
  EXPECT_EQ(Parse("grant", {"k", "--note", "-x"})->Flag("note"), "-x");
  EXPECT_EQ(Parse("grant", {"k", "--note="})->Flag("note"), "");
}

TEST(Arguments, TheLastOfRepeatedFlagsCounts) {
  EXPECT_EQ(Parse("grant", {"--note", "a", "k", "--note", "b"})->Flag("note"), "b");
}

TEST(Arguments, AMissingValueAnUnknownFlagAndAnExtraWordAreUsageErrors) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"k", "--note"},
                                                {"k", "--note", "--"},
                                                {"k", "--wat"},
                                                {"k", "l"},
                                                {"k", "--json=1"},
                                                {"k", "-x"}}) {
    const auto parsed = Parse("grant", words);
    ASSERT_FALSE(parsed) << words.back();
    EXPECT_EQ(parsed.error().code, base::Code::kUsage);
  }
}

TEST(Arguments, ALoneDashIsAnArgumentAndTwoDashesEndFlags) {
  EXPECT_EQ(Parse("payload hash", {"-"})->positionals.front(), "-");
  EXPECT_EQ(Parse("grant", {"--", "--note"})->positionals.front(), "--note");
  EXPECT_EQ(Parse("run", {"k", "--", "ls", "--json"})->command,
            (std::vector<std::string>{"ls", "--json"}));
}

// FR-117: an argument that may be a secret is not repeated.
TEST(Arguments, AStraySecretIsNotEchoed) {
  const auto parsed = Parse("vault set", {"smtp.password", "hunter2"});
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().message.find("hunter2"), std::string::npos);
}

TEST(Arguments, JsonIsSeenBeforeAnythingElse) {
  EXPECT_TRUE(WantsJson(std::vector<std::string>{"grant", "--wat", "--json"}));
  EXPECT_TRUE(WantsJson(std::vector<std::string>{"grant", "--", "k", "--json"}));
  EXPECT_FALSE(WantsJson(std::vector<std::string>{"run", "k", "--", "ls", "--json"}));
}

TEST(VerbTable, NamesAreUniqueAndEveryFlagIsExplained) {
  std::set<std::string_view> names;
  for (const VerbSpec& verb : Verbs()) {
    EXPECT_TRUE(names.insert(verb.name).second) << verb.name;
    for (const FlagSpec& flag : verb.flags) {
      EXPECT_FALSE(flag.help.empty()) << verb.name << " --" << flag.name;
    }
    EXPECT_NE(HelpFor(verb).find(std::string(verb.summary)), std::string::npos);
  }
}

TEST(VerbTable, TheLongestNameWins) {
  const std::vector<std::string> words = {"channel", "web", "link"};
  EXPECT_EQ(FindVerb(words).verb->name, "channel web link");
  EXPECT_EQ(FindVerb(std::vector<std::string>{"frob"}).verb, nullptr);
}

TEST(VerbTable, NoFlagTakesAPasswordOrAMessage) {
  for (const VerbSpec& verb : Verbs()) {
    for (const FlagSpec& flag : verb.flags) {
      for (const char* word : {"password", "passphrase", "secret", "value", "body"}) {
        EXPECT_NE(flag.name, word) << verb.name;
      }
    }
  }
}

TEST(Scaffold, MissingIgnoreLinesAreAddedOnceUnderTheirMarker) {
  const std::string added = MissingIgnoreLines("build/\n");
  EXPECT_EQ(added,
            "# approval.md\n.approval/*.sqlite\n.approval/vault.enc\n.approval/env\n"
            ".approval/**/*.tmp-*\n");
  EXPECT_EQ(MissingIgnoreLines("build/\n" + added), "");
  EXPECT_EQ(MissingIgnoreLines("# approval.md\n.approval/env\r\n.approval/*.sqlite\n"
                               ".approval/vault.enc\n"),
            ".approval/**/*.tmp-*\n");
}

}  // namespace
}  // namespace approval::gateway
