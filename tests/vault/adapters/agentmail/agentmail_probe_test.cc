// What setup and reports read from AgentMail.
#include <gtest/gtest.h>

#include "core/base/instant.h"
#include "tests/support/agentmail_server.h"
#include "vault/adapters/agentmail/agentmail_adapter.h"

namespace approval::adapters::agentmail {
namespace {

using base::JsonArray;
using base::JsonObject;
using testing::AgentmailScript;
using testing::AgentmailServer;

class AgentmailProbeTest : public ::testing::Test {
 protected:
  CredentialWindow Window() const {
    vault::Entries entries;
    entries.emplace("agentmail.inbox_id", base::Secret(AgentmailServer::kInbox));
    entries.emplace("agentmail.api_key", base::Secret(key_));
    return CredentialWindow(std::move(entries));
  }

  AgentmailAdapter Adapter(const std::string& agent_key = "") const {
    AgentmailOptions options;
    options.api_base = server_.base();
    options.deadline = std::chrono::milliseconds(2000);
    if (!agent_key.empty()) options.agent_key = base::Secret(agent_key);
    return AgentmailAdapter(std::move(options));
  }

  tl::expected<Probed, ProbeFailed> Probe(const std::string& agent_key = "") {
    CredentialWindow window = Window();
    return Adapter(agent_key).Probe(window).value();
  }

  AgentmailServer server_;
  std::string key_ = AgentmailServer::kSendingKey;
};

TEST_F(AgentmailProbeTest, FR199_AWholeKeyGivesNoWarningAndNothingChangesOnTheFarSide) {
  const auto probed = Probe();
  ASSERT_TRUE(probed) << probed.error().message;
  EXPECT_TRUE(probed->warnings.empty()) << probed->warnings.front();
  EXPECT_NE(probed->summary.find("draft_send"), std::string::npos);
  EXPECT_EQ(server_.CountRequests("POST"), 0U);
}

TEST_F(AgentmailProbeTest, AMissingPermissionIsNamed) {
  server_.PutKey(key_, std::set<std::string>{"inbox_read", "message_send"});
  const auto probed = Probe();
  ASSERT_TRUE(probed);
  ASSERT_EQ(probed->warnings.size(), 1U);
  EXPECT_NE(probed->warnings.front().find("draft_send"), std::string::npos);
}

TEST_F(AgentmailProbeTest, AnUnrestrictedKeyIsWarnedOf) {
  server_.PutKey(key_, std::nullopt);
  const auto probed = Probe();
  ASSERT_TRUE(probed);
  ASSERT_EQ(probed->warnings.size(), 1U);
  EXPECT_NE(probed->warnings.front().find("unrestricted"), std::string::npos);
}

TEST_F(AgentmailProbeTest, AServiceThatDisclosesNothingIsSaidToDiscloseNothing) {
  server_.DisclosePermissions(false);
  const auto probed = Probe();
  ASSERT_TRUE(probed);
  ASSERT_EQ(probed->warnings.size(), 1U);
  EXPECT_NE(probed->warnings.front().find("does not say"), std::string::npos);
}

TEST_F(AgentmailProbeTest, TheAgentsKeyIsShownToBeUnableToSendWithoutATrial) {
  const auto probed = Probe(AgentmailServer::kAgentKey);
  ASSERT_TRUE(probed) << probed.error().message;
  EXPECT_NE(probed->summary.find("cannot send"), std::string::npos) << probed->summary;
  EXPECT_EQ(server_.CountRequests("POST"), 0U);
}

TEST_F(AgentmailProbeTest, TheListOfKeysTellsWhatTheInboxDoesNot) {
  server_.DisclosePermissions(false);
  server_.PutKey(key_,
                 std::set<std::string>{"inbox_read", "api_key_read", "draft_send", "message_send"});
  const auto probed = Probe(AgentmailServer::kAgentKey);
  ASSERT_TRUE(probed) << probed.error().message;
  EXPECT_NE(probed->summary.find("cannot send"), std::string::npos) << probed->summary;
}

TEST_F(AgentmailProbeTest, AnAgentsKeyThatCanSendFailsTheProbe) {
  const std::vector<std::optional<std::set<std::string>>> able = {
      std::set<std::string>{"inbox_read", "draft_send"},
      std::set<std::string>{"inbox_read", "message_send"},
      std::set<std::string>{"inbox_read", "api_key_create"}};
  for (const auto& permissions : able) {
    server_.PutKey(AgentmailServer::kAgentKey, permissions);
    const auto probed = Probe(AgentmailServer::kAgentKey);
    ASSERT_FALSE(probed);
    EXPECT_EQ(probed.error().code, "agentmail-config-invalid");
    EXPECT_NE(probed.error().advice, "");
  }
}

TEST_F(AgentmailProbeTest, AnUnrestrictedAgentsKeyFailsTheProbe) {
  server_.PutKey(AgentmailServer::kAgentKey, std::nullopt);
  const auto probed = Probe(AgentmailServer::kAgentKey);
  ASSERT_FALSE(probed);
  EXPECT_NE(probed.error().message.find("unrestricted"), std::string::npos);
}

TEST_F(AgentmailProbeTest, TheSendingKeyInTheAgentsHandFailsTheProbe) {
  const auto probed = Probe(key_);
  ASSERT_FALSE(probed);
  EXPECT_EQ(probed.error().message.find(key_), std::string::npos);
}

TEST_F(AgentmailProbeTest, AnAgentsKeyNobodyDisclosesIsSaidToBeUnproved) {
  server_.DisclosePermissions(false);
  const auto probed = Probe(AgentmailServer::kAgentKey);
  ASSERT_TRUE(probed);
  EXPECT_NE(probed->warnings.back().find("not shown"), std::string::npos);
}

TEST_F(AgentmailProbeTest, AKeyTheServiceDoesNotKnowIsAdvisedOnAndNeverShown) {
  key_ = "am_wrong_0123456789";
  const auto probed = Probe();
  ASSERT_FALSE(probed);
  EXPECT_EQ(probed.error().code, "agentmail-unauthorized");
  EXPECT_NE(probed.error().advice.find("draft_send"), std::string::npos);
  EXPECT_EQ(probed.error().message.find(key_), std::string::npos);
}

TEST_F(AgentmailProbeTest, ObserveListsWhatCarriesTheLabelSentOverAllPages) {
  server_.SetPageSize(2);
  for (int i = 0; i < 5; ++i) {
    server_.PutMessage({{"message_id", "m-" + std::to_string(i)},
                        {"labels", i == 3 ? JsonArray{"received"} : JsonArray{"sent", "x"}},
                        {"timestamp", "2026-08-04T09:00:00.000Z"},
                        {"to", JsonArray{"a@example.net"}},
                        {"subject", "S"},
                        {"text", "a body that is nobody's business"}});
  }
  CredentialWindow window = Window();
  const auto seen = Adapter().Observe({0, 1785834000000}, window).value();
  ASSERT_TRUE(seen) << seen.error().message;
  ASSERT_EQ(seen->size(), 4U);
  EXPECT_EQ(seen->front().id, "m-0");
  EXPECT_EQ(seen->front().action_class, kAgentmailClass);
  EXPECT_EQ(base::FormatInstant(seen->front().at_ms), "2026-08-04T09:00:00.000Z");
  EXPECT_EQ(seen->front().detail.find("nobody"), std::string::npos);
  EXPECT_NE(server_.requests().front().target.find("after=1970-01-01T00%3A00%3A00.000Z"),
            std::string::npos);
}

TEST_F(AgentmailProbeTest, ObserveStopsAfterTenPages) {
  server_.SetPageSize(1);
  for (int i = 0; i < 15; ++i) {
    server_.PutMessage({{"message_id", "m-" + std::to_string(i)}, {"labels", JsonArray{"sent"}}});
  }
  CredentialWindow window = Window();
  const auto seen = Adapter().Observe({0, 1}, window).value();
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->size(), 10U);
}

TEST_F(AgentmailProbeTest, AListThatIsNoneIsAFailure) {
  server_.Script("messages", {AgentmailScript::End::kAnswer, 200, "<html></html>"});
  CredentialWindow window = Window();
  EXPECT_FALSE(Adapter().Observe({0, 1}, window).value());
}

}  // namespace
}  // namespace approval::adapters::agentmail
