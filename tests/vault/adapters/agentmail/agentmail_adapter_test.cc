// Whole executions of the AgentMail adapter: a real log, a real vault, a real server.
#include "vault/adapters/agentmail/agentmail_adapter.h"

#include <gtest/gtest.h>

#include "tests/support/adapter_project.h"
#include "tests/support/agentmail_server.h"
#include "vault/adapters/conformance.h"

namespace approval::adapters::agentmail {
namespace {

using base::Json;
using base::JsonArray;
using base::JsonObject;
using testing::AgentmailScript;
using testing::AgentmailServer;
using testing::TextOf;

JsonObject Draft() {
  return {{"inbox_id", AgentmailServer::kInbox},
          {"draft_id", "d 1/x"},
          {"to", JsonArray{"a@example.net"}},
          {"cc", JsonArray{"b@example.net"}},
          {"subject", "S"},
          {"text", "T\n"}};
}

JsonObject Mail() {
  return {{"from", "Agent@Example.com"},
          {"to", JsonArray{"a@example.net"}},
          {"bcc", JsonArray{"c@example.net"}},
          {"subject", "Grüße"},
          {"body", "T\n"}};
}

class AgentmailTest : public ::testing::Test {
 protected:
  void SetUp() override {
    project_.Store("agentmail.inbox_id", AgentmailServer::kInbox);
    project_.Store("agentmail.api_key", AgentmailServer::kSendingKey);
    project_.Store("agentmail.api_base", server_.base());
    project_.Seal();
    JsonObject kept = Draft();
    kept.erase("draft_id");
    server_.PutDraft("d 1/x", std::move(kept));
  }

  Executed Send(const JsonObject& payload, const std::string& key = "t1:k") {
    if (token_.empty()) token_ = project_.Granted(key, std::string(kAgentmailClass), payload);
    AgentmailAdapter adapter(Options());
    return project_.Run(adapter, key, token_, payload);
  }

  static AgentmailOptions Options() {
    AgentmailOptions options;
    options.deadline = std::chrono::milliseconds(1500);
    return options;
  }

  // The outcome of a send whose answer is scripted, as `code (adapter code) outcome`.
  std::string OutcomeWith(const std::string& kind, AgentmailScript script,
                          const JsonObject& payload) {
    server_.Script(kind, std::move(script));
    token_.clear();
    const std::string key = "t" + std::to_string(++tasks_) + ":k";
    const Executed done = Send(payload, key);
    const std::string outcome = TextOf(done.answer, "outcome");
    return TextOf(done.answer, "code") + " " + TextOf(done.answer, "adapter_code") +
           (outcome.empty() ? "" : " " + outcome);
  }

  testing::AdapterProject project_;
  AgentmailServer server_;
  std::string token_;
  int tasks_ = 1;
};

TEST_F(AgentmailTest, AnApprovedDraftIsReadTwiceAndReleasedOnce) {
  const Executed done = Send(Draft());
  ASSERT_TRUE(done.ok) << base::ToText(done.answer);
  ASSERT_EQ(server_.sent().size(), 1U);
  const auto requests = server_.requests();
  ASSERT_EQ(requests.size(), 3U);
  EXPECT_EQ(requests[0].method + requests[1].method + requests[2].method, "GETGETPOST");
  EXPECT_EQ(requests[2].target, "/v0/inboxes/agent%40example.com/drafts/d%201%2Fx/send");
  EXPECT_EQ(requests[2].body, "");
  EXPECT_FALSE(requests[2].headers.contains("content-type"));
  EXPECT_EQ(requests[2].headers.at("accept"), "application/json");
  const JsonObject& detail = done.answer.at("detail").as_object();
  EXPECT_EQ(TextOf(detail, "mode"), "draft");
  EXPECT_EQ(TextOf(detail, "thread_id"), "t-1");
  EXPECT_EQ(base::AsInteger(detail.at("http_status")), 200);
  EXPECT_EQ(base::AsInteger(detail.at("recipients")), 2);
}

TEST_F(AgentmailTest, TheProvidersIdOfTheMessageIsOnRecord) {
  ASSERT_TRUE(Send(Draft()).ok);
  const auto records = project_.Records();
  const JsonObject& reference = records.back().payload.at("provider_ref").as_object();
  EXPECT_EQ(TextOf(reference, "adapter"), "agentmail");
  EXPECT_EQ(TextOf(reference, "id"), "<m-1@agentmail>");
}

TEST_F(AgentmailTest, ADirectMailIsSentByValueFromTheInboxWhateverItsCase) {
  const Executed done = Send(Mail());
  ASSERT_TRUE(done.ok) << base::ToText(done.answer);
  ASSERT_EQ(server_.sent().size(), 1U);
  EXPECT_EQ(server_.sent().front(), (JsonObject{{"to", JsonArray{"a@example.net"}},
                                                {"bcc", JsonArray{"c@example.net"}},
                                                {"subject", "Grüße"},
                                                {"text", "T\n"}}));
  EXPECT_EQ(server_.requests().size(), 2U) << "a direct mail makes no request before its spend";
}

TEST_F(AgentmailTest, AnHtmlBodyGoesAsHtml) {
  JsonObject mail = Mail();
  mail["content_type"] = "text/html";
  ASSERT_TRUE(Send(mail).ok);
  EXPECT_TRUE(server_.sent().front().contains("html"));
  EXPECT_FALSE(server_.sent().front().contains("text"));
}

TEST_F(AgentmailTest, FR195_TheSendCarriesAnIdempotencyKeyMadeFromKeyAndHash) {
  const Executed done = Send(Mail());
  ASSERT_TRUE(done.ok);
  const std::string wanted = IdempotencyKey("t1:k", TextOf(done.answer, "payload_hash"));
  EXPECT_EQ(server_.requests().back().headers.at("idempotency-key"), wanted);
  EXPECT_EQ(TextOf(done.answer.at("detail").as_object(), "idempotency_key"), wanted);
  EXPECT_EQ(project_.LogBytes().find(wanted), std::string::npos);
}

TEST_F(AgentmailTest, ASecondRunNeverSends) {
  ASSERT_TRUE(Send(Draft()).ok);
  const std::size_t before = server_.requests().size();
  EXPECT_EQ(TextOf(Send(Draft()).answer, "code"), "token-consumed");
  EXPECT_EQ(server_.requests().size(), before);
}

TEST_F(AgentmailTest, FR197_ADraftThatWasEditedAfterTheApprovalCostsNothingAndIsNotSent) {
  token_ = project_.Granted("t1:k", std::string(kAgentmailClass), Draft());
  const std::string before = project_.LogBytes();
  for (const JsonObject& change :
       {JsonObject{{"text", "pay now"}}, JsonObject{{"attachments", JsonArray{"x"}}},
        JsonObject{{"html", "<p>pay</p>"}}, JsonObject{{"send_at", "2026-08-05T00:00:00Z"}},
        JsonObject{{"bcc", JsonArray{"spy@example.org"}}}}) {
    JsonObject kept = Draft();
    kept.erase("draft_id");
    server_.PutDraft("d 1/x", kept);
    server_.Edit("d 1/x", change);
    const Executed done = Send(Draft());
    EXPECT_EQ(TextOf(done.answer, "code"), "adapter-precheck-refused");
    EXPECT_EQ(TextOf(done.answer, "adapter_code"), "agentmail-draft-drifted");
    EXPECT_NE(TextOf(done.answer, "message").find(std::string(change.begin()->key())),
              std::string::npos);
    EXPECT_EQ(base::ToText(done.answer).find("pay"), std::string::npos);
  }
  EXPECT_EQ(project_.LogBytes(), before);
  EXPECT_TRUE(server_.sent().empty());
}

TEST_F(AgentmailTest, ADraftThatIsGoneOrInAnotherInboxCostsNothing) {
  JsonObject missing = Draft();
  missing["draft_id"] = "d-2";
  EXPECT_EQ(TextOf(Send(missing).answer, "adapter_code"), "agentmail-draft-missing");
  JsonObject elsewhere = Draft();
  elsewhere["inbox_id"] = "other@example.com";
  token_ = project_.Granted("t2:k", std::string(kAgentmailClass), elsewhere);
  const std::size_t before = server_.requests().size();
  EXPECT_EQ(TextOf(Send(elsewhere, "t2:k").answer, "adapter_code"), "agentmail-inbox-mismatch");
  EXPECT_EQ(server_.requests().size(), before);
}

TEST_F(AgentmailTest, ABodyThatIsNoDraftIsDrift) {
  for (const char* body : {"[]", "\"x\"", "<html></html>"}) {
    server_.Script("draft", {AgentmailScript::End::kAnswer, 200, body});
    EXPECT_EQ(TextOf(Send(Draft()).answer, "adapter_code"), "agentmail-draft-drifted") << body;
  }
}

TEST_F(AgentmailTest, AMailFromAnotherAddressThanTheInboxIsNotSent) {
  JsonObject mail = Mail();
  mail["from"] = "boss@example.com";
  const Executed done = Send(mail);
  EXPECT_EQ(TextOf(done.answer, "adapter_code"), "agentmail-from-mismatch");
  EXPECT_TRUE(server_.sent().empty());
}

TEST_F(AgentmailTest, ARefusalThatTheServiceStatesIsAFailureWithItsCode) {
  const std::vector<std::pair<int, std::string>> statuses = {
      {400, "agentmail-rejected"},     {401, "agentmail-unauthorized"},
      {403, "agentmail-unauthorized"}, {404, "agentmail-not-found"},
      {409, "agentmail-conflict"},     {422, "agentmail-rejected"},
      {429, "agentmail-rate-limited"}, {301, "agentmail-rejected"}};
  for (const auto& [status, code] : statuses) {
    EXPECT_EQ(OutcomeWith("message_send",
                          {AgentmailScript::End::kAnswer, status, "{\"message\":\"no\"}"}, Mail()),
              "adapter-failed " + code + " execution.failed")
        << status;
  }
  EXPECT_TRUE(server_.sent().empty());
}

TEST_F(AgentmailTest, FR201_NothingIsRepeatedAfterARateLimit) {
  OutcomeWith("message_send", {AgentmailScript::End::kAnswer, 429, "{}"}, Mail());
  EXPECT_EQ(server_.CountRequests("POST"), 1U);
}

TEST_F(AgentmailTest, FR195_WithoutAClearAnswerToTheSendTheOutcomeIsUnknownAndNothingIsRepeated) {
  using End = AgentmailScript::End;
  const std::vector<AgentmailScript> unclear = {{End::kAnswer, 500, "{}"},
                                                {End::kAnswer, 503, "<html>down</html>"},
                                                {End::kHangUpBefore},
                                                {End::kHangUpAfter},
                                                {End::kStallAfter},
                                                {End::kAnswerAfter, 502, ""},
                                                {End::kAnswerAfter, 200, "{}"},
                                                {End::kAnswerAfter, 200, "<html>hello</html>"},
                                                {End::kAnswerAfter, 200, ""}};
  std::size_t posts = 0;
  for (const AgentmailScript& script : unclear) {
    const std::string outcome = OutcomeWith("message_send", script, Mail());
    EXPECT_EQ(outcome.rfind("execution-indeterminate ", 0), 0U) << outcome;
    EXPECT_NE(outcome.find("execution.indeterminate"), std::string::npos) << outcome;
    EXPECT_EQ(server_.CountRequests("POST"), ++posts);
  }
}

TEST_F(AgentmailTest, FR234_AnHtmlPageWithStatus200IsNoSuccess) {
  const std::string outcome = OutcomeWith(
      "message_send", {AgentmailScript::End::kAnswerAfter, 200, "<html>ok</html>"}, Mail());
  EXPECT_EQ(outcome, "execution-indeterminate agentmail-rejected execution.indeterminate");
}

TEST_F(AgentmailTest, AReadThatFailsNeverSends) {
  using End = AgentmailScript::End;
  for (const AgentmailScript& script :
       {AgentmailScript{End::kAnswer, 500, "{}"}, AgentmailScript{End::kHangUpBefore},
        AgentmailScript{End::kAnswer, 200, "<html></html>"}}) {
    const std::string outcome = OutcomeWith("inbox", script, Mail());
    EXPECT_EQ(outcome.rfind("adapter-failed agentmail-", 0), 0U) << outcome;
  }
  EXPECT_EQ(server_.CountRequests("POST"), 0U);
}

TEST_F(AgentmailTest, WhatTheServiceSaysIsCutAndRedacted) {
  const std::string said =
      "bad key " + std::string(AgentmailServer::kSendingKey) + " " + std::string(1000, 'x');
  server_.Script("message_send",
                 {AgentmailScript::End::kAnswer, 403, base::ToText(JsonObject{{"message", said}})});
  const Executed done = Send(Mail());
  const std::string all = base::ToText(done.answer) + done.error->message + project_.LogBytes();
  EXPECT_EQ(all.find(AgentmailServer::kSendingKey), std::string::npos);
  EXPECT_EQ(all.find(std::string(401, 'x')), std::string::npos);
  EXPECT_NE(TextOf(done.answer, "message").find("[redacted]"), std::string::npos);
}

TEST_F(AgentmailTest, OnlyTheKeyIsTakenOutOfAnswers) {
  const Executed done = Send(Draft());
  ASSERT_TRUE(done.ok);
  EXPECT_EQ(base::AsInteger(done.answer.at("redactions")), 0);
}

TEST_F(AgentmailTest, ABadSettingCostsNothingAndConnectsNowhere) {
  token_ = project_.Granted("t1:k", std::string(kAgentmailClass), Draft());
  const std::string before = project_.LogBytes();
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"agentmail.inbox_id", "a b"},
      {"agentmail.api_key", "key with blanks"},
      {"agentmail.api_key", "key\nX-Header: y"},
      {"agentmail.api_base", "http://example.org"},
      {"agentmail.api_base", "https://example.org/"}};
  for (const auto& [name, value] : wrong) {
    SCOPED_TRACE(name);
    project_.Store(name, value);
    project_.Seal();
    EXPECT_EQ(TextOf(Send(Draft()).answer, "adapter_code"), "agentmail-config-invalid");
    project_.Store("agentmail.inbox_id", AgentmailServer::kInbox);
    project_.Store("agentmail.api_key", AgentmailServer::kSendingKey);
    project_.Store("agentmail.api_base", server_.base());
  }
  project_.Forget("agentmail.api_key");
  project_.Seal();
  EXPECT_EQ(TextOf(Send(Draft()).answer, "code"), "credential-unavailable");
  EXPECT_EQ(project_.LogBytes(), before);
  EXPECT_TRUE(server_.requests().empty());
}

TEST_F(AgentmailTest, ANobodyThatListensIsAFailureThatIsKnown) {
  project_.Store("agentmail.api_base", "http://127.0.0.1:1");
  project_.Seal();
  const Executed done = Send(Mail());
  EXPECT_EQ(TextOf(done.answer, "adapter_code"), "agentmail-unreachable");
  EXPECT_EQ(TextOf(done.answer, "outcome"), "execution.failed");
}

TEST_F(AgentmailTest, ADryRunReadsTheDraftAndReleasesNothing) {
  const std::string token = project_.Granted("t1:k", std::string(kAgentmailClass), Draft());
  const AgentmailAdapter adapter(Options());
  const Executed done = project_.DryRun(adapter, "t1:k", token, Draft());
  ASSERT_TRUE(done.ok) << base::ToText(done.answer);
  EXPECT_EQ(TextOf(done.answer.at("preview").as_object(), "mode"), "draft");
  EXPECT_EQ(server_.CountRequests("POST"), 0U);
  server_.Edit("d 1/x", {{"subject", "other"}});
  const Executed drifted = project_.DryRun(adapter, "t1:k", token, Draft());
  EXPECT_EQ(TextOf(drifted.answer, "adapter_code"), "agentmail-draft-drifted");
}

TEST_F(AgentmailTest, ItKeepsTheContractOfAnAdapter) {
  testing::TempFolder scratch;
  ConformanceSubject subject;
  subject.make = [] { return std::make_unique<AgentmailAdapter>(Options()); };
  subject.action_class = std::string(kAgentmailClass);
  subject.payload = Mail();
  subject.other_payload = Draft();
  subject.settings = {{"agentmail.inbox_id", AgentmailServer::kInbox},
                      {"agentmail.api_key", AgentmailServer::kSendingKey},
                      {"agentmail.api_base", server_.base()}};
  subject.secret_name = "agentmail.api_key";
  subject.effects = [this] { return server_.sent().size(); };
  const auto report =
      RunConformance(subject, {scratch.path(), project_.clock(), project_.random()});
  ASSERT_TRUE(report) << report.error().check << ": " << report.error().what;
  EXPECT_EQ(report->back().note, "");
}

}  // namespace
}  // namespace approval::adapters::agentmail
