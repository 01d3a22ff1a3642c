// channels.md 1.10: the policy's block of a channel as rendering takes it.
#include "channels/prompt.h"

#include <gtest/gtest.h>

#include "tests/policy/policy_text.h"

namespace approval::channels {
namespace {

using Names = std::vector<std::string>;

policy::Policy Loaded(const std::string& channels) {
  const policy::LoadResult load = testing::LoadLines("channels: " + channels + "\n");
  EXPECT_TRUE(load.policy) << load.failure->message;
  return load.OrDefaults();
}

TEST(PromptFor, NamesTheRowsOfTheBlock) {
  const policy::Policy policy = Loaded(
      "{ web: { prompt: { rows: [summary, class], always: [chain], hide: [payload_hash] } } }");
  const render::PromptRows prompt = PromptFor(policy, "web");
  EXPECT_EQ(prompt.rows, (Names{"summary", "class"}));
  EXPECT_EQ(prompt.always, Names{"chain"});
  EXPECT_EQ(prompt.hide, Names{"payload_hash"});
}

TEST(PromptFor, AChannelWithoutABlockHasTheShippedLayout) {
  const policy::Policy policy = Loaded("{ web: { prompt: { hide: [task], style: minimal } } }");
  EXPECT_TRUE(PromptFor(policy, "cli").hide.empty());
  EXPECT_FALSE(MinimalFor(policy, "cli"));
}

TEST(PromptFor, ABrokenPolicyMeansTheShippedLayout) {
  const policy::LoadResult load = testing::LoadLines(
      "channels: { web: { prompt: { rows: [task], hide: [class], style: minimal } } }\n");
  ASSERT_FALSE(load.policy);
  EXPECT_TRUE(PromptFor(load.OrDefaults(), "web").rows.empty());
  EXPECT_TRUE(PromptFor(load.OrDefaults(), "web").hide.empty());
  EXPECT_FALSE(MinimalFor(load.OrDefaults(), "web"));
}

TEST(MinimalFor, HandsOnTheWordsOfEachClass) {
  const auto style = MinimalFor(
      Loaded("{ telegram: { prompt: { style: minimal, say: { a.b: { does: send a fax, quote: { to: "
             "To, body: null }, note: none } } } } }"),
      "telegram");
  ASSERT_TRUE(style);
  const render::Saying& saying = style->say.at("a.b");
  EXPECT_EQ(saying.does, "send a fax");
  EXPECT_EQ(saying.quote.at("to"), "To");
  EXPECT_EQ(saying.quote.at("body"), std::nullopt);
  EXPECT_FALSE(saying.with_summary);
}

TEST(MinimalFor, ATechnicalStyleIsNone) {
  EXPECT_FALSE(MinimalFor(Loaded("{ telegram: { prompt: { style: technical } } }"), "telegram"));
}

}  // namespace
}  // namespace approval::channels
