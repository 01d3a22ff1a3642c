// vectors/gate/scenarios.json: command lines against the built program, in order, in one folder.
//
// The scenarios document level A. Where our level or the specification answers otherwise, the step
// is named below with the rule; everything else must agree in exit code, codes, states, numbers and
// hashes. Money compares by value: we write decimal strings.
#include <filesystem>
#include <set>

#include <boost/json/array.hpp>

#include "core/base/encoding.h"
#include "core/base/files.h"
#include "core/base/money.h"
#include "tests/cli/project.h"

namespace approval {
namespace {

using base::Json;
using base::JsonObject;
using testing::RunResult;

// Verbs of later issues; their steps are not run.
const std::set<std::string> kLaterVerbs = {"status", "reindex", "render", "audit",
                                           "daemon", "setup",   "doctor"};

struct Difference {
  std::string scenario;
  std::string argv;  // joined with blanks, as a prefix
  std::string rule;
};

#include "tests/cli/scenario_differences.inc"

std::string Joined(const base::JsonArray& argv) {
  std::string out;
  for (const Json& word : argv) out += (out.empty() ? "" : " ") + std::string(word.as_string());
  return out;
}

class Scenario : private testing::Project {
 public:
  explicit Scenario(const JsonObject& data) : data_(data), id_(*base::StringMember(data, "id")) {
    if (const Json* files = data_.if_contains("files")) {
      for (const auto& file : files->as_object()) {
        folder_.Write(std::string(file.key()), std::string(file.value().as_string()));
      }
    }
  }

  void Play() {
    std::size_t index = 0;
    for (const Json& step : data_.at("steps").as_array()) {
      SCOPED_TRACE(id_ + " step " + std::to_string(index++) + ": " + base::ToText(step));
      Step(step.as_object());
      if (diverged_) return;
    }
  }

  std::size_t ran() const { return ran_; }

 private:
  void Step(const JsonObject& step) {
    if (step.contains("argv")) return Call(step);
    if (const Json* write = step.if_contains("write")) {
      const JsonObject& file = write->as_object();
      folder_.Write(std::string(*base::StringMember(file, "path")),
                    std::string(*base::StringMember(file, "text")));
    } else if (const Json* append = step.if_contains("append")) {
      const JsonObject& file = append->as_object();
      const std::string path(*base::StringMember(file, "path"));
      folder_.Write(path, base::ReadFile(folder_.Path(path)).value_or("") +
                              std::string(*base::StringMember(file, "text")));
    } else if (const Json* replace = step.if_contains("replace_first")) {
      const JsonObject& file = replace->as_object();
      const std::string path(*base::StringMember(file, "path"));
      const std::string from(*base::StringMember(file, "from"));
      std::string text = base::ReadFile(folder_.Path(path)).value_or("");
      const std::size_t at = text.find(from);
      ASSERT_NE(at, std::string::npos);
      text.replace(at, from.size(), std::string(*base::StringMember(file, "to")));
      folder_.Write(path, text);
    } else if (const Json* remove = step.if_contains("remove")) {
      std::filesystem::remove_all(folder_.Path(std::string_view(remove->as_string())));
    } else if (const Json* made = step.if_contains("mkdir")) {
      std::filesystem::create_directories(folder_.Path(std::string_view(made->as_string())));
    } else if (const Json* exists = step.if_contains("exists")) {
      EXPECT_EQ(std::filesystem::exists(folder_.Path(std::string_view(exists->as_string()))),
                step.at("expect").as_bool());
    } else if (const Json* cat = step.if_contains("cat")) {
      EXPECT_EQ(base::ReadFile(folder_.Path(std::string_view(cat->as_string()))).value_or(""),
                std::string(step.at("expect").as_string()));
    } else if (step.contains("sleep_ms")) {
      ::usleep(static_cast<unsigned>(step.at("sleep_ms").as_int64()) * 1000);
    } else {
      ADD_FAILURE() << "unknown step";
    }
  }

  void Call(const JsonObject& step) {
    const base::JsonArray& words = step.at("argv").as_array();
    if (!words.empty() && kLaterVerbs.contains(std::string(words.at(0).as_string()))) return;
    std::vector<std::string> argv;
    for (const Json& word : words) {
      argv.push_back(word.as_string() == "$TOKEN" ? token_ : std::string(word.as_string()));
    }
    environment_.clear();
    if (const Json* env = step.if_contains("env")) {
      for (const auto& entry : env->as_object()) {
        environment_[std::string(entry.key())] = std::string(entry.value().as_string());
      }
    }
    const RunResult result = Run(argv, std::string(base::StringMember(step, "stdin").value_or("")));
    ++ran_;
    Remember(result);
    for (const Difference& difference : kDifferences) {
      const std::string line = Joined(words);
      if (difference.scenario == id_ && line.rfind(difference.argv, 0) == 0) {
        // What follows in this folder builds on the reference's answer.
        diverged_ = difference.rule.rfind("stop:", 0) == 0;
        return;
      }
    }
    EXPECT_EQ(result.exit, step.at("exit").as_int64()) << result.out << result.err;
    Compare(step.at("stdout"), result.out, "stdout");
    Compare(step.at("stderr"), result.err, "stderr");
  }

  void Remember(const RunResult& result) {
    const auto parsed = base::ParseJson(result.out, base::kLenientJson);
    if (!parsed || !parsed->is_object()) return;
    if (const auto token = base::StringMember(parsed->get_object(), "token")) token_ = *token;
  }

  // Free text compares as anything; placeholders by their kind.
  void Compare(const Json& expected, const std::string& text, const std::string& where) {
    if (expected.is_null()) {
      EXPECT_EQ(text, "") << where;
      return;
    }
    if (!expected.is_object()) return;  // prose, ours to write
    if (const Json* lines = expected.get_object().if_contains("lines")) {
      for (const Json& line : lines->as_array()) {
        if (line.is_object()) {
          EXPECT_NE(text.find('{'), std::string::npos);
          Match(line, LastJson(text), where);
        }
      }
      return;
    }
    Match(expected, LastJson(text), where);
  }

  static Json LastJson(const std::string& text) {
    Json found;
    std::size_t start = 0;
    while (start < text.size()) {
      const std::size_t end = std::min(text.find('\n', start), text.size());
      auto parsed = base::ParseJson(text.substr(start, end - start), base::kLenientJson);
      if (parsed && parsed->is_object()) found = *parsed;
      start = end + 1;
    }
    return found;
  }

  void Match(const Json& expected, const Json& actual, const std::string& where) {
    if (expected.is_object()) {
      ASSERT_TRUE(actual.is_object()) << where << " " << base::ToText(actual);
      for (const auto& member : expected.get_object()) {
        const Json* ours = actual.get_object().if_contains(member.key());
        ASSERT_NE(ours, nullptr) << where << "/" << member.key() << " missing in "
                                 << base::ToText(actual);
        Match(member.value(), *ours, where + "/" + std::string(member.key()));
      }
      return;
    }
    if (expected.is_array()) {
      ASSERT_TRUE(actual.is_array()) << where;
      ASSERT_EQ(actual.get_array().size(), expected.get_array().size())
          << where << " " << base::ToText(actual);
      for (std::size_t i = 0; i < expected.get_array().size(); ++i) {
        Match(expected.at(i), actual.at(i), where + "/" + std::to_string(i));
      }
      return;
    }
    if (expected.is_string()) return MatchText(std::string(expected.get_string()), actual, where);
    if (const auto number = base::AsDouble(expected)) {
      // Money and counts of budgets are decimal strings at our level.
      if (actual.is_string()) {
        const std::string text(actual.get_string());
        EXPECT_NEAR(std::stod(text), *number, 1e-9) << where;
      } else {
        EXPECT_EQ(base::AsDouble(actual), number) << where;
      }
      return;
    }
    EXPECT_EQ(actual, expected) << where;
  }

  void MatchText(std::string expected, const Json& actual, const std::string& where) {
    if (expected == "…") return;
    if (expected == "<n>") {
      EXPECT_TRUE(base::AsDouble(actual)) << where;
      return;
    }
    if (expected.rfind("<list", 0) == 0) {
      EXPECT_TRUE(actual.is_array()) << where;
      return;
    }
    ASSERT_TRUE(actual.is_string()) << where << " " << base::ToText(actual);
    const std::string text(actual.get_string());
    if (expected == "<ts>" || expected.find("…") != std::string::npos) return;
    if (expected == "<hex64>" || expected == "<token>") {
      EXPECT_TRUE(base::IsHex64(text)) << where;
      return;
    }
    if (const std::size_t at = expected.find("<dir>"); at != std::string::npos) {
      expected.replace(at, 5, folder_.path());
    }
    EXPECT_EQ(text, expected) << where;
  }

  const JsonObject& data_;
  std::string id_;
  std::string token_;
  std::size_t ran_ = 0;
  bool diverged_ = false;
};

TEST(GateScenarios, EveryStepAnswersAsRecordedOrByANamedRule) {
  APPROVAL_REQUIRE_VECTORS();
  const Json scenarios = testing::ReadJsonFile(testing::VectorsDir() / "gate" / "scenarios.json");
  std::size_t ran = 0;
  for (const Json& data : scenarios.as_array()) {
    Scenario scenario(data.as_object());
    scenario.Play();
    ran += scenario.ran();
  }
  EXPECT_GT(ran, 300U);
}

}  // namespace
}  // namespace approval
