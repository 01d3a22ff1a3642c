// `approval setup adapter agentmail` at a terminal, against AgentMail on loopback
// (adapters.md 4.1).
#include "tests/cli/setup_rig.h"
#include "tests/support/agentmail_server.h"

namespace approval {
namespace {

using testing::AgentmailServer;
using testing::Pty;

class AgentmailSetup : public testing::AdapterSetupTest {
 protected:
  // Up to the answer of the probe, with the key that sends.
  void Walk(Pty& pty) {
    EXPECT_SEEN(pty, "inbox");
    pty.TypeLater(std::string(AgentmailServer::kInbox) + "\n");
    EXPECT_SEEN(pty, "sending key (not shown)");
    pty.TypeLater(std::string(AgentmailServer::kSendingKey) + "\n");
    EXPECT_SEEN(pty, "Nothing is sent.");
    pty.TypeLater("\n");
  }
  Pty Start() { return At({"setup", "adapter", "agentmail", "--api-base", server_.base()}); }
  AgentmailServer server_;
  static constexpr const char* kBoth = "agentmail.api_key\nagentmail.inbox_id\n";
};

TEST_F(AgentmailSetup, TheKeyIsProvedByReadingAndItsPermissionsAreShown) {
  Pty pty = Start();
  Walk(pty);
  EXPECT_SEEN(pty, "draft_send");
  EXPECT_SEEN(pty, "next:");
  EXPECT_EQ(pty.Wait(), 0);
  EXPECT_EQ(Names(), kBoth);
  EXPECT_EQ(server_.CountRequests("POST"), 0U);
  EXPECT_EQ(pty.Screen().find(AgentmailServer::kSendingKey), std::string::npos);
}

TEST_F(AgentmailSetup, AnAgentsKeyThatCanSendFailsTheProbeAndKeepsTheValues) {
  environment_["AGENTMAIL_API_KEY"] = AgentmailServer::kSendingKey;
  Pty pty = Start();
  Walk(pty);
  EXPECT_SEEN(pty, "approval vault remove agentmail.api_key");
  EXPECT_EQ(pty.Wait(), 1);
  EXPECT_EQ(server_.CountRequests("POST"), 0U);
  EXPECT_EQ(Names(), kBoth);
}

TEST_F(AgentmailSetup, TheAgentsOwnKeyIsShownToBeUnableToSend) {
  environment_["AGENTMAIL_API_KEY"] = AgentmailServer::kAgentKey;
  Pty pty = Start();
  Walk(pty);
  EXPECT_SEEN(pty, "cannot send");
  EXPECT_EQ(pty.Wait(), 0);
  EXPECT_EQ(server_.CountRequests("POST"), 0U);
}

}  // namespace
}  // namespace approval
