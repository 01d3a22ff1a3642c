// What auditors ask: `approval render payload` and `approval log show`, through the real program.
#include <filesystem>
#include <functional>

#include "core/base/sha256.h"
#include "tests/cli/project.h"
#include "tests/support/pty.h"

namespace approval {
namespace {

using base::Json;
using base::JsonObject;
using testing::RunResult;

const Json kLetter = JsonObject{{"to", "a@example.org"}, {"subject", "Refund"}, {"body", "Hello"}};

class RenderVerbs : public testing::ProjectTest {
 protected:
  // A log of three records: the policy, the task, and the request of this payload as record 3.
  void Request(const Json& payload) {
    PutManualPolicy();
    EXPECT_EQ(Run({"policy", "attest", "--as", "human:alice"}).exit, 0);
    hash_ = *base::CanonicalHash(payload);
    Register("t", "files.write", payload);
    const RunResult asked = Ask("t");
    EXPECT_EQ(asked.exit, 0) << asked.err;
  }

  // The log with another request as record 3, its chain intact: a log of another writer.
  void RewriteRequest(const std::function<void(JsonObject&)>& change) const {
    const std::string log = Log();
    const std::size_t last = log.rfind('\n', log.size() - 2) + 1;
    JsonObject record = Answer(log.substr(last));
    change(record["payload"].as_object());
    record.erase("hash");
    record["hash"] = *base::CanonicalHash(record);
    folder_.Write(kLog, log.substr(0, last) + *base::Canonicalize(record) + "\n");
  }

  std::string Stored() const { return ".approval/payloads/" + hash_ + ".json"; }

  std::string hash_;
};

TEST_F(RenderVerbs, APayloadIsShownWithTheDigestOfExactlyThatText) {
  folder_.Write("p.json", R"({"base64":"YWJj"})");
  const RunResult json = Run({"render", "payload", "p.json", "--class", "x.y", "--json"});
  ASSERT_EQ(json.exit, 0) << json.err;
  const JsonObject answer = Answer(json.out);
  EXPECT_EQ(Text(answer, "renderer"), "approval/canonical/1");
  EXPECT_EQ(Text(answer, "kind"), "binary");
  EXPECT_EQ(Text(answer, "class"), "x.y");
  EXPECT_EQ(Text(answer, "payload_hash"), *base::CanonicalHash(Answer(R"({"base64":"YWJj"})")));
  EXPECT_EQ(Text(answer, "display_hash"), base::Sha256Hex(Text(answer, "text")));
  const RunResult words = Run({"render", "payload", "p.json", "--class", "x.y"});
  EXPECT_EQ(words.out,
            Text(answer, "text") + "\ndisplay sha256: " + Text(answer, "display_hash") + "\n");
}

// channels.md 8.33
TEST_F(RenderVerbs, EveryGoldenPayloadIsShownAsStored) {
  const std::filesystem::path golden =
      std::filesystem::path(APPROVAL_SOURCE_DIR) / "tests/render/golden";
  for (const std::string shape : {"email", "draft", "http", "post", "opaque"}) {
    const RunResult shown = Run({"render", "payload", "-", "--class", "golden." + shape},
                                testing::ReadText(golden / (shape + ".json")));
    ASSERT_EQ(shown.exit, 0) << shown.err;
    EXPECT_TRUE(shown.out.starts_with(testing::ReadText(golden / (shape + ".txt")))) << shown.out;
  }
}

TEST_F(RenderVerbs, RenderingNeedsAClassAndAJsonDocument) {
  folder_.Write("p.json", "{}");
  EXPECT_EQ(Run({"render", "payload", "p.json"}).exit, 2);
  EXPECT_EQ(Run({"render", "payload", "--class", "x"}).exit, 2);
  EXPECT_EQ(Run({"render", "payload", "absent.json", "--class", "x"}).exit, 4);
  EXPECT_EQ(Run({"render", "payload", "-", "--class", "x"}, R"({"a":1,"a":2})").exit, 2);
  EXPECT_EQ(Run({"render", "payload", "-", "--class", "x"}, R"("\ud800")").exit, 2);
}

// channels.md 8.33
TEST_F(RenderVerbs, ARequestShowsWhatItsApproverSawAndThatTheDigestMatches) {
  Request(JsonObject{{"method", "DELETE"}, {"url", "https://api.example.com/v1/items/7"}});
  const RunResult shown = Run({"log", "show", "3", "--json"});
  ASSERT_EQ(shown.exit, 0) << shown.out << shown.err;
  const JsonObject answer = Answer(shown.out);
  EXPECT_EQ(Text(answer, "status"), "ok");
  const Json& record = answer.at("record");
  EXPECT_EQ(Text(record, "event"), "approval.requested");
  const Json& seen = answer.at("shown");
  EXPECT_EQ(Text(seen, "verdict"), "match");
  EXPECT_EQ(Text(seen, "recorded"), Text(record.at("payload"), "display_hash"));
  EXPECT_EQ(Text(seen, "derived"), base::Sha256Hex(Text(seen, "text")));
  EXPECT_NE(Text(seen, "text").find("url host: \"api.example.com\""), std::string::npos);
  const RunResult words = Run({"log", "show", "3"});
  EXPECT_NE(words.out.find("match: the approver saw exactly this"), std::string::npos);
  EXPECT_NE(words.out.find(Text(seen, "text")), std::string::npos);
}

// channels.md 8.6
TEST_F(RenderVerbs, ChangedPayloadBytesAreNeverShown) {
  Request(JsonObject{{"command", "true"}});
  folder_.Write(Stored(), R"({"command":"evil"})");
  const RunResult shown = Run({"log", "show", "3", "--json"});
  EXPECT_EQ(shown.exit, 1);
  const JsonObject answer = Answer(shown.out);
  EXPECT_EQ(Text(answer.at("shown"), "verdict"), "hash-mismatch");
  EXPECT_EQ(shown.out.find("evil"), std::string::npos);
  EXPECT_EQ(Run({"log", "show", "3"}).out.find("evil"), std::string::npos);
}

TEST_F(RenderVerbs, AMissingPayloadIsSaid) {
  Request(JsonObject{{"command", "true"}});
  std::filesystem::remove(folder_.Path(Stored()));
  const RunResult shown = Run({"log", "show", "3", "--json"});
  EXPECT_EQ(shown.exit, 1);
  EXPECT_EQ(Text(Answer(shown.out).at("shown"), "verdict"), "absent");
}

TEST_F(RenderVerbs, AnyOtherRecordIsShownAlone) {
  Request(JsonObject{{"command", "true"}});
  const RunResult shown = Run({"log", "show", "2", "--json"});
  ASSERT_EQ(shown.exit, 0) << shown.err;
  const JsonObject answer = Answer(shown.out);
  EXPECT_EQ(Text(answer.at("record"), "event"), "task.registered");
  EXPECT_FALSE(answer.contains("shown"));
}

TEST_F(RenderVerbs, ARecordThatIsNotThereIsRefused) {
  Request(JsonObject{{"command", "true"}});
  const RunResult absent = Run({"log", "show", "4", "--json"});
  EXPECT_EQ(absent.exit, 1);
  EXPECT_NE(absent.err.find("\"code\":\"absent\""), std::string::npos) << absent.err;
  for (const std::string seq : {"0", "-1", "3x", "1.0", "99999999999999999999999"}) {
    EXPECT_EQ(Run({"log", "show", seq}).exit, 2) << seq;
  }
  EXPECT_EQ(Run({"log", "show"}).exit, 2);
}

// channels.md 8.9
TEST_F(RenderVerbs, ACorruptLogShowsNothing) {
  Request(JsonObject{{"command", "true"}});
  std::string log = Log();
  log.replace(log.find("human:alice"), 11, "human:mable");
  folder_.Write(kLog, log);
  const RunResult shown = Run({"log", "show", "3"});
  EXPECT_EQ(shown.exit, 1);
  EXPECT_EQ(shown.out, "");
}

// The digests of another implementation are shown as they are (channels.md 2.1).
TEST_F(RenderVerbs, ADigestThatIsNotOursIsSaidToDiffer) {
  Request(JsonObject{{"command", "true"}});
  const std::string other(64, 'a');
  RewriteRequest([&](JsonObject& payload) { payload["display_hash"] = other; });
  const RunResult shown = Run({"log", "show", "3", "--json"});
  EXPECT_EQ(shown.exit, 1) << shown.err;
  const JsonObject answer = Answer(shown.out);
  EXPECT_EQ(Text(answer.at("shown"), "verdict"), "differs");
  EXPECT_EQ(Text(answer.at("shown"), "recorded"), other);
}

TEST_F(RenderVerbs, AnotherClassInTheRecordIsSaidToDiffer) {
  Request(JsonObject{{"command", "true"}});
  RewriteRequest([](JsonObject& payload) { payload["class"] = "files.read"; });
  EXPECT_EQ(Run({"log", "show", "3"}).exit, 1);
}

TEST_F(RenderVerbs, ARequestOfEarlierLevelsHasNoDigestToMatch) {
  Request(JsonObject{{"command", "true"}});
  RewriteRequest([](JsonObject& payload) { payload.erase("display_hash"); });
  const RunResult shown = Run({"log", "show", "3", "--json"});
  EXPECT_EQ(shown.exit, 0) << shown.err;
  const JsonObject answer = Answer(shown.out);
  EXPECT_EQ(Text(answer.at("shown"), "verdict"), "not-recorded");
  EXPECT_TRUE(answer.at("shown").at("recorded").is_null());
}

TEST_F(RenderVerbs, TextsOfARecordAreQuoted) {
  Request(JsonObject{{"command", "echo \x1b[2J\u202e"}});
  for (const std::string seq : {"2", "3"}) {
    const RunResult shown = Run({"log", "show", seq});
    EXPECT_EQ(shown.out.find('\x1b'), std::string::npos);
    EXPECT_EQ(shown.out.find("\u202e"), std::string::npos);
  }
}

TEST_F(RenderVerbs, RenderWritesTheQueueFileAndSaysWhatIsInIt) {
  Request(kLetter);
  const RunResult done = Run({"render", "--json"});
  ASSERT_EQ(done.exit, 0) << done.err;
  const JsonObject answer = Answer(done.out);
  const std::string file = testing::ReadText(folder_.Path(".approval/QUEUE.md"));
  EXPECT_EQ(answer.at("ok"), true);
  EXPECT_EQ(answer.at("out"), ".approval/QUEUE.md");
  EXPECT_EQ(answer.at("bytes"), file.size());
  EXPECT_EQ(answer.at("head").at("seq"), 3);
  EXPECT_EQ(answer.at("pending"), 1);
  EXPECT_EQ(answer.at("skipped"), 0);
  EXPECT_EQ(answer.at("audit_backlog"), 0);
  EXPECT_NE(file.find("### 1. `t:k`"), std::string::npos) << file;
  EXPECT_NE(file.find(Text(answer, "now")), std::string::npos);
  EXPECT_EQ(file.find(folder_.path()), std::string::npos) << "where the project lies is not told";
}

TEST_F(RenderVerbs, ARequestWhosePayloadIsGoneIsListedAsSuch) {
  Request(kLetter);
  std::filesystem::remove(folder_.Path(Stored()));
  EXPECT_EQ(Answer(Run({"render", "--json"}).out).at("skipped"), 1);
  const std::string file = testing::ReadText(folder_.Path(".approval/QUEUE.md"));
  EXPECT_NE(file.find("- `t:k`: `payload-unavailable`"), std::string::npos) << file;
}

// channels.md 8.9
TEST_F(RenderVerbs, ALogThatDoesNotVerifyLeavesTheOldFile) {
  Request(kLetter);
  ASSERT_EQ(Run({"render"}).exit, 0);
  const std::string before = testing::ReadText(folder_.Path(".approval/QUEUE.md"));
  const std::string log = Log();
  folder_.Write(kLog, log.substr(0, log.size() - 5));
  EXPECT_EQ(Run({"render"}).exit, 3);
  std::string changed = log;
  changed[changed.find("agent:a")] = 'A';
  folder_.Write(kLog, changed);
  EXPECT_EQ(Run({"render"}).exit, 1);
  std::filesystem::remove(folder_.Path(kLog));
  std::filesystem::create_directory(folder_.Path(kLog));
  EXPECT_EQ(Run({"render"}).exit, 4);
  EXPECT_EQ(testing::ReadText(folder_.Path(".approval/QUEUE.md")), before);
}

TEST_F(RenderVerbs, AFileThatCannotBeWrittenIsSaidAndNothingStaysBehind) {
  Request(kLetter);
  std::filesystem::remove(folder_.Path(".approval/QUEUE.md"));
  std::filesystem::create_directories(folder_.Path(".approval/QUEUE.md/in-the-way"));
  const RunResult refused = Run({"render", "--json"});
  EXPECT_EQ(refused.exit, 1);
  EXPECT_NE(refused.err.find("write-failed"), std::string::npos) << refused.err;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.Path(".approval"))) {
    EXPECT_EQ(entry.path().string().find(".tmp-"), std::string::npos) << entry.path();
  }
}

TEST_F(RenderVerbs, TheQueueIsATableAtATerminalAndLinesInAPipe) {
  Request(kLetter);
  const RunResult lines = Run({"queue"});
  EXPECT_TRUE(lines.out.starts_with("t:k  files.write  requested ")) << lines.out;
  EXPECT_EQ(std::count(lines.out.begin(), lines.out.end(), '\n'), 1);
  testing::Pty pty({testing::ApprovalProgram(), "queue"}, folder_.path(), environment_);
  EXPECT_EQ(pty.Wait(), 0);
  const std::string& table = pty.Screen();
  EXPECT_NE(table.find("1 request waiting, oldest first"), std::string::npos) << table;
  EXPECT_NE(table.find("1  just now  no limit  key t:k"), std::string::npos) << table;
  EXPECT_NE(table.find("files.write · asked by agent:a"), std::string::npos) << table;
}

}  // namespace
}  // namespace approval
