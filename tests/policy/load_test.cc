#include "core/policy/load.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/base/sha256.h"
#include "core/policy/frontmatter.h"
#include "core/policy/markdown_block.h"
#include "core/policy/protected_paths.h"

namespace approval::policy {
namespace {

class Folder : public ::testing::Test {
 protected:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "policy-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() override { std::filesystem::remove_all(path_); }
  void Write(const std::string& name, const std::string& text) {
    std::ofstream(path_ / name, std::ios::binary) << text;
  }
  std::string In(const char* name) const { return (path_ / name).string(); }

  std::filesystem::path path_;
};

TEST_F(Folder, TheFirstFileThatExistsIsThePolicy) {
  EXPECT_EQ(FindPolicyFile(path_.string()), In("APPROVAL.md"));
  Write("APPROVALS.md", "x");
  EXPECT_EQ(FindPolicyFile(path_.string()), In("APPROVALS.md"));
  Write("APPROVAL.md", "x");
  EXPECT_EQ(FindPolicyFile(path_.string()), In("APPROVAL.md"));
}

TEST_F(Folder, AFolderInThePolicysPlaceIsNotSteppedOver) {
  std::filesystem::create_directory(path_ / "APPROVAL.md");
  Write("APPROVALS.md", "```yaml approval-policy\nversion: \"1\"\n```\n");
  const LoadResult load = LoadPolicy(FindPolicyFile(path_.string()));
  ASSERT_FALSE(load.policy);
  EXPECT_EQ(load.failure->code, base::Code::kFileMissing);
  EXPECT_EQ(load.failure->cause, base::Code::kIo);
  EXPECT_TRUE(load.sha256.empty());
}

TEST_F(Folder, AMissingFileIsNoInputFailure) {
  const LoadResult load = LoadPolicy(In("APPROVAL.md"));
  EXPECT_EQ(load.failure->code, base::Code::kFileMissing);
  EXPECT_FALSE(load.failure->cause);
}

TEST_F(Folder, TheFlagBeatsTheFolder) {
  EXPECT_EQ(PolicyPath("other.md", path_.string()), "other.md");
  EXPECT_EQ(PolicyPath(std::nullopt, path_.string()), In("APPROVAL.md"));
}

TEST_F(Folder, TheHashIsOfTheRawBytes) {
  const std::string bytes =
      "\xef\xbb\xbf# P\r\n```yaml approval-policy\r\nversion: \"1\"\r\n```\r\n";
  Write("APPROVAL.md", bytes);
  const LoadResult load = LoadPolicy(In("APPROVAL.md"));
  EXPECT_TRUE(load.policy);
  EXPECT_EQ(load.sha256, base::Sha256Hex(bytes));
}

TEST(PolicyBlocks, BytesThatAreNotUtf8InTheBlockAreAYamlError) {
  for (const char* bad : {"\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\x80"}) {
    const LoadResult load = LoadPolicyBytes(
        "```yaml approval-policy\nversion: \"" + std::string(bad) + "\"\n```\n", "x");
    ASSERT_FALSE(load.policy);
    EXPECT_EQ(load.failure->code, base::Code::kYamlError);
  }
}

TEST(PolicyBlocks, AnyLineEndEndsALine) {
  EXPECT_EQ(SplitLines("a\r\nb\rc\nd").size(), 4U);
  EXPECT_EQ(SplitLines("a\n\n").size(), 2U);
  EXPECT_TRUE(SplitLines("").empty());
  EXPECT_EQ(PolicyBlock("```yaml approval-policy\ra: 1\r\rb: 2\r```\r").value(), "a: 1\n\nb: 2");
}

base::Code FrontmatterCode(std::string_view text) {
  const auto value = ParseFrontmatter(text);
  EXPECT_FALSE(value);
  return value ? base::Code::kIo : value.error().code;
}

TEST(Frontmatter, EachFaultHasItsCode) {
  EXPECT_EQ(FrontmatterCode(""), base::Code::kNoFrontmatter);
  EXPECT_EQ(FrontmatterCode("\xef\xbb\xbf---\na: 1\n---\n"), base::Code::kNoFrontmatter);
  EXPECT_EQ(FrontmatterCode("--- \na: 1\n---\n"), base::Code::kNoFrontmatter);
  EXPECT_EQ(FrontmatterCode("---\na: 1\n--- \n"), base::Code::kUnterminated);
  EXPECT_EQ(FrontmatterCode("---\na: &x 1\n---\n"), base::Code::kYamlError);
  EXPECT_EQ(FrontmatterCode("---\n- a\n---\n"), base::Code::kNotAMap);
}

TEST(Frontmatter, AMapIsReadAndEmptyContentIsAnEmptyMap) {
  EXPECT_TRUE(ParseFrontmatter("---\n---\n").value().empty());
  EXPECT_TRUE(ParseFrontmatter("---\r\n# c\r\n---").value().empty());
  const base::JsonObject map = ParseFrontmatter("---\nid: task-1\n---\n# Body\n---\n").value();
  EXPECT_EQ(map.at("id").as_string(), "task-1");
}

TEST(ProtectedPaths, EntriesMatchBySegments) {
  EXPECT_TRUE(EntryMatches("SPEC.md", "docs/SPEC.md"));
  EXPECT_FALSE(EntryMatches("SPEC.md", "docs/MYSPEC.md"));
  EXPECT_TRUE(EntryMatches("design/", "a/design/b.md"));
  EXPECT_FALSE(EntryMatches("design/", "a/designs/b.md"));
  EXPECT_TRUE(EntryMatches("a/b", "./x//a/b"));
}

TEST(ProtectedPaths, TheBuiltInSetNeedsNoEntry) {
  EXPECT_EQ(BuiltinClass(".approval/log/events.jsonl"), "log.mutate");
  EXPECT_EQ(BuiltinClass("APPROVAL.md"), "policy.core");
  EXPECT_EQ(BuiltinClass("x/.claude/settings.local.json"), "policy.core");
  EXPECT_EQ(BuiltinClass(".github/workflows/ci.yml"), "policy.edit");
  EXPECT_EQ(BuiltinClass("sub/AGENTS.md"), "policy.edit");
  EXPECT_FALSE(BuiltinClass(".approval-journal/x"));
  EXPECT_FALSE(BuiltinClass("src/main.cc"));
}

}  // namespace
}  // namespace approval::policy
