// Every answer of vectors/log at the command line: `log verify` as JSON and as text, `queue`,
// `log tail -n 1`, and an append by `policy attest`, against the built program.
#include <algorithm>
#include <filesystem>
#include <set>

#include "tests/cli/project.h"

namespace approval {
namespace {

namespace fs = std::filesystem;
using base::Json;
using base::JsonObject;
using testing::RunResult;

// Level N reads the records of these logs (spec README item 1).
const std::set<std::string> kReadableAtLevelN = {"schema-daemon-member", "schema-newer-event"};

std::vector<fs::path> Cases() {
  std::vector<fs::path> cases;
  for (const auto& entry : fs::directory_iterator(testing::VectorsDir() / "log")) {
    if (entry.is_directory()) cases.push_back(entry.path());
  }
  std::sort(cases.begin(), cases.end());
  return cases;
}

class Case : private testing::Project {
 public:
  explicit Case(const fs::path& folder) : expect_(testing::ReadJsonFile(folder / "expect.json")) {
    if (fs::exists(folder / "events.jsonl")) {
      folder_.Write(kLog, testing::ReadText(folder / "events.jsonl"));
    }
    const fs::path own = folder / "APPROVAL.md";
    const fs::path shared = testing::VectorsDir() / "log" / "APPROVAL.md";
    folder_.Write("APPROVAL.md", testing::ReadText(fs::exists(own) ? own : shared));
  }

  using Project::Run;

  const JsonObject& Expected(const char* name) const { return expect_.at(name).as_object(); }

 private:
  Json expect_;
};

Json Parsed(const std::string& text) {
  const auto parsed = base::ParseJson(text, base::kLenientJson);
  return parsed ? *parsed : Json(nullptr);
}

// Members of `expected` that carry a meaning must be equal; sentences and run-dependent values may
// differ.
void ExpectSame(const Json& expected, const Json& actual, const std::string& where) {
  if (expected.is_object()) {
    ASSERT_TRUE(actual.is_object()) << where << ": " << base::ToText(actual);
    for (const auto& member : expected.get_object()) {
      const Json* ours = actual.get_object().if_contains(member.key());
      if (member.key() == "message" || member.key() == "warning") continue;
      ASSERT_NE(ours, nullptr) << where << "/" << member.key();
      ExpectSame(member.value(), *ours, where + "/" + std::string(member.key()));
    }
    return;
  }
  if (expected.is_array()) {
    ASSERT_TRUE(actual.is_array()) << where;
    ASSERT_EQ(actual.get_array().size(), expected.get_array().size()) << where;
    for (std::size_t i = 0; i < expected.get_array().size(); ++i) {
      ExpectSame(expected.at(i), actual.at(i), where + "/" + std::to_string(i));
    }
    return;
  }
  if (expected.is_string() && expected.get_string().find("…") != std::string::npos) return;
  if (expected.is_string() && expected.get_string().starts_with("<dir>")) return;
  if (base::AsDouble(expected)) {
    EXPECT_EQ(base::AsDouble(actual), base::AsDouble(expected)) << where;
    return;
  }
  EXPECT_EQ(actual, expected) << where;
}

void ExpectAnswer(const JsonObject& expected, const RunResult& result, const std::string& what) {
  EXPECT_EQ(result.exit, expected.at("exit").as_int64()) << what << result.out << result.err;
  // Answers that JSON cannot carry well are not recorded.
  const Json* out = expected.if_contains("stdout");
  const Json* err = expected.if_contains("stderr");
  if (out != nullptr && out->is_object()) ExpectSame(*out, Parsed(result.out), what);
  if (out != nullptr && out->is_null()) {
    EXPECT_EQ(result.out, "") << what;
  }
  if (err != nullptr && err->is_object()) ExpectSame(*err, Parsed(result.err), what);
}

TEST(LogVerdicts, VerifyAnswersAsTheReferenceDoesInJsonAndInWords) {
  APPROVAL_REQUIRE_VECTORS();
  for (const fs::path& folder : Cases()) {
    const std::string id = folder.filename().string();
    if (kReadableAtLevelN.contains(id)) continue;
    SCOPED_TRACE(id);
    Case one(folder);
    ExpectAnswer(one.Expected("verify"), one.Run({"log", "verify", "--json"}), "verify");
    const RunResult words = one.Run({"log", "verify"});
    const JsonObject& text = one.Expected("verify_text");
    EXPECT_EQ(words.exit, text.at("exit").as_int64());
    // The first line is fixed: status and head, or the reason and the place.
    for (const auto& [stream, ours] : {std::pair("stdout", words.out), {"stderr", words.err}}) {
      const std::string theirs(base::StringMember(text, stream).value_or(""));
      if (theirs.rfind("approval: ", 0) == 0) continue;  // prose, ours to write
      EXPECT_EQ(ours.substr(0, ours.find('\n')), theirs.substr(0, theirs.find('\n'))) << stream;
    }
  }
}

TEST(LogVerdicts, TailAnswersAsTheReferenceDoes) {
  APPROVAL_REQUIRE_VECTORS();
  for (const fs::path& folder : Cases()) {
    const std::string id = folder.filename().string();
    if (kReadableAtLevelN.contains(id)) continue;
    SCOPED_TRACE(id);
    Case one(folder);
    ExpectAnswer(one.Expected("tail"), one.Run({"log", "tail", "-n", "1", "--json"}), "tail");
  }
}

TEST(LogVerdicts, TheQueueIsListedOrRefusedAsTheReferenceDoes) {
  APPROVAL_REQUIRE_VECTORS();
  for (const fs::path& folder : Cases()) {
    const std::string id = folder.filename().string();
    if (kReadableAtLevelN.contains(id)) continue;
    SCOPED_TRACE(id);
    Case one(folder);
    const JsonObject& expected = one.Expected("queue");
    const RunResult result = one.Run({"queue", "--json"});
    EXPECT_EQ(result.exit, expected.at("exit").as_int64()) << result.out << result.err;
    if (expected.at("stderr").is_object()) {
      ExpectSame(expected.at("stderr"), Parsed(result.err), "queue");
    }
  }
}

TEST(LogVerdicts, AnAttestationIsAppendedOrRefusedAsTheReferenceDoes) {
  APPROVAL_REQUIRE_VECTORS();
  for (const fs::path& folder : Cases()) {
    SCOPED_TRACE(folder.filename().string());
    Case one(folder);
    ExpectAnswer(one.Expected("append"),
                 one.Run({"policy", "attest", "--as", "human:alice", "--json"}), "append");
  }
}

}  // namespace
}  // namespace approval
