// The hostile inputs of the shared vectors through the real program: what is refused is refused at
// the request with a code, and leaves nothing; what is accepted keeps every byte (kind L).
#include <filesystem>

#include "core/base/encoding.h"
#include "tests/cli/project.h"
#include "tests/support/hostile_vectors.h"

namespace approval {
namespace {

using testing::HostileInput;
using testing::RunResult;
using testing::TextOf;

class HostileDocuments : public testing::ProjectTest {
 protected:
  void SetUp() override { StartAttested(); }

  // The answer to a request for these bytes, under a class and a task of its own.
  RunResult Request(const std::string& task, const std::string& action_class,
                    const std::string& bytes) {
    folder_.Write("payload.json", bytes);
    // What has no hash is declared under one that nothing has.
    const auto parsed = base::ParseJson(bytes, base::kStrictJson);
    const std::string hash = parsed ? base::CanonicalHash(*parsed).value_or("") : "";
    const base::JsonObject action{{"class", action_class},
                                  {"idempotency_key", task + ":k"},
                                  {"payload_hash", hash.empty() ? std::string(64, '0') : hash}};
    folder_.Write("t.md", TaskText(task, action));
    EXPECT_EQ(Run({"register", "t.md", "--as", "agent:a"}).exit, 0) << task;
    before_ = Log();
    return Ask(task);
  }

  static std::string TaskText(const std::string& task, const base::JsonObject& action) {
    const base::JsonObject envelope{
        {"origin", base::JsonObject{{"app", "x"}, {"created_by", "agent:a"}}},
        {"state", "proposed"},
        {"actions", base::JsonArray{action}}};
    return "---\nid: " + base::ToText(base::Json(task)) + "\napproval: " + base::ToText(envelope) +
           "\n---\n";
  }

  static std::string ClassOf(const HostileInput& input) {
    const std::string type = Text(input.vector, "payload_type");
    if (type == "email") return "communicate.email.external";
    return type == "command" ? "process.run" : "files.write";
  }

  // What the vectors would rather see refused and our rules accept and show: documents up to a
  // depth of 512; the number that RFC 8785 makes of an integer beyond 2^53, which is what is
  // hashed, shown and acted on; a NUL in an argument, marked; unknown members, which make a payload
  // opaque.
  static bool IsShownInstead(const std::string& id) {
    return id == "HV-069" || id == "HV-077" || id == "HV-084" || id == "HV-086";
  }

  std::size_t Payloads() const {
    const std::filesystem::path store = folder_.Path(".approval/payloads");
    if (!std::filesystem::exists(store)) return 0;
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(store),
                                                  std::filesystem::directory_iterator()));
  }

  std::string before_;  // the log in front of the request
};

TEST_F(HostileDocuments, APayloadIsAcceptedOrRefusedAsItsVectorSays) {
  APPROVAL_REQUIRE_VECTORS();
  int number = 0;
  for (const HostileInput& input : testing::HostileInputs("payload")) {
    const std::string task = "task-" + std::to_string(++number);
    const RunResult asked = Request(task, ClassOf(input), base::ToText(input.payload));
    bool refuse = input.treat == "refuse";
    if (const base::Json* also = input.index.if_contains("also_ok")) {
      for (const base::Json& treat : also->get_array()) {
        if (TextOf(treat) == "refuse" && asked.exit != 0) refuse = true;
        if (TextOf(treat) == "show-escaped" && asked.exit == 0) refuse = false;
      }
    }
    // Shown as it is: `run` binds the words that it runs, and none is no command.
    if (input.id == "HV-068") refuse = false;
    EXPECT_EQ(asked.exit != 0, refuse) << input.id << " " << asked.err;
    if (asked.exit != 0) {
      EXPECT_EQ(Log(), before_) << input.id;
      const base::JsonObject answer = Answer(asked.err);
      EXPECT_NE(Text(answer.at("error"), "code"), "(none)") << input.id;
    }
  }
}

TEST_F(HostileDocuments, ADocumentThatIsNotStrictJsonIsRefusedAndLeavesNothing) {
  APPROVAL_REQUIRE_VECTORS();
  int number = 0;
  for (const HostileInput& input : testing::HostileInputs("raw-json")) {
    ASSERT_FALSE(input.bytes.empty()) << input.id;
    const std::string task = "task-" + std::to_string(++number);
    const std::size_t stored = Payloads();
    const RunResult asked = Request(task, ClassOf(input), input.bytes);
    const bool refuse = input.treat == "refuse" && !IsShownInstead(input.id);
    EXPECT_EQ(asked.exit != 0, refuse) << input.id << " " << asked.out << asked.err;
    if (!refuse) continue;
    EXPECT_EQ(Log(), before_) << input.id;
    EXPECT_EQ(Payloads(), stored) << input.id;
    EXPECT_FALSE(asked.err.empty()) << input.id;
  }
}

TEST_F(HostileDocuments, AClassOutsideTheGrammarNeverReachesTheLog) {
  APPROVAL_REQUIRE_VECTORS();
  int number = 0;
  for (const std::string& text : testing::HostileStrings("HV-087")) {
    // core.md 5.1 lets an envelope name these two.
    if (text == "-rf" || text == std::string(200, 'a')) continue;
    const std::string task = "task-" + std::to_string(++number);
    folder_.Write("t.md", TaskText(task, {{"class", text}, {"idempotency_key", "k"}}));
    const std::string before = Log();
    EXPECT_NE(Run({"register", "t.md", "--as", "agent:a", "--json"}).exit, 0) << text;
    EXPECT_EQ(Log(), before) << text;
  }
  EXPECT_EQ(number, 13);
}

TEST_F(HostileDocuments, NoTaskOrKeyBecomesAPathOutsideTheProject) {
  APPROVAL_REQUIRE_VECTORS();
  folder_.Write("payload.json", "{\"command\":\"true\"}");
  for (const std::string& text : testing::HostileStrings("HV-089")) {
    for (const bool as_task : {true, false}) {
      folder_.Write(
          "t.md", TaskText(as_task ? text : "task-1",
                           {{"class", "process.run"}, {"idempotency_key", as_task ? "k" : text}}));
      (void)Run({"register", "t.md", "--as", "agent:a", "--json"});
    }
    if (text.find('\0') != std::string::npos) continue;  // no argument can hold it
    (void)Run({"request", text, "--action", "k", "--payload", "payload.json", "--as", "agent:a",
               "--json"});
  }
  EXPECT_EQ(Run({"log", "verify"}).exit, 0);
  // Everything that was written lies where it belongs.
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(name == ".approval" || name == "APPROVAL.md" || name == ".gitignore" ||
                name == "t.md" || name == "payload.json")
        << name;
  }
  EXPECT_FALSE(std::filesystem::exists(
      std::filesystem::path(folder_.path()).parent_path().parent_path() / "etc/cron.d/x"));
}

TEST_F(HostileDocuments, AForgedRecordStaysInsideOneTextOfOneRecord) {
  APPROVAL_REQUIRE_VECTORS();
  int number = 0;
  for (const std::string& text : testing::HostileStrings("HV-094")) {
    const std::string task = "task-" + std::to_string(++number);
    ASSERT_EQ(Request(task, "process.run", "{\"command\":\"true\"}").exit, 0);
    const std::string before = Log();
    const RunResult rejected = Run({"reject", task + ":k", "--note", text, "--json"});
    EXPECT_EQ(rejected.exit, 0) << rejected.err;
    const std::string added = Log().substr(before.size());
    EXPECT_EQ(std::count(added.begin(), added.end(), '\n'), 1);
    EXPECT_EQ(Run({"log", "verify"}).exit, 0);
  }
  EXPECT_EQ(number, 2);
}

TEST_F(HostileDocuments, ADamagedLogIsNamedAndNothingIsDecidedOnIt) {
  APPROVAL_REQUIRE_VECTORS();
  ASSERT_EQ(Request("task-1", "process.run", "{\"command\":\"true\"}").exit, 0);
  ASSERT_EQ(Request("task-2", "process.run", "{\"command\":\"true\"}").exit, 0);
  const std::string sound = Log();
  for (const HostileInput& input : testing::HostileInputs("log-mutation")) {
    for (const base::Json& mutation : input.vector.at("mutations").get_array()) {
      std::string bytes = sound;
      const std::string op = TextOf(mutation.at("op"));
      const std::size_t last = bytes.rfind('\n', bytes.size() - 2) + 1;
      if (op == "truncate_last_line_to") {
        bytes.resize(last + static_cast<std::size_t>(*base::AsInteger(mutation.at("bytes"))));
      } else if (op == "append_b64") {
        bytes += base::Base64Decode(TextOf(mutation.at("data"))).value_or("?");
      } else {
        ASSERT_EQ(op, "replace_line");
        std::size_t begin = 0;
        for (std::int64_t line = *base::AsInteger(mutation.at("line")); line > 1; --line) {
          begin = bytes.find('\n', begin) + 1;
        }
        bytes.replace(begin, bytes.find('\n', begin) - begin,
                      base::Base64Decode(TextOf(mutation.at("data_b64"))).value_or("?"));
      }
      folder_.Write(kLog, bytes);
      const int verdict = Run({"log", "verify"}).exit;
      const int expected = input.treat == "torn-tail" ? 3 : 1;
      EXPECT_EQ(verdict, expected) << input.id << " " << base::ToText(mutation);
      EXPECT_NE(Run({"grant", "task-1:k"}).exit, 0) << input.id;
      EXPECT_EQ(Log(), bytes) << input.id;
    }
  }
}

// The issue's own list: each ends in a code or a readable screen.
TEST_F(HostileDocuments, DeepWideLongAndWrongDocumentsEndInACodeOrACard) {
  std::string deep(1000, '[');
  deep += std::string(1000, ']');
  EXPECT_NE(Request("deep", "process.run", deep).exit, 0);
  EXPECT_EQ(Log(), before_);
  std::string wide = "{";
  for (int i = 0; i < 100'000; ++i) {
    wide += (i == 0 ? "" : ",") + ("\"k" + std::to_string(i)) + "\":1";
  }
  EXPECT_EQ(Request("wide", "process.run", wide + "}").exit, 0);
  EXPECT_NE(Request("large", "process.run", "\"" + std::string(10 << 20, 'a') + "\"").exit, 0);
  EXPECT_EQ(Log(), before_);
  const RunResult line =
      Request("line", "process.run", "{\"command\":\"" + std::string(5 << 20, 'a') + "\"}");
  EXPECT_NE(line.exit, 0);
  EXPECT_NE(line.err.find("payload-too-large"), std::string::npos) << line.err;
  EXPECT_EQ(Log(), before_);
  EXPECT_EQ(Run({"queue"}).exit, 0);
  EXPECT_EQ(Run({"channel", "cli"}).exit, 0);
}

TEST_F(HostileDocuments, APolicyThatHidesWhatMayNotBeHiddenAsksAPersonForEverything) {
  PutPolicy(
      "defaults:\n  autonomy: autonomous\n"
      "channels:\n  cli:\n    prompt: { hide: [class] }\n");
  ASSERT_EQ(Run({"policy", "attest"}).exit, 0);
  const RunResult checked = Run({"policy", "check", "read.web", "--json"});
  EXPECT_NE(checked.out.find("may not hide"), std::string::npos) << checked.out;
  const base::JsonObject answer = Answer(checked.out);
  EXPECT_EQ(Text(answer, "provenance"), "fail-closed");
  EXPECT_EQ(Text(answer.at("outcome"), "autonomy"), "manual");
}

}  // namespace
}  // namespace approval
