// Whatever bytes come, the readers of this room answer a value or an error.
#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "core/policy/frontmatter.h"
#include "core/policy/load.h"
#include "core/policy/resolve.h"
#include "core/policy/yaml.h"
#include "tests/support/vectors.h"

namespace approval::policy {
namespace {

using namespace std::string_view_literals;

std::vector<std::string> Seeds() {
  std::vector<std::string> out;
  for (const auto& entry :
       std::filesystem::directory_iterator(testing::VectorsDir() / "policy/files")) {
    out.push_back(testing::ReadText(entry.path()));
  }
  const base::Json rows = testing::ReadJsonFile(testing::VectorsDir() / "policy/yaml.json");
  for (const base::Json& row : rows.as_array()) {
    const auto& yaml = row.at("yaml").as_string();
    out.push_back("```yaml approval-policy\n" + std::string(yaml.data(), yaml.size()) + "```\n");
  }
  return out;
}

// A few edits: a byte changed, a piece cut, doubled or taken from another seed.
std::string Mutate(const std::vector<std::string>& seeds, std::mt19937& random) {
  const auto below = [&random](std::size_t limit) { return limit == 0 ? 0 : random() % limit; };
  constexpr std::string_view kTricky = "&*!|>%@`{}[]:,-?#'\"\\\t\n\r \x00\x80\xff\xef\xbb\xbf~"sv;
  std::string text = seeds[below(seeds.size())];
  for (std::size_t edits = 1 + below(4); edits > 0; --edits) {
    const std::size_t at = below(text.size() + 1);
    switch (below(5)) {
      case 0:
        text.insert(at, 1, kTricky[below(kTricky.size())]);
        break;
      case 1:
        if (at < text.size()) text[at] = static_cast<char>(random());
        break;
      case 2:
        text.erase(at, below(20));
        break;
      case 3:
        text.insert(at, text.substr(below(text.size() + 1), below(60)));
        break;
      default: {
        const std::string& other = seeds[below(seeds.size())];
        text.insert(at, other.substr(below(other.size() + 1), below(60)));
      }
    }
  }
  return text;
}

TEST(Mutations, EveryInputGivesAPolicyOrAReason) {
  APPROVAL_REQUIRE_VECTORS();
  const std::vector<std::string> seeds = Seeds();
  std::mt19937 random(20260804);
  std::size_t loaded = 0;
  for (int round = 0; round < 40'000; ++round) {
    const std::string text = Mutate(seeds, random);
    const LoadResult load = LoadPolicyBytes(text, "x");
    ASSERT_NE(load.policy.has_value(), load.failure.has_value());
    if (load.policy) ++loaded;
    const Resolution resolution = Resolve(load, "a.b", false);
    ASSERT_TRUE(load.policy || resolution.autonomy == Autonomy::kManual);
    EXPECT_FALSE(CheckReport(load, "a.b", false).empty());
  }
  EXPECT_GT(loaded, 300U);
}

TEST(Mutations, EveryYamlGivesAValueOrYamlError) {
  APPROVAL_REQUIRE_VECTORS();
  const std::vector<std::string> seeds = Seeds();
  std::mt19937 random(4);
  for (int round = 0; round < 40'000; ++round) {
    const std::string text = Mutate(seeds, random);
    const auto value = ParseYaml(text);
    ASSERT_TRUE(value || value.error().code == base::Code::kYamlError);
    const auto front = ParseFrontmatter("---\n" + text + "\n---\n");
    ASSERT_TRUE(front || front.error().code != base::Code::kNoFrontmatter);
  }
}

}  // namespace
}  // namespace approval::policy
