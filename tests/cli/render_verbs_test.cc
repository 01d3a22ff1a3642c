// What auditors ask: `approval render payload` and `approval log show`, through the real program.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

#include "core/base/canonical.h"
#include "core/base/json.h"
#include "core/base/sha256.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"
#include "tests/support/vectors.h"

namespace approval {
namespace {

using base::Json;
using base::JsonObject;
using testing::RunResult;

Json Parsed(const std::string& text) {
  const auto parsed = base::ParseJson(text, base::kStrictJson);
  return parsed ? *parsed : Json(JsonObject{});
}

std::string Member(const Json& answer, std::string_view name) {
  return std::string(base::StringMember(answer.as_object(), name).value_or("(none)"));
}

class RenderVerbs : public ::testing::Test {
 protected:
  RunResult Run(std::vector<std::string> words, const std::string& input = "") const {
    words.insert(words.begin(), testing::ApprovalProgram());
    testing::RunOptions options;
    options.folder = folder_.path();
    options.input = input;
    return testing::RunProcess(words, options);
  }

  // A log of three records: the policy, the task, and the request of this payload as record 3.
  void Request(const Json& payload) {
    folder_.Write(
        "APPROVAL.md",
        "```yaml approval-policy\nversion: \"0.1\"\ndefaults:\n  autonomy: manual\n```\n");
    EXPECT_EQ(Run({"policy", "attest", "--as", "human:alice"}).exit, 0);
    hash_ = *base::CanonicalHash(payload);
    folder_.Write("payload.json", base::ToText(payload));
    folder_.Write("t.md",
                  "---\nid: t\napproval:\n  origin: { app: x, created_by: \"agent:a\" }\n"
                  "  state: proposed\n  actions:\n    - class: files.write\n"
                  "      idempotency_key: \"t:k\"\n      payload_hash: \"" +
                      hash_ + "\"\n---\n");
    EXPECT_EQ(Run({"register", "t.md", "--as", "agent:a"}).exit, 0);
    const RunResult asked = Run({"request", "t", "--action", "t:k", "--payload", "payload.json",
                                 "--as", "agent:a", "--json"});
    EXPECT_EQ(asked.exit, 0) << asked.err;
  }

  // The log with another request as record 3, its chain intact: a log of another writer.
  void RewriteRequest(const std::function<void(JsonObject&)>& change) const {
    const std::string log = testing::ReadText(folder_.Path(".approval/log/events.jsonl"));
    const std::size_t last = log.rfind('\n', log.size() - 2) + 1;
    JsonObject record = Parsed(log.substr(last)).as_object();
    change(record["payload"].as_object());
    record.erase("hash");
    record["hash"] = *base::CanonicalHash(record);
    folder_.Write(".approval/log/events.jsonl",
                  log.substr(0, last) + *base::Canonicalize(record) + "\n");
  }

  std::string Stored() const { return ".approval/payloads/" + hash_ + ".json"; }

  testing::TempFolder folder_;
  std::string hash_;
};

TEST_F(RenderVerbs, APayloadIsShownWithTheDigestOfExactlyThatText) {
  folder_.Write("p.json", R"({"base64":"YWJj"})");
  const RunResult json = Run({"render", "payload", "p.json", "--class", "x.y", "--json"});
  ASSERT_EQ(json.exit, 0) << json.err;
  const Json answer = Parsed(json.out);
  EXPECT_EQ(Member(answer, "renderer"), "approval/canonical/1");
  EXPECT_EQ(Member(answer, "kind"), "binary");
  EXPECT_EQ(Member(answer, "class"), "x.y");
  EXPECT_EQ(Member(answer, "payload_hash"), *base::CanonicalHash(Parsed(R"({"base64":"YWJj"})")));
  EXPECT_EQ(Member(answer, "display_hash"), base::Sha256Hex(Member(answer, "text")));
  const RunResult words = Run({"render", "payload", "p.json", "--class", "x.y"});
  EXPECT_EQ(words.out,
            Member(answer, "text") + "\ndisplay sha256: " + Member(answer, "display_hash") + "\n");
}

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

TEST_F(RenderVerbs, ARequestShowsWhatItsApproverSawAndThatTheDigestMatches) {
  Request(JsonObject{{"method", "DELETE"}, {"url", "https://api.example.com/v1/items/7"}});
  const RunResult shown = Run({"log", "show", "3", "--json"});
  ASSERT_EQ(shown.exit, 0) << shown.out << shown.err;
  const Json answer = Parsed(shown.out);
  EXPECT_EQ(Member(answer, "status"), "ok");
  const Json& record = answer.at("record");
  EXPECT_EQ(Member(record, "event"), "approval.requested");
  const Json& seen = answer.at("shown");
  EXPECT_EQ(Member(seen, "verdict"), "match");
  EXPECT_EQ(Member(seen, "recorded"), Member(record.at("payload"), "display_hash"));
  EXPECT_EQ(Member(seen, "derived"), base::Sha256Hex(Member(seen, "text")));
  EXPECT_NE(Member(seen, "text").find("url host: \"api.example.com\""), std::string::npos);
  const RunResult words = Run({"log", "show", "3"});
  EXPECT_NE(words.out.find("match: the approver saw exactly this"), std::string::npos);
  EXPECT_NE(words.out.find(Member(seen, "text")), std::string::npos);
}

TEST_F(RenderVerbs, ChangedPayloadBytesAreNeverShown) {
  Request(JsonObject{{"command", "true"}});
  folder_.Write(Stored(), R"({"command":"evil"})");
  const RunResult shown = Run({"log", "show", "3", "--json"});
  EXPECT_EQ(shown.exit, 1);
  const Json answer = Parsed(shown.out);
  EXPECT_EQ(Member(answer.at("shown"), "verdict"), "hash-mismatch");
  EXPECT_EQ(shown.out.find("evil"), std::string::npos);
  EXPECT_EQ(Run({"log", "show", "3"}).out.find("evil"), std::string::npos);
}

TEST_F(RenderVerbs, AMissingPayloadIsSaid) {
  Request(JsonObject{{"command", "true"}});
  std::filesystem::remove(folder_.Path(Stored()));
  const RunResult shown = Run({"log", "show", "3", "--json"});
  EXPECT_EQ(shown.exit, 1);
  EXPECT_EQ(Member(Parsed(shown.out).at("shown"), "verdict"), "absent");
}

TEST_F(RenderVerbs, AnyOtherRecordIsShownAlone) {
  Request(JsonObject{{"command", "true"}});
  const RunResult shown = Run({"log", "show", "2", "--json"});
  ASSERT_EQ(shown.exit, 0) << shown.err;
  const Json answer = Parsed(shown.out);
  EXPECT_EQ(Member(answer.at("record"), "event"), "task.registered");
  EXPECT_FALSE(answer.as_object().contains("shown"));
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

TEST_F(RenderVerbs, ACorruptLogShowsNothing) {
  Request(JsonObject{{"command", "true"}});
  std::string log = testing::ReadText(folder_.Path(".approval/log/events.jsonl"));
  log.replace(log.find("human:alice"), 11, "human:mable");
  folder_.Write(".approval/log/events.jsonl", log);
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
  const Json answer = Parsed(shown.out);
  EXPECT_EQ(Member(answer.at("shown"), "verdict"), "differs");
  EXPECT_EQ(Member(answer.at("shown"), "recorded"), other);
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
  const Json answer = Parsed(shown.out);
  EXPECT_EQ(Member(answer.at("shown"), "verdict"), "not-recorded");
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

}  // namespace
}  // namespace approval
