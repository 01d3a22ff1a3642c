// Whose tap counts (channels.md 1.7, spec README item 15; kind E).
#include "gateway/senders.h"

#include <gtest/gtest.h>

namespace approval::gateway {
namespace {

using base::Code;

policy::Policy WithSenders(const std::map<std::string, std::vector<std::string>>& ids) {
  policy::Policy policy;
  for (const auto& [name, list] : ids) policy.approvers[name].senders["telegram"] = list;
  return policy;
}

base::Result<MappedSender> Map(const policy::Policy& policy, const std::string& id,
                               const std::string& chat = "100") {
  return MapSender(policy, "telegram", {id, chat}, "human:own");
}

TEST(Senders, AnAccountThatAnApproverListsIsThatApprover) {
  const auto mapped = Map(WithSenders({{"alice", {"1", "2"}}, {"bob", {"3"}}}), "2");
  ASSERT_TRUE(mapped);
  EXPECT_EQ(mapped->actor, "human:alice");
  EXPECT_TRUE(mapped->mapped);
}

TEST(Senders, WithoutAMappingOnlyThePrivateChatsOwnAccountCounts) {
  EXPECT_EQ(Map(policy::Policy{}, "100")->actor, "human:own");
  EXPECT_FALSE(Map(policy::Policy{}, "100")->mapped);
  EXPECT_EQ(Map(policy::Policy{}, "101").error().code, Code::kSenderUnmapped);
  EXPECT_EQ(Map(policy::Policy{}, "", "").error().code, Code::kSenderUnmapped);
}

TEST(Senders, WithAMappingNobodyElseCountsNotEvenTheChatsOwnAccount) {
  EXPECT_EQ(Map(WithSenders({{"alice", {"1"}}}), "100").error().code, Code::kSenderUnmapped);
}

TEST(Senders, AnAccountOfTwoApproversIsNobodys) {
  EXPECT_EQ(Map(WithSenders({{"alice", {"1"}}, {"bob", {"1"}}}), "1").error().code,
            Code::kSenderAmbiguous);
}

TEST(Senders, KeyedDigestsRefuseTheChannel) {
  const std::string digest = "hmac-sha256:" + std::string(64, 'a');
  EXPECT_EQ(Map(WithSenders({{"alice", {digest}}}), "1").error().code, Code::kSenderKeyUnavailable);
}

TEST(Senders, IdsCompareAsWrittenNeverByPrefix) {
  EXPECT_FALSE(Map(WithSenders({{"alice", {"12"}}}), "1"));
  EXPECT_FALSE(Map(WithSenders({{"alice", {"1"}}}), "12"));
}

}  // namespace
}  // namespace approval::gateway
