// A project in a temp folder, and the built programs run in it from the command line.
//
// Run passes `environment_` beside what every program gets, and waits for the end. Nothing is
// written before the first call; the folder goes with the object. Project serves classes that play
// recorded cases, ProjectTest fixtures.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/canonical.h"
#include "core/base/json.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"
#include "tests/support/vectors.h"

namespace approval::testing {

class Project {
 protected:
  RunResult Run(std::vector<std::string> words, const std::string& input = "") const {
    return RunApproval(std::move(words), {folder_.path(), input, environment_});
  }

  // The object that a program printed; the test fails when it printed anything else.
  static base::JsonObject Answer(const std::string& line) {
    const auto parsed = base::ParseJson(line, base::kStrictJson);
    EXPECT_TRUE(parsed && parsed->is_object()) << line;
    return parsed && parsed->is_object() ? parsed->as_object() : base::JsonObject{};
  }
  // A member of an object that is a text, else "(none)".
  static std::string Text(const base::Json& object, std::string_view name) {
    return std::string(base::StringMember(object.as_object(), name).value_or("(none)"));
  }

  // The policy file, not attested, with these lines below its version.
  void PutPolicy(const std::string& block) const {
    folder_.Write("APPROVAL.md", "```yaml approval-policy\nversion: \"0.1\"\n" + block + "```\n");
  }
  void PutManualPolicy() const { PutPolicy("defaults:\n  autonomy: manual\n"); }
  // The source map.
  void PutMap(const std::string& text, mode_t mode = 0600) const {
    folder_.Write(kMap, text);
    ASSERT_EQ(::chmod(folder_.Path(kMap).c_str(), mode), 0);
  }
  // A log that is not there fails the test.
  std::string Log() const { return ReadText(folder_.Path(kLog)); }

  // Declares a task with one action of this class whose key is `<task>:k`, and leaves the payload
  // beside it.
  void Register(const std::string& task, const std::string& action_class,
                const base::Json& payload) const {
    folder_.Write("payload.json", base::ToText(payload));
    folder_.Write("t.md", "---\nid: " + task +
                              "\napproval:\n  origin: { app: x, created_by: \"agent:a\" }\n"
                              "  state: proposed\n  actions:\n    - class: " +
                              action_class + "\n      idempotency_key: \"" + task +
                              ":k\"\n      payload_hash: \"" + *base::CanonicalHash(payload) +
                              "\"\n---\n");
    EXPECT_EQ(Run({"register", "t.md", "--as", "agent:a"}).exit, 0);
  }
  // Asks for the action of a registered task.
  RunResult Ask(const std::string& task) const {
    return Run({"request", task, "--action", task + ":k", "--payload", "payload.json", "--as",
                "agent:a", "--json"});
  }

  static constexpr const char* kLog = ".approval/log/events.jsonl";
  static constexpr const char* kMap = ".approval/env";
  static constexpr const char* kVault = ".approval/vault.enc";

  TempFolder folder_;
  std::map<std::string, std::string> environment_;
};

class ProjectTest : public ::testing::Test, protected Project {
 protected:
  using Project::Run;

  // Lays the project out for human:alice and puts these lines of policy in force.
  void StartAttested(const std::string& policy = "defaults:\n  autonomy: manual\n") {
    environment_["APPROVAL_HUMAN"] = "human:alice";
    ASSERT_EQ(Run({"init"}).exit, 0);
    PutPolicy(policy);
    ASSERT_EQ(Run({"policy", "attest"}).exit, 0);
  }
};

}  // namespace approval::testing
