// What must be refused, each with its code, and change nothing: the log's bytes are compared.
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <filesystem>
#include <thread>

#include "core/base/files.h"
#include "tests/e2e/story.h"
#include "tests/support/bot_api_server.h"

namespace approval {
namespace {

using base::JsonObject;
using testing::RunResult;
using testing::Story;

constexpr const char* kTask = "task-1";
constexpr const char* kKey = "task-1:chaser";

std::string CodeOf(const JsonObject& answer) {
  if (const auto code = base::StringMember(answer, "code")) return std::string(*code);
  const base::Json* error = answer.if_contains("error");
  if (error == nullptr || !error->is_object()) return "none";
  return std::string(base::StringMember(error->get_object(), "code").value_or("none"));
}

std::vector<std::string> AdapterCall(const std::string& payload = "message.json") {
  return {"adapter", "email", kKey, "--payload", payload, "--as", "agent:robot"};
}

class Refusals : public ::testing::Test {
 protected:
  void Granted() {
    story_.RequestMail(kTask, kKey, Story::SampleMail());
    story_.Json({"grant", kKey});
  }

  // Runs a call that must be refused with the code and leave the log as it is.
  void ExpectRefused(std::vector<std::string> arguments, int exit, const std::string& code) {
    const std::string before = story_.LogBytes();
    EXPECT_EQ(CodeOf(story_.Json(std::move(arguments), exit)), code);
    EXPECT_EQ(story_.LogBytes(), before);
  }

  Story story_;
};

TEST_F(Refusals, SpendingTwice) {
  Granted();
  story_.Json(AdapterCall());
  ExpectRefused(AdapterCall(), 1, "token-consumed");
  EXPECT_EQ(story_.CountMails(), 1U);
}

TEST_F(Refusals, OneByteChanged) {
  Granted();
  base::Json mail = Story::SampleMail();
  mail.as_object()["subject"] = "Deposit refund – 21 Tage überfällig.";
  story_.folder().Write("other.json", base::ToText(mail));
  ExpectRefused(AdapterCall("other.json"), 1, "payload-mismatch");
  EXPECT_EQ(story_.CountMails(), 0U);
  // The grant is untouched: the approved bytes still go out.
  story_.Json(AdapterCall());
  EXPECT_EQ(story_.CountMails(), 1U);
}

TEST_F(Refusals, ARequestUnderAnEditedPolicy) {
  story_.RequestMail(kTask, kKey, Story::SampleMail());
  story_.folder().Write("APPROVAL.md",
                        *base::ReadFile(story_.folder().Path("APPROVAL.md")) + "\nedited\n");
  ExpectRefused({"grant", kKey}, 1, "policy-not-attested");
  ExpectRefused({"request", kTask, "--action", kKey, "--as", "agent:robot"}, 1,
                "policy-not-attested");
}

TEST_F(Refusals, ASpendUnderAnEditedPolicy) {
  Granted();
  story_.folder().Write("APPROVAL.md",
                        *base::ReadFile(story_.folder().Path("APPROVAL.md")) + "\nedited\n");
  ExpectRefused(AdapterCall(), 1, "policy-not-attested");
  EXPECT_EQ(story_.CountMails(), 0U);
}

TEST_F(Refusals, AnAgentThatDecides) {
  story_.RequestMail(kTask, kKey, Story::SampleMail());
  ExpectRefused({"grant", kKey, "--as", "agent:robot"}, 2, "usage");
}

TEST_F(Refusals, AWrongPassphraseSpendsNothing) {
  Granted();
  story_.environment()["APPROVAL_VAULT_PASSPHRASE"] = "wrong";
  const std::string before = story_.LogBytes();
  const JsonObject refused = story_.Json(AdapterCall(), 1);
  EXPECT_EQ(CodeOf(refused), "credential-unavailable");
  EXPECT_EQ(story_.LogBytes(), before);
  EXPECT_EQ(base::ToText(refused).find("wrong"), std::string::npos);
}

TEST_F(Refusals, AMailServerThatIsDownIsAFailureOnRecord) {
  Granted();
  story_.mail_server()->Signal(SIGTERM);
  story_.mail_server()->Wait();
  const JsonObject failed = story_.Json(AdapterCall(), 1);
  EXPECT_EQ(CodeOf(failed), "adapter-failed");
  EXPECT_EQ(base::StringMember(failed, "adapter_code"), "smtp-connect-failed");
  EXPECT_EQ(story_.Events().back(), "execution.failed");
}

TEST_F(Refusals, AThreeMegabytePayload) {
  base::Json mail = Story::SampleMail();
  mail.as_object()["body"] = std::string(3'000'000, 'x');
  story_.folder().Write("big.json", base::ToText(mail));
  const JsonObject hash = story_.Json({"payload", "hash", "big.json"});
  story_.folder().Write(
      "task-2.md",
      "---\nid: task-2\napproval:\n  origin: { app: s, created_by: \"agent:robot\" }\n  state: "
      "proposed\n  actions:\n    - class: communicate.email.external\n      idempotency_key: "
      "\"big\"\n      payload_hash: \"" +
          std::string(*base::StringMember(hash, "hash")) + "\"\n---\n");
  story_.Json({"register", "task-2.md", "--as", "agent:robot"});
  ExpectRefused(
      {"request", "task-2", "--action", "big", "--payload", "big.json", "--as", "agent:robot"}, 1,
      "payload-too-large");
}

// channels.md 8.43
TEST_F(Refusals, APayloadThatIsNoStrictJson) {
  story_.RequestMail(kTask, kKey, Story::SampleMail());
  for (const std::string& bad :
       {std::string("{nope"), std::string("{\"a\":1,\"a\":2}"), std::string("\"\xFF\""),
        std::string("\"\\ud800\""), std::string("  \n")}) {
    story_.folder().Write("bad.json", bad);
    ExpectRefused(
        {"request", kTask, "--action", kKey, "--payload", "bad.json", "--as", "agent:robot"}, 2,
        "usage");
    ExpectRefused({"payload", "hash", "bad.json"}, 2, "usage");
  }
  ExpectRefused({"payload", "hash", "missing.json"}, 4, "io");
}

TEST_F(Refusals, AnUnknownFlagIsOneSentenceAndTheNextStep) {
  const RunResult refused = story_.Run({"request", kTask, "--acton", kKey});
  EXPECT_EQ(refused.exit, 2);
  EXPECT_NE(refused.err.find("--acton"), std::string::npos);
  EXPECT_NE(refused.err.find("--help"), std::string::npos);
  EXPECT_EQ(refused.out, "");
}

// channels.md 8.9
TEST_F(Refusals, ABrokenLineStopsEveryVerbWithTheSameCode) {
  story_.RequestMail(kTask, kKey, Story::SampleMail());
  std::string bytes = story_.LogBytes();
  bytes.replace(bytes.find("agent:robot"), 11, "agent:rabot");
  story_.folder().Write(".approval/log/events.jsonl", bytes);
  ExpectRefused({"grant", kKey}, 1, "log-corrupt");
  ExpectRefused({"queue"}, 1, "log-corrupt");
  ExpectRefused(AdapterCall(), 1, "log-corrupt");
  EXPECT_EQ(story_.Run({"log", "verify"}).exit, 1);
  EXPECT_EQ(story_.Run({"up", "--port", "0"}).exit, 1);
}

TEST_F(Refusals, ATornTailIsExitThreeEverywhere) {
  story_.RequestMail(kTask, kKey, Story::SampleMail());
  const std::string bytes = story_.LogBytes();
  story_.folder().Write(".approval/log/events.jsonl", bytes + "{\"seq\":");
  ExpectRefused({"grant", kKey}, 3, "log-torn-tail");
  EXPECT_EQ(story_.Run({"log", "verify"}).exit, 3);
  EXPECT_EQ(story_.Run({"log", "tail"}).exit, 0);
  EXPECT_EQ(story_.Run({"up", "--port", "0"}).exit, 3);
}

TEST_F(Refusals, AMissingLogIsNoFreshStart) {
  story_.RequestMail(kTask, kKey, Story::SampleMail());
  std::filesystem::remove(story_.folder().Path(".approval/log/events.jsonl"));
  EXPECT_EQ(CodeOf(story_.Json({"grant", kKey}, 4)), "log-unreadable");
  EXPECT_EQ(story_.Run({"up", "--port", "0"}).exit, 4);
  EXPECT_FALSE(std::filesystem::exists(story_.folder().Path(".approval/log/events.jsonl")));
}

TEST_F(Refusals, APolicyWithATypoMakesEveryClassManualAndSaysWhy) {
  story_.folder().Write("APPROVAL.md",
                        "```yaml approval-policy\nversion: \"0.1\"\nclases: {}\n```\n");
  const JsonObject checked = story_.Json({"policy", "check", "read.web"});
  EXPECT_EQ(checked.at("outcome").at("autonomy"), "manual");
  EXPECT_EQ(checked.at("loadFailure").at("code"), "schema-invalid");
  EXPECT_EQ(checked.at("provenance"), "fail-closed");
}

// Spec README item 20: the gateway stops loudly on every surface and goes on when the log is back.
TEST_F(Refusals, ALogThatBreaksUnderTheGatewayStopsItUntilItIsRestored) {
  const auto up = story_.Up({"--port", "0", "--no-telegram"});
  ASSERT_TRUE(up->Event("part_started"));
  story_.RequestMail(kTask, kKey, Story::SampleMail());
  const std::string good = story_.LogBytes();
  std::string bad = good;
  bad.replace(bad.find("agent:robot"), 11, "agent:rabot");
  const std::string path = ".approval/log/events.jsonl";
  story_.folder().Write(path, bad);
  for (int look = 0; look < 300; ++look) {
    const std::string said = base::ReadFile(story_.folder().Path("background.err")).value_or("");
    if (said.find("stopped_deciding") != std::string::npos) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  const std::string said = base::ReadFile(story_.folder().Path("background.err")).value_or("");
  EXPECT_NE(said.find("stopped_deciding"), std::string::npos);
  EXPECT_NE(said.find("log-corrupt"), std::string::npos);
  story_.folder().Write(path, good);
  EXPECT_TRUE(up->Event("deciding_again"));
  up->Signal(SIGTERM);
  EXPECT_EQ(up->Wait(std::chrono::seconds(2)), 0);
}

TEST_F(Refusals, AStopSignalEndsTheGatewayWithinASecond) {
  const auto up = story_.Up({"--port", "0", "--no-telegram"});
  ASSERT_TRUE(up->Event("part_started"));
  up->Signal(SIGTERM);
  EXPECT_EQ(up->Wait(std::chrono::milliseconds(1000)), 0);
}

TEST_F(Refusals, ATakenPortIsSaidAndTheOtherPartsRun) {
  const auto first = story_.Up({"--port", "0", "--no-telegram"});
  const auto started = first->Event("part_started");
  ASSERT_TRUE(started);
  const std::string port = std::to_string(started->at("port").as_int64());
  const JsonObject refused = [&] {
    const RunResult result = story_.Run({"channel", "web", "--port", port, "--json"});
    EXPECT_EQ(result.exit, 4);
    const auto line =
        base::ParseJson(result.err.substr(0, result.err.find('\n')), base::kStrictJson);
    return line ? line->get_object() : JsonObject{};
  }();
  EXPECT_EQ(CodeOf(refused), "port-unavailable");
}

TEST_F(Refusals, ARequestThatLapsesIsEndedOnRecordByTheGateway) {
  story_.folder().Write("APPROVAL.md",
                        "```yaml approval-policy\nversion: \"0.1\"\ndefaults: { approval_ttl: 1s, "
                        "on_expiry: reject }\n```\n");
  story_.Json({"policy", "attest"});
  const auto up = story_.Up({"--port", "0", "--no-telegram"});
  ASSERT_TRUE(up->Event("part_started"));
  story_.RequestMail(kTask, kKey, Story::SampleMail());
  ASSERT_TRUE(up->Event("expired", std::chrono::seconds(5)));
  EXPECT_EQ(story_.Events().back(), "approval.expired");
  EXPECT_EQ(CodeOf(story_.Json({"grant", kKey}, 1)), "expired");
}

// FR-045 and FR-046: a dead token is said once with the remedy, and the page goes on.
TEST_F(Refusals, AWrongTelegramTokenEndsThatPartAndNothingElse) {
  const testing::BotApiServer server;
  story_.environment()["APPROVAL_TG_TOKEN"] = "1234567890:WRONG-token-for-tests_0000";
  story_.environment()["APPROVAL_TG_CHAT"] = "700000001";
  const auto up = story_.Up({"--port", "0", "--api-base", server.base_url()});
  const auto started = up->Event("part_started");
  ASSERT_TRUE(started);
  EXPECT_EQ(base::StringMember(*started, "part"), "web");
  std::string said;
  for (int look = 0; look < 500 && said.find("part_failed") == std::string::npos; ++look) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    said = base::ReadFile(story_.folder().Path("background.err")).value_or("");
  }
  EXPECT_NE(said.find("telegram-unauthorized"), std::string::npos) << said;
  EXPECT_EQ(said.find("WRONG-token"), std::string::npos) << said;
}

TEST_F(Refusals, NoNetworkIsSaidAndTheGatewayRunsOn) {
  story_.environment()["APPROVAL_TG_TOKEN"] = "1234567890:FAKE-token-for-tests_000000";
  story_.environment()["APPROVAL_TG_CHAT"] = "700000001";
  // Nobody listens on the discard port of the loopback.
  const auto up = story_.Up({"--port", "0", "--api-base", "http://127.0.0.1:9"});
  ASSERT_TRUE(up->Event("part_started"));
  ASSERT_TRUE(up->Event("part_started"));
  story_.RequestMail(kTask, kKey, Story::SampleMail());
  story_.Json({"grant", kKey});
  up->Signal(SIGTERM);
  EXPECT_EQ(up->Wait(std::chrono::milliseconds(2000)), 0);
}

TEST_F(Refusals, AServiceManagerHearsReadyAndStopping) {
  const std::string path = story_.folder().Path("notify.sock");
  const base::Descriptor socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  story_.environment()["NOTIFY_SOCKET"] = path;
  const auto up = story_.Up({"--port", "0", "--no-telegram"});
  const auto hear = [&] {
    pollfd wait{socket.get(), POLLIN, 0};
    char text[64]{};
    if (::poll(&wait, 1, 5000) != 1) return std::string();
    const ssize_t got = ::recv(socket.get(), text, sizeof text, 0);
    return std::string(text, got > 0 ? static_cast<std::size_t>(got) : 0);
  };
  EXPECT_EQ(hear(), "READY=1");
  up->Signal(SIGTERM);
  EXPECT_EQ(hear(), "STOPPING=1");
}

// The figure: a hundred processes, a hundred records, no fork, no lost refusal.
TEST(Concurrency, AHundredRequestsAtOnceAreAHundredRecords) {
  testing::StoryOptions options;
  options.mail_server = false;
  Story story(options);
  constexpr int kRequests = 101;
  story.folder().Write("p.json", "{\"command\":\"true\",\"cwd\":\"/\"}");
  const std::string hash(*base::StringMember(story.Json({"payload", "hash", "p.json"}), "hash"));
  std::string task =
      "---\nid: task-1\napproval:\n  origin: { app: s, created_by: \"agent:robot\" }\n  state: "
      "proposed\n  actions:\n";
  for (int i = 0; i < kRequests; ++i) {
    task += "    - { class: communicate.chat, idempotency_key: \"k-" + std::to_string(i) +
            "\", payload_hash: \"" + hash + "\" }\n";
  }
  story.folder().Write("task-1.md", task + "---\n");
  story.Json({"register", "task-1.md", "--as", "agent:robot"});
  std::vector<std::unique_ptr<testing::Background>> running;
  testing::RunOptions where;
  where.folder = story.folder().path();
  for (int i = 0; i < kRequests; ++i) {
    // Two of them ask for the same key: one must be told so.
    const std::string key = "k-" + std::to_string(i == kRequests - 1 ? 0 : i);
    running.push_back(std::make_unique<testing::Background>(
        std::vector<std::string>{testing::ApprovalProgram(), "request", "task-1", "--action", key,
                                 "--payload", "p.json", "--as", "agent:robot", "--json"},
        where));
  }
  int asked = 0;
  int refused = 0;
  for (const auto& process : running) {
    const int exit = process->Wait(std::chrono::seconds(60));
    asked += exit == 0 ? 1 : 0;
    refused += exit == 1 ? 1 : 0;
  }
  EXPECT_EQ(asked, kRequests - 1) << *base::ReadFile(story.folder().Path("background.err"));
  EXPECT_EQ(refused, 1);
  const auto events = story.Events();
  EXPECT_EQ(std::count(events.begin(), events.end(), "approval.requested"), kRequests - 1);
  EXPECT_NE(base::ReadFile(story.folder().Path("background.err"))->find("duplicate-request"),
            std::string::npos);
}

// examples/quickstart.sh runs the main job by itself and leaves nothing behind.
TEST(Quickstart, RunsTheMainJobByItself) {
  testing::RunOptions options;
  options.environment["APPROVAL_BIN"] = APPROVAL_BIN_DIR;
  const RunResult result = testing::RunProcess(
      {"bash", std::string(APPROVAL_SOURCE_DIR) + "/examples/quickstart.sh", "--auto"}, options);
  EXPECT_EQ(result.exit, 0) << result.out << result.err;
  EXPECT_NE(result.out.find("Subject: Deposit refund"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("clean: 6 record(s)"), std::string::npos) << result.out;
  EXPECT_NE(result.err.find("token-consumed"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace approval
