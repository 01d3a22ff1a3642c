// AgentMail and installed programs, driven through the real programs as a user would.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "core/base/files.h"
#include "tests/e2e/story.h"
#include "tests/support/agentmail_server.h"

namespace approval {
namespace {

using base::Json;
using base::JsonArray;
using base::JsonObject;
using testing::AgentmailScript;
using testing::AgentmailServer;
using testing::RunResult;
using testing::Story;
using testing::StoryOptions;

constexpr const char* kKey = "task-1:send";

std::string Text(const JsonObject& object, const char* name) {
  return std::string(base::StringMember(object, name).value_or(""));
}

std::string CodeOf(const JsonObject& answer) {
  if (answer.contains("code")) return Text(answer, "code");
  const Json* error = answer.if_contains("error");
  return error != nullptr && error->is_object() ? Text(error->get_object(), "code") : "none";
}

StoryOptions WithoutMailServer() {
  StoryOptions options;
  options.mail_server = false;
  return options;
}

class AgentmailStory : public ::testing::Test {
 protected:
  void SetUp() override {
    story_.environment()["AGENTMAIL_API_KEY"] = AgentmailServer::kAgentKey;
    story_.environment()["AGENTMAIL_API_BASE"] = server_.base();
    for (const auto& [name, value] : std::initializer_list<std::pair<const char*, std::string>>{
             {"agentmail.inbox_id", AgentmailServer::kInbox},
             {"agentmail.api_key", AgentmailServer::kSendingKey},
             {"agentmail.api_base", server_.base()}}) {
      ASSERT_EQ(story_.Run({"vault", "set", name}, value).exit, 0) << name;
    }
    server_.PutDraft("d-1", {{"to", JsonArray{"a@example.net"}},
                             {"cc", JsonArray{}},
                             {"subject", "Deposit"},
                             {"text", "Please pay.\n"}});
  }

  // The agent takes the draft as it is and asks for it; a person grants.
  void GrantDraft() {
    const RunResult snapshot =
        story_.Run({"payload", "agentmail-draft", AgentmailServer::kInbox, "d-1"});
    ASSERT_EQ(snapshot.exit, 0) << snapshot.err;
    const auto payload = base::ParseJson(snapshot.out, base::kStrictJson);
    ASSERT_TRUE(payload);
    story_.RequestMail("task-1", kKey, *payload);
    story_.Json({"grant", kKey});
  }

  JsonObject Send(int exit, std::vector<std::string> more = {}) {
    std::vector<std::string> call = {"adapter",      "agentmail", kKey,         "--payload",
                                     "message.json", "--as",      "agent:robot"};
    call.insert(call.end(), more.begin(), more.end());
    return story_.Json(std::move(call), exit);
  }

  AgentmailServer server_;
  Story story_{WithoutMailServer()};
};

TEST_F(AgentmailStory, ADraftIsAskedForGrantedAndReleasedOnce) {
  GrantDraft();
  const JsonObject sent = Send(0);
  EXPECT_EQ(Text(sent.at("detail").as_object(), "mode"), "draft");
  ASSERT_EQ(server_.sent().size(), 1U);
  EXPECT_EQ(Text(server_.sent().front(), "text"), "Please pay.\n");
  EXPECT_EQ(CodeOf(Send(1)), "token-consumed");
  EXPECT_EQ(server_.sent().size(), 1U);
  EXPECT_EQ(story_.LogBytes().find(AgentmailServer::kSendingKey), std::string::npos);
}

TEST_F(AgentmailStory, ADraftThatTheAgentEditedAfterTheGrantIsNotReleasedAndCostsNothing) {
  GrantDraft();
  server_.Edit("d-1", {{"to", JsonArray{"thief@example.org"}}});
  const std::string before = story_.LogBytes();
  const JsonObject refused = Send(1);
  EXPECT_EQ(CodeOf(refused), "adapter-precheck-refused");
  EXPECT_EQ(Text(refused, "adapter_code"), "agentmail-draft-drifted");
  EXPECT_EQ(story_.LogBytes(), before);
  EXPECT_TRUE(server_.sent().empty());
  server_.Edit("d-1", {{"to", JsonArray{"a@example.net"}}});
  Send(0);
  EXPECT_EQ(server_.sent().size(), 1U);
}

TEST_F(AgentmailStory, FR195_ALostAnswerIsIndeterminateAndTheSecondRunNeverSends) {
  GrantDraft();
  server_.Script("draft_send", {AgentmailScript::End::kHangUpAfter});
  EXPECT_EQ(CodeOf(Send(1)), "execution-indeterminate");
  EXPECT_FALSE(Send(1).empty());
  EXPECT_EQ(server_.sent().size(), 1U);
  EXPECT_EQ(server_.CountRequests("POST"), 1U);
}

TEST_F(AgentmailStory, ADryRunShowsTheMailAndSpendsNothing) {
  GrantDraft();
  const std::string before = story_.LogBytes();
  const JsonObject dry = Send(0, {"--dry-run"});
  EXPECT_EQ(Text(dry.at("preview").as_object(), "subject"), "Deposit");
  EXPECT_EQ(dry.at("payload_hash"), dry.at("bound_hash"));
  EXPECT_EQ(story_.LogBytes(), before);
  EXPECT_EQ(server_.CountRequests("POST"), 0U);
  server_.Edit("d-1", {{"html", "<p>x</p>"}});
  EXPECT_EQ(Text(Send(1, {"--dry-run"}), "adapter_code"), "agentmail-draft-drifted");
}

TEST_F(AgentmailStory, ADryRunInWordsNamesTheChecksAndTheFacts) {
  GrantDraft();
  const RunResult dry = story_.Run({"adapter", "agentmail", kKey, "--payload", "message.json",
                                    "--as", "agent:robot", "--dry-run"});
  EXPECT_EQ(dry.exit, 0) << dry.err;
  for (const char* part : {"✓ token\n", "✓ precheck\n", "\n  subject  Deposit\n",
                           "the run would start; nothing was spent"}) {
    EXPECT_NE(dry.out.find(part), std::string::npos) << part << " in " << dry.out;
  }
}

TEST_F(AgentmailStory, TheSnapshotVerbNeedsTheAgentsKeyAndNamesWhatIsWrongWithADraft) {
  const std::vector<std::string> call = {"payload", "agentmail-draft", AgentmailServer::kInbox};
  const auto with = [&](const char* draft) {
    std::vector<std::string> words = call;
    words.emplace_back(draft);
    return words;
  };
  EXPECT_EQ(CodeOf(story_.Json(with("d-2"), 1)), "agentmail-draft-missing");
  server_.Edit("d-1", {{"attachments", JsonArray{"x"}}});
  EXPECT_EQ(CodeOf(story_.Json(with("d-1"), 1)), "agentmail-draft-unusable");
  story_.environment()["AGENTMAIL_API_KEY"] = "am_unknown_key";
  EXPECT_EQ(CodeOf(story_.Json(with("d-1"), 1)), "agentmail-unauthorized");
  const std::size_t before = server_.requests().size();
  story_.environment()["AGENTMAIL_API_KEY"] = "  ";
  EXPECT_EQ(CodeOf(story_.Json(with("d-1"), 2)), "agentmail-api-key-unset");
  EXPECT_EQ(server_.requests().size(), before);
}

TEST_F(AgentmailStory, TheSnapshotIsTheDocumentOfTheSpecificationToTheByte) {
  server_.PutDraft("d-1", {{"to", JsonArray{"a@example.net"}}, {"subject", "S"}, {"text", "T\n"}});
  EXPECT_EQ(story_.Run({"payload", "agentmail-draft", AgentmailServer::kInbox, "d-1"}).out,
            "{\"draft_id\":\"d-1\",\"inbox_id\":\"agent@example.com\",\"subject\":\"S\","
            "\"text\":\"T\\n\",\"to\":[\"a@example.net\"]}\n");
}

class InstalledStory : public ::testing::Test {
 protected:
  void SetUp() override {
    std::error_code failed;
    std::filesystem::copy_file(std::string(APPROVAL_SOURCE_DIR) + "/examples/adapters/notebook.py",
                               program_, failed);
    ASSERT_FALSE(failed) << failed.message();
    JsonObject manifest = base::ParseJson(base::ReadFile(std::string(APPROVAL_SOURCE_DIR) +
                                                         "/examples/adapters/notebook.json")
                                              .value_or(""),
                                          base::kStrictJson)
                              .value()
                              .as_object();
    manifest["program"] = program_;
    story_.folder().Write("notebook.json", base::ToText(manifest));
  }

  void Install() {
    const JsonObject installed = story_.Json({"adapter", "install", "notebook", "notebook.json"});
    EXPECT_EQ(Text(installed, "program"), program_);
    ASSERT_EQ(story_.Run({"vault", "set", "notebook.file"}, notebook_).exit, 0);
    ASSERT_EQ(story_.Run({"vault", "set", "notebook.key"}, "signing-key-0001").exit, 0);
  }

  void Grant() {
    story_.folder().Write("line.json", "{\"line\":\"buy milk\"}");
    const std::string hash = Text(story_.Json({"payload", "hash", "line.json"}), "hash");
    story_.folder().Write("task-1.md",
                          "---\nid: task-1\napproval:\n  origin: { app: story, created_by: "
                          "\"agent:robot\" }\n  state: proposed\n  actions:\n    - class: "
                          "notebook.line.append\n      idempotency_key: \"task-1:send\"\n"
                          "      reversible: true\n      payload_hash: \"" +
                              hash + "\"\n---\n");
    story_.Json({"register", "task-1.md", "--as", "agent:robot"});
    story_.Json(
        {"request", "task-1", "--action", kKey, "--payload", "line.json", "--as", "agent:robot"});
    story_.Json({"grant", kKey});
  }

  static std::vector<std::string> Call(const std::string& name = "notebook") {
    return {"adapter", name, kKey, "--payload", "line.json", "--as", "agent:robot"};
  }

  Story story_{WithoutMailServer()};
  std::string program_ = story_.folder().Path("notebook.py");
  std::string notebook_ = story_.folder().Path("notebook.txt");
};

TEST_F(InstalledStory, AnInstalledProgramRunsOnAnApprovedActionOnce) {
  Install();
  Grant();
  const JsonObject done = story_.Json(Call());
  EXPECT_EQ(Text(done, "outcome"), "execution.completed");
  EXPECT_TRUE(done.contains("provider_ref"));
  EXPECT_EQ(CodeOf(story_.Json(Call(), 1)), "token-consumed");
  const std::string notebook = base::ReadFile(notebook_).value_or("");
  EXPECT_EQ(std::count(notebook.begin(), notebook.end(), '\n'), 1);
  EXPECT_NE(notebook.find("\tbuy milk\n"), std::string::npos);
}

TEST_F(InstalledStory, AProgramThatWasReplacedIsRefusedAndListedAsSuch) {
  Install();
  Grant();
  story_.folder().Write("notebook.py", "#!/bin/sh\ntouch ran\necho '{\"ok\":true}'\n");
  const std::string before = story_.LogBytes();
  EXPECT_EQ(Text(story_.Json(Call(), 1), "adapter_code"), "adapter-program-changed");
  EXPECT_EQ(story_.LogBytes(), before);
  const JsonObject list = story_.Json({"adapter", "list"});
  ASSERT_EQ(list.at("installed").as_array().size(), 1U);
  EXPECT_EQ(list.at("installed").at(0).at("intact"), Json(false));
}

TEST_F(InstalledStory, OnlyAPersonWithThePassphraseSaysWhichProgramGetsCredentials) {
  EXPECT_EQ(CodeOf(story_.Json(
                {"adapter", "install", "notebook", "notebook.json", "--as", "agent:robot"}, 2)),
            "usage");
  story_.environment().erase("APPROVAL_VAULT_PASSPHRASE");
  EXPECT_EQ(CodeOf(story_.Json({"adapter", "install", "notebook", "notebook.json"}, 2)), "usage");
  EXPECT_FALSE(std::filesystem::exists(story_.folder().Path(".approval/vault.enc")));
}

TEST_F(InstalledStory, WithoutAPassphraseTheSourceMapServesTheGrantAndNothingElse) {
  Install();
  Grant();
  story_.environment().erase("APPROVAL_VAULT_PASSPHRASE");
  story_.folder().Write(".approval/env", "APPROVAL_VAULT_PASSPHRASE=literal:correct horse\n");
  std::filesystem::permissions(
      story_.folder().Path(".approval/env"),
      std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  std::vector<std::string> wrong = Call();
  wrong.insert(wrong.end(), {"--token", std::string(64, 'a')});
  EXPECT_EQ(CodeOf(story_.Json(wrong, 1)), "credential-unavailable");
  EXPECT_EQ(story_.Run({"adapter", "list"}).exit, 2);
  EXPECT_EQ(Text(story_.Json(Call()), "outcome"), "execution.completed");
}

TEST_F(InstalledStory, AnUnknownNameIsAUsageErrorThatNamesTheKnownOnes) {
  Install();
  Grant();
  for (const char* name : {"notebok", "zzz", "no.name"}) {
    const RunResult refused = story_.Run(Call(name));
    EXPECT_EQ(refused.exit, 2) << name;
    EXPECT_NE(refused.err.find("agentmail, email"), std::string::npos) << refused.err;
  }
  EXPECT_NE(story_.Run(Call("notebok")).err.find("notebook"), std::string::npos);
}

TEST_F(InstalledStory, WhatIsUninstalledRunsNoMore) {
  Install();
  Grant();
  story_.Json({"adapter", "uninstall", "notebook"});
  EXPECT_EQ(story_.Run(Call()).exit, 2);
  EXPECT_EQ(CodeOf(story_.Json({"adapter", "uninstall", "notebook"}, 1)), "credential-absent");
}

}  // namespace
}  // namespace approval
