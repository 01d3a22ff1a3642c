// Secrets with names that cannot be overlooked go through a whole life; afterwards everything that
// anybody can read is searched for them (DESIGN 4, adapters.md 1.7, field reports kind M).
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "core/base/encoding.h"
#include "core/base/files.h"
#include "tests/e2e/story.h"
#include "tests/support/vectors.h"

namespace approval {
namespace {

namespace fs = std::filesystem;

using testing::RunResult;

constexpr const char* kPassphrase = "planted-passphrase-4711";
constexpr const char* kPassword = "planted-password-4711";
constexpr const char* kBotToken = "4711:planted-bot-token";
constexpr const char* kKey = "task-1:send";

// The planted texts and the forms in which they travel.
std::vector<std::string> Planted() {
  std::vector<std::string> all;
  for (const std::string one : {kPassphrase, kPassword, kBotToken}) {
    all.push_back(one);
    all.push_back(base::Base64Encode(one));
    all.push_back(base::HexEncode(one));
  }
  std::string blob(1, '\0');
  blob += "robot" + std::string(1, '\0') + kPassword;
  all.push_back(base::Base64Encode(blob));
  return all;
}

// Whether this machine writes core files into the folder where a program died.
bool WritesCoreFiles() {
  std::ifstream pattern("/proc/sys/kernel/core_pattern");
  rlimit most{};
  ::getrlimit(RLIMIT_CORE, &most);
  return pattern.good() && pattern.peek() != '|' && most.rlim_max != 0;
}

class PlantedSecrets : public ::testing::Test {
 protected:
  PlantedSecrets() : story_(Options()) {
    story_.environment()["APPROVAL_VAULT_PASSPHRASE"] = kPassphrase;
    story_.environment()["APPROVAL_TG_TOKEN"] = kBotToken;
    story_.environment()["PLANTED"] = kPassword;
  }
  static testing::StoryOptions Options() {
    testing::StoryOptions options;
    options.mail_server = false;
    return options;
  }

  // Runs and keeps everything it said.
  RunResult Run(std::vector<std::string> words, const std::string& input = "") {
    RunResult run = story_.Run(std::move(words), input);
    said_ += run.out + run.err;
    return run;
  }

  void ExpectClean(const std::string& text, const std::string& what) {
    for (const std::string& one : Planted()) {
      EXPECT_EQ(text.find(one), std::string::npos) << what << " holds " << one;
    }
  }

  // Every file of the project but the sealed vault, whose bytes are searched as well.
  void ExpectCleanFiles() {
    std::size_t files = 0;
    for (const auto& one : fs::recursive_directory_iterator(story_.folder().path())) {
      if (!one.is_regular_file()) continue;
      ExpectClean(testing::ReadText(one.path()), one.path().string());
      ++files;
    }
    EXPECT_GE(files, 5U);
  }

  testing::Story story_;
  std::string said_;
};

TEST_F(PlantedSecrets, AreInNoOutputAndNoFileAfterEveryKindOfFailure) {
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, std::string>>{{"smtp.host", "localhost"},
                                                        {"smtp.port", "1"},
                                                        {"smtp.security", "starttls"},
                                                        {"smtp.user", "robot"}}) {
    EXPECT_EQ(Run({"vault", "set", name}, value).exit, 0);
  }
  EXPECT_EQ(Run({"vault", "set", "smtp.password", "--value-env", "PLANTED"}).exit, 0);
  // What a person does by mistake: the secret as an argument.
  EXPECT_EQ(Run({"vault", "set", "smtp.password", kPassword}).exit, 2);
  EXPECT_EQ(Run({"vault", "get", kPassword}).exit, 2);
  EXPECT_EQ(Run({"vault", "list", "--json"}).exit, 0);
  story_.RequestMail("task-1", kKey, testing::Story::SampleMail());
  EXPECT_EQ(Run({"grant", kKey}).exit, 0);
  Run({"adapter", "email", kKey, "--payload", "message.json", "--as", "agent:robot", "--dry-run"});
  // Nothing listens: the failure goes on record.
  EXPECT_EQ(
      Run({"adapter", "email", kKey, "--payload", "message.json", "--as", "agent:robot"}).exit, 1);
  Run({"doctor", "--port", "0", "--api-base", "http://127.0.0.1:1"});
  Run({"env", "--check"});
  Run({"queue", "--json"});
  Run({"log", "tail", "--json"});
  ExpectClean(said_, "an output");
  ExpectCleanFiles();
}

TEST_F(PlantedSecrets, AreInNoChildsEnvironmentAndInNoCommandLine) {
  // A supervised command that shows all that it can see of itself and of us.
  story_.folder().Write(
      "APPROVAL.md",
      "```yaml approval-policy\nversion: \"0.1\"\nclasses:\n  test.*: { autonomy: supervised "
      "}\n```\n");
  EXPECT_EQ(Run({"policy", "attest"}).exit, 0);
  const std::string look =
      "env; cat /proc/self/environ /proc/self/cmdline /proc/$PPID/cmdline; "
      "cat /proc/$PPID/environ 2>/dev/null | wc -c";
  story_.folder().Write("payload.json", base::ToText(base::JsonObject{
                                            {"argv", base::JsonArray{"/bin/sh", "-c", look}},
                                            {"cwd", story_.folder().path()}}));
  const std::string hash(
      *base::StringMember(story_.Json({"payload", "hash", "payload.json"}), "hash"));
  story_.folder().Write("task-2.md",
                        "---\nid: task-2\napproval:\n  origin: { app: story, created_by: "
                        "\"agent:robot\" }\n  state: proposed\n  actions:\n    - class: "
                        "test.look\n      idempotency_key: \"task-2:look\"\n      reversible: "
                        "true\n      payload_hash: \"" +
                            hash + "\"\n---\n");
  EXPECT_EQ(Run({"register", "task-2.md", "--as", "agent:robot"}).exit, 0);
  const RunResult run =
      Run({"run", "task-2:look", "--as", "agent:robot", "--", "/bin/sh", "-c", look});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_NE(run.out.find("PATH="), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("PLANTED="), std::string::npos) << "the child's own variables stay";
  std::string without_own = run.out;
  for (std::size_t at = 0; (at = without_own.find(kPassword)) != std::string::npos;) {
    without_own.erase(at, std::string(kPassword).size());
  }
  ExpectClean(without_own, "what a child sees");
}

TEST_F(PlantedSecrets, AProcessThatHoldsThemLeavesNoCoreFile) {
  const auto dies_with_core = [&](const std::vector<std::string>& words, bool planted) {
    const pid_t child = ::fork();
    if (child == 0) {
      if (::chdir(story_.folder().path().c_str()) != 0) ::_exit(126);
      const rlimit unlimited{RLIM_INFINITY, RLIM_INFINITY};
      ::setrlimit(RLIMIT_CORE, &unlimited);
      testing::RunOptions options;
      if (planted) options.environment = story_.environment();
      const std::vector<std::string> entries = testing::ChildEnvironment(options);
      std::vector<char*> argv = testing::Pointers(words);
      std::vector<char*> environment = testing::Pointers(entries);
      ::execvpe(argv[0], argv.data(), environment.data());
      ::_exit(127);
    }
    ::usleep(1'500'000);
    ::kill(child, SIGABRT);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status)) << words[0];
    return WIFSIGNALED(status) && WCOREDUMP(status);
  };
  EXPECT_FALSE(dies_with_core(
      {testing::ApprovalProgram(), "up", "--json", "--port", "0", "--no-telegram"}, true));
  // The same death of a program without the protection, for comparison: where the system writes
  // core files at all, this one leaves one.
  const bool plain = dies_with_core({"/bin/sleep", "60"}, false);
  EXPECT_EQ(plain, WritesCoreFiles()) << "the comparison says nothing about this machine";
  ExpectCleanFiles();
}

}  // namespace
}  // namespace approval
