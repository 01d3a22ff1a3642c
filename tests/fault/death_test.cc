// Death at every step: the program that sends an approved mail is killed at each system call that
// leaves a trace, and what is left is looked at (adapters.md 2.5).
//
// Never two mails for one key, never a spent token without a record, never a record that claims
// more than is known. Of the many files opened every eighth is taken; APPROVAL_LONG=1 takes them
// all.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "core/base/files.h"
#include "tests/e2e/story.h"
#include "tests/support/vectors.h"
#include "vault/vault_format.h"

namespace approval {
namespace {

namespace fs = std::filesystem;

using testing::RunResult;

constexpr const char* kKey = "task-1:send";

// Calls that change a file, a socket or a name.
constexpr const char* kCalls =
    "openat,write,pwrite64,ftruncate,fdatasync,fsync,rename,renameat,renameat2,unlink,unlinkat,"
    "flock,connect,sendto,sendmsg,shutdown";

class Death : public ::testing::Test {
 protected:
  void SetUp() override {
    MakeTheVaultLight();
    story_.RequestMail("task-1", kKey, testing::Story::SampleMail());
    ASSERT_EQ(story_.Run({"grant", kKey}).exit, 0);
    fs::create_directory(story_.folder().Path("copies"));
  }

  // The same credentials under a quick key derivation: hundreds of runs open it.
  void MakeTheVaultLight() {
    const std::string path = story_.folder().Path(".approval/vault.enc");
    const base::Secret passphrase(story_.environment()["APPROVAL_VAULT_PASSPHRASE"]);
    auto opened = vault::OpenVaultText(testing::ReadText(path), passphrase);
    ASSERT_TRUE(opened);
    opened->kdf.n = 4096;
    base::SystemRandom random;
    const auto text = vault::SealVaultText(opened->kdf, opened->entries,
                                           *vault::DeriveVaultKey(opened->kdf, passphrase), random);
    ASSERT_TRUE(text);
    ASSERT_TRUE(base::ReplaceFile(path, *text, {0600, true, false}));
  }

  // A project of its own, as it was when the grant was given.
  std::string Copy() {
    const std::string name = story_.folder().Path("copies/" + std::to_string(++copies_));
    fs::create_directory(name);
    fs::copy(story_.folder().Path(".approval"), name + "/.approval", fs::copy_options::recursive);
    for (const char* file : {"APPROVAL.md", "message.json"}) {
      fs::copy(story_.folder().Path(file), name + "/" + file);
    }
    return name;
  }

  RunResult Send(const std::string& folder, std::vector<std::string> before = {}) {
    testing::RunOptions options;
    options.folder = folder;
    options.environment = story_.environment();
    std::vector<std::string> words = std::move(before);
    words.push_back(testing::ApprovalProgram());
    for (const char* word :
         {"adapter", "email", kKey, "--payload", "message.json", "--as", "agent:robot", "--json"}) {
      words.emplace_back(word);
    }
    return testing::RunProcess(words, options);
  }

  // Names of the records behind the grant, out of a log that must verify.
  std::vector<std::string> EventsAfterGrant(const std::string& folder) {
    testing::RunOptions options;
    options.folder = folder;
    options.environment = story_.environment();
    const RunResult verified =
        testing::RunProcess({testing::ApprovalProgram(), "log", "verify", "--json"}, options);
    EXPECT_EQ(verified.exit, 0) << verified.out << verified.err;
    const RunResult exported =
        testing::RunProcess({testing::ApprovalProgram(), "log", "export", "--json"}, options);
    std::vector<std::string> events;
    const auto parsed = base::ParseJson(exported.out, base::kLenientJson);
    if (!parsed) return events;
    bool granted = false;
    for (const base::Json& record : parsed->at("records").as_array()) {
      const std::string event(record.at("event").as_string());
      if (granted) events.push_back(event);
      granted = granted || event == "approval.granted";
    }
    return events;
  }

  // How often the main thread makes each call when nothing kills it.
  std::map<std::string, int> CountCalls() {
    const std::string trace = story_.folder().Path("trace");
    const RunResult run =
        Send(Copy(), {"strace", "-o", trace, "-e", std::string("trace=") + kCalls});
    EXPECT_EQ(run.exit, 0) << run.out << run.err;
    std::map<std::string, int> counts;
    const std::string text = testing::ReadText(trace);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const std::string line = text.substr(at, end - at);
      const std::size_t open = line.find('(');
      if (open != std::string::npos && line[0] >= 'a' && line[0] <= 'z') {
        ++counts[line.substr(0, open)];
      }
      at = end + 1;
    }
    return counts;
  }

  void CheckAfter(const std::string& folder, const std::string& where, std::size_t before) {
    const auto has = [](const std::vector<std::string>& events, const char* name) {
      return std::find(events.begin(), events.end(), name) != events.end();
    };
    const std::size_t first = story_.CountMails() - before;
    const auto events = EventsAfterGrant(folder);
    EXPECT_LE(first, 1U) << where;
    if (first == 1) {
      EXPECT_TRUE(has(events, "execution.started")) << where;
      EXPECT_FALSE(has(events, "execution.failed")) << where;
    }
    if (has(events, "execution.completed")) {
      EXPECT_EQ(first, 1U) << where;
    }
    const RunResult again = Send(folder);
    const std::size_t total = story_.CountMails() - before;
    EXPECT_LE(total, 1U) << where << ": two mails\n" << again.out << again.err;
    if (has(events, "execution.started")) {
      EXPECT_EQ(total, first) << where << ": a spent token sent again";
      EXPECT_EQ(again.exit, 1) << where;
      EXPECT_NE(again.err.find("token-consumed"), std::string::npos) << where << again.err;
      EXPECT_EQ(EventsAfterGrant(folder), events) << where << ": a refusal was recorded";
    } else {
      EXPECT_EQ(first, 0U) << where << ": sent before the start was on record";
      EXPECT_EQ(again.exit, 0) << where << ": nothing was spent, yet: " << again.err;
      EXPECT_EQ(total, 1U) << where;
    }
  }

  testing::Story story_;
  int copies_ = 0;
};

TEST_F(Death, AtEveryStepLeavesOneMailAtMostAndNoFalseRecord) {
  const std::map<std::string, int> counts = CountCalls();
  ASSERT_FALSE(counts.empty());
  const bool whole = std::getenv("APPROVAL_LONG") != nullptr;
  int kills = 0;
  for (const auto& [call, count] : counts) {
    // Opening files is harmless and frequent: the libraries at the start are passed over.
    const int step = whole ? 1 : call == "openat" ? 8 : 1;
    for (int n = 1 + (kills % step); n <= count; n += step) {
      const std::string folder = Copy();
      const std::size_t before = story_.CountMails();
      const std::string inject = "inject=" + call + ":signal=KILL:when=" + std::to_string(n);
      const RunResult killed = Send(folder, {"strace", "-qq", "-o", "/dev/null", "-e",
                                             std::string("trace=") + call, "-e", inject});
      EXPECT_NE(killed.exit, 0) << inject;
      CheckAfter(folder, call + " number " + std::to_string(n), before);
      fs::remove_all(folder);
      ++kills;
    }
  }
  EXPECT_GE(kills, 30);
  RecordProperty("kills", kills);
}

}  // namespace
}  // namespace approval
