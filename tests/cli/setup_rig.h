// A project in a temp folder, and `approval setup` at a terminal in it.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "tests/support/process.h"
#include "tests/support/pty.h"
#include "tests/support/temp_folder.h"
#include "tests/support/vectors.h"

namespace approval::testing {

class SetupTest : public ::testing::Test {
 protected:
  void SetUp() override {
    environment_ = {{"APPROVAL_HUMAN", "human:alice"},
                    {"HOME", folder_.path()},
                    {"DBUS_SESSION_BUS_ADDRESS", "unix:path=" + folder_.Path("no-bus")}};
    ASSERT_EQ(Run({"init"}).exit, 0);
  }
  RunResult Run(std::vector<std::string> words, const std::string& input = "") const {
    words.insert(words.begin(), ApprovalProgram());
    RunOptions options;
    options.folder = folder_.path();
    options.input = input;
    options.environment = environment_;
    return RunProcess(words, options);
  }
  Pty At(std::vector<std::string> words) const {
    words.insert(words.begin(), ApprovalProgram());
    return Pty(words, folder_.path(), environment_);
  }
  std::string Map() const { return std::filesystem::exists(MapPath()) ? ReadText(MapPath()) : ""; }
  std::string MapPath() const { return folder_.Path(".approval/env"); }
  void PutMap(const std::string& text, mode_t mode = 0600) const {
    folder_.Write(".approval/env", text);
    ASSERT_EQ(::chmod(MapPath().c_str(), mode), 0);
  }
  std::string LogBytes() const {
    const std::string path = folder_.Path(".approval/log/events.jsonl");
    return std::filesystem::exists(path) ? ReadText(path) : "";
  }
  static base::JsonObject Answer(const std::string& line) {
    const auto parsed = base::ParseJson(line, base::kStrictJson);
    EXPECT_TRUE(parsed && parsed->is_object()) << line;
    return parsed && parsed->is_object() ? parsed->as_object() : base::JsonObject{};
  }

  TempFolder folder_;
  std::map<std::string, std::string> environment_;
};

}  // namespace approval::testing

#define EXPECT_SEEN(pty, text) \
  ASSERT_TRUE((pty).WaitFor(text)) << "no \"" << (text) << "\" in\n" << (pty).Screen()
