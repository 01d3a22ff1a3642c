// Programs that serve as adapters: what reaches them, what their answers mean, and how they end.
#include "vault/adapters/program_adapter.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "core/base/canonical.h"
#include "core/base/sha256.h"
#include "tests/support/adapter_project.h"
#include "vault/adapters/conformance.h"
#include "vault/adapters/sealed_program.h"

namespace approval::adapters {
namespace {

using base::Json;
using base::JsonArray;
using base::JsonObject;
using testing::TextOf;

constexpr const char* kClass = "sample.program.run";
constexpr const char* kSecret = "program-secret-0001";

// What a program answers in most tests before it does anything else.
constexpr const char* kReady =
    "read -r line\ncase \"$line\" in *'\"step\":\"act\"'*) ;; *) "
    "echo '{\"ok\":true,\"detail\":{}}'; exit 0;; esac\n";

class ProgramAdapterTest : public ::testing::Test {
 protected:
  void SetUp() override {
    project_.Store("sample.place", "kitchen");
    project_.Store("sample.key", kSecret);
    project_.Store("other.key", "not-for-this-program");
    project_.Seal();
  }

  std::string Write(const std::string& body, const std::string& name = "program") {
    project_.folder().Write(name, body);
    const std::string path = project_.folder().Path(name);
    ::chmod(path.c_str(), 0700);
    return path;
  }

  ProgramManifest Manifest(const std::string& path) const {
    ProgramManifest manifest;
    manifest.name = "sample";
    manifest.program = path;
    manifest.sha256 = base::Sha256Hex(testing::ReadText(path));
    manifest.classes = {kClass};
    manifest.credentials = {{"sample.place", CredentialKind::kConfig, true, "place", "", "", ""},
                            {"sample.key", CredentialKind::kSecret, true, "key", "", "", ""}};
    manifest.timeout_ms = 5000;
    return manifest;
  }

  // The answer of an approved run of a shell program that is ready and then does this.
  Executed RunShell(const std::string& act, std::int64_t timeout_ms = 5000) {
    ProgramManifest manifest = Manifest(Write("#!/bin/sh\n" + std::string(kReady) + act));
    manifest.timeout_ms = timeout_ms;
    ProgramAdapter adapter(std::move(manifest));
    return Run(adapter);
  }

  Executed Run(Adapter& adapter) {
    const std::string key = "t" + std::to_string(++tasks_) + ":k";
    const std::string token = project_.Granted(key, kClass, payload_);
    return project_.Run(adapter, key, token, payload_);
  }

  std::string Seen(const std::string& name) {
    return testing::ReadText(project_.folder().Path(name));
  }

  testing::AdapterProject project_;
  Json payload_ = JsonObject{{"b", 1}, {"a", "ü\n"}};
  int tasks_ = 0;
};

TEST_F(ProgramAdapterTest, AnApprovedRunGivesTheProgramsDetailAndReference) {
  const Executed done =
      RunShell("echo '{\"ok\":true,\"detail\":{\"n\":7},\"provider_ref\":\"id-7\"}'\n");
  ASSERT_TRUE(done.ok) << base::ToText(done.answer);
  EXPECT_EQ(base::AsInteger(done.answer.at("detail").at("n")), 7);
  EXPECT_EQ(TextOf(done.answer.at("provider_ref").as_object(), "id"), "id-7");
}

TEST_F(ProgramAdapterTest, TheProgramGetsOneLineWithTheBoundPayloadAndItsOwnCredentialsOnly) {
  const std::string path = project_.folder().Path("seen");
  const Executed done = RunShell("printf '%s' \"$line\" > " + path + "\necho '{\"ok\":true}'\n");
  ASSERT_TRUE(done.ok) << base::ToText(done.answer);
  const auto seen = base::ParseJson(Seen("seen"), base::kStrictJson);
  ASSERT_TRUE(seen) << Seen("seen");
  const JsonObject& line = seen->as_object();
  EXPECT_EQ(TextOf(line, "contract"), "approval/adapter/1");
  EXPECT_EQ(TextOf(line, "step"), "act");
  EXPECT_EQ(TextOf(line, "action_key"), "t1:k");
  EXPECT_EQ(line.at("payload"), payload_);
  EXPECT_EQ(TextOf(line, "payload_hash"), *base::CanonicalHash(payload_));
  EXPECT_EQ(line.at("credentials"),
            Json(JsonObject{{"sample.place", "kitchen"}, {"sample.key", kSecret}}));
}

TEST_F(ProgramAdapterTest, TheProgramHasPathAndLanguageAndNothingElseAroundIt) {
  const std::string path = project_.folder().Path("around");
  ::setenv("APPROVAL_VAULT_PASSPHRASE", "never-for-a-child", 1);
  const int open_here = ::dup(0);
  const Executed done =
      RunShell("{ env; pwd; ls /proc/self/fd; } > " + path + "\necho '{\"ok\":true}'\n");
  ::unsetenv("APPROVAL_VAULT_PASSPHRASE");
  ::close(open_here);
  ASSERT_TRUE(done.ok) << base::ToText(done.answer);
  const std::string seen = Seen("around");
  EXPECT_EQ(seen.find("never-for-a-child"), std::string::npos);
  EXPECT_EQ(seen.find("HOME="), std::string::npos);
  EXPECT_NE(seen.find("PATH=/usr/local/bin:/usr/bin:/bin\n"), std::string::npos);
  EXPECT_NE(seen.find("\n/\n"), std::string::npos);
  // 0 to 2, the sealed copy of a script, and the folder that `ls` itself reads.
  EXPECT_EQ(seen.find("\n5\n"), std::string::npos) << seen;
}

TEST_F(ProgramAdapterTest, ABinaryRunsAsWellAsAScript) {
  // `cat` gives the line back: a JSON object without "ok", which is no answer of the contract.
  ProgramAdapter adapter(Manifest("/bin/cat"));
  const Executed done = Run(adapter);
  EXPECT_EQ(TextOf(done.answer, "adapter_code"), "adapter-program-failed");
  EXPECT_EQ(TextOf(done.answer, "code"), "adapter-precheck-refused");
  EXPECT_NE(TextOf(done.answer, "message").find("no JSON object of the contract"),
            std::string::npos);
}

TEST_F(ProgramAdapterTest, AChangedProgramIsRefusedBeforeTheSpendAndNeverRuns) {
  const std::string ran = project_.folder().Path("ran");
  ProgramManifest manifest = Manifest(Write("#!/bin/sh\necho '{\"ok\":true}'\n"));
  Write("#!/bin/sh\ntouch " + ran + "\necho '{\"ok\":true}'\n");
  ProgramAdapter adapter(std::move(manifest));
  const std::string token = project_.Granted("t1:k", kClass, payload_);
  const std::string before = project_.LogBytes();
  const Executed done = project_.Run(adapter, "t1:k", token, payload_);
  EXPECT_EQ(TextOf(done.answer, "adapter_code"), "adapter-program-changed");
  EXPECT_EQ(project_.LogBytes(), before);
  EXPECT_FALSE(std::ifstream(ran).good());
}

TEST_F(ProgramAdapterTest, AProgramThatChangesAfterItsPrecheckDoesNotAct) {
  const std::string own = project_.folder().Path("program");
  const std::string ran = project_.folder().Path("ran");
  // The precheck of this one replaces the file that is to act.
  ProgramAdapter adapter(
      Manifest(Write("#!/bin/sh\nprintf '#!/bin/sh\\ntouch " + ran + "\\n' > " + own + ".new; mv " +
                     own + ".new " + own + "\necho '{\"ok\":true}'\n")));
  const Executed done = Run(adapter);
  EXPECT_EQ(TextOf(done.answer, "adapter_code"), "adapter-program-changed");
  EXPECT_EQ(TextOf(done.answer, "outcome"), "execution.failed");
  EXPECT_FALSE(std::ifstream(ran).good());
}

TEST_F(ProgramAdapterTest, AMissingProgramOrOneThatCannotBeExecutedIsAKnownRefusal) {
  ProgramManifest gone = Manifest("/bin/cat");
  gone.program = project_.folder().Path("gone");
  ProgramAdapter missing(std::move(gone));
  EXPECT_EQ(TextOf(Run(missing).answer, "adapter_code"), "adapter-program-missing");
  ProgramAdapter broken(
      Manifest(Write("\x7f"
                     "ELF is not enough")));
  const Executed done = Run(broken);
  EXPECT_EQ(TextOf(done.answer, "adapter_code"), "adapter-program-failed");
  EXPECT_NE(TextOf(done.answer, "message").find("cannot be executed"), std::string::npos);
}

TEST_F(ProgramAdapterTest, AStatedRefusalInActIsAFailureWithTheProgramsCode) {
  const Executed done =
      RunShell("echo '{\"ok\":false,\"code\":\"shop-closed\",\"message\":\"no\"}'\n");
  EXPECT_EQ(TextOf(done.answer, "code"), "adapter-failed");
  EXPECT_EQ(TextOf(done.answer, "adapter_code"), "shop-closed");
  EXPECT_EQ(TextOf(done.answer, "outcome"), "execution.failed");
}

TEST_F(ProgramAdapterTest, AProgramThatSaysItDoesNotKnowIsBelieved) {
  const Executed done =
      RunShell("echo '{\"unknown\":true,\"code\":\"lost\",\"message\":\"the line went dead\"}'\n");
  EXPECT_EQ(TextOf(done.answer, "code"), "execution-indeterminate");
  EXPECT_EQ(TextOf(done.answer, "adapter_code"), "lost");
}

TEST_F(ProgramAdapterTest, AnythingButAClearAnswerOfActIsUnknown) {
  const std::vector<std::string> endings = {
      "exit 0\n",                                     // nothing
      "echo garbage\n",                               // no JSON
      "echo '[]'\n",                                  // no object
      "echo '{\"fine\":true}'\n",                     // another object
      "echo '{\"ok\":true}{\"ok\":true}'\n",          // two
      "echo '{\"ok\":true}'\nexit 3\n",               // an answer, and a failure
      "kill -9 $$\n",                                 // a crash
      "head -c 1200000 /dev/zero | tr '\\0' 'x'\n"};  // too much
  for (const std::string& ending : endings) {
    const Executed done = RunShell(ending);
    EXPECT_EQ(TextOf(done.answer, "code"), "execution-indeterminate") << ending;
    EXPECT_EQ(TextOf(done.answer, "outcome"), "execution.indeterminate") << ending;
    EXPECT_EQ(TextOf(done.answer, "adapter_code"), "adapter-program-failed") << ending;
  }
}

TEST_F(ProgramAdapterTest, TheSameBeforeActIsARefusalThatCostsNothing) {
  const std::string token = project_.Granted("t1:k", kClass, payload_);
  const std::string before = project_.LogBytes();
  for (const char* body : {"exit 0\n", "echo garbage\n", "kill -9 $$\n",
                           "echo '{\"unknown\":true}'\n", "echo '{\"ok\":false}'\n"}) {
    ProgramAdapter adapter(Manifest(Write("#!/bin/sh\n" + std::string(body))));
    const Executed done = project_.Run(adapter, "t1:k", token, payload_);
    EXPECT_EQ(TextOf(done.answer, "code"), "adapter-precheck-refused") << body;
  }
  EXPECT_EQ(project_.LogBytes(), before);
}

// Whether a process runs; one that nobody has collected yet does not.
bool Runs(const std::string& pid) {
  std::ifstream in("/proc/" + pid + "/stat");
  std::string stat;
  std::getline(in, stat);
  const std::size_t name_end = stat.rfind(')');
  return name_end != std::string::npos && stat.compare(name_end + 2, 1, "Z") != 0;
}

TEST_F(ProgramAdapterTest, AtItsDeadlineTheProgramAndItsWholeGroupAreStopped) {
  const std::string pids = project_.folder().Path("pids");
  const Executed done =
      RunShell("sleep 60 &\necho $! > " + pids + "\necho $$ >> " + pids + "\nsleep 60\n", 2500);
  EXPECT_EQ(TextOf(done.answer, "code"), "execution-indeterminate");
  EXPECT_NE(TextOf(done.answer, "message").find("deadline"), std::string::npos);
  std::ifstream in(pids);
  std::string pid;
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(std::getline(in, pid));
    EXPECT_FALSE(Runs(pid));
  }
}

TEST_F(ProgramAdapterTest, AChildThatKeepsTheOutputOpenIsNotWaitedFor) {
  const Executed done = RunShell("sleep 60 &\necho '{\"ok\":true}'\n");
  EXPECT_TRUE(done.ok) << base::ToText(done.answer);
}

TEST_F(ProgramAdapterTest, AFloodOnStandardErrorDoesNotHoldAnAnswerUp) {
  const Executed done =
      RunShell("head -c 3000000 /dev/zero | tr '\\0' 'x' >&2\necho '{\"ok\":true}'\n");
  EXPECT_TRUE(done.ok) << base::ToText(done.answer);
}

TEST_F(ProgramAdapterTest, WhatStandardErrorSaysIsRedactedAndNeverOnRecord) {
  const Executed done = RunShell(
      "echo \"$line\" | tr ',' '\\n' | grep sample.key >&2\n"
      "echo \"$line\" | grep -o 'program-secret-[0-9]*' >&2\nexit 1\n");
  const std::string all = base::ToText(done.answer) + done.error->message;
  EXPECT_EQ(all.find(kSecret), std::string::npos);
  EXPECT_NE(all.find("[redacted]"), std::string::npos);
  EXPECT_EQ(project_.LogBytes().find("redacted"), std::string::npos);
}

TEST_F(ProgramAdapterTest, ASecretInTheAnswerIsTakenOutInItsEscapedFormToo) {
  project_.Store("sample.key", "quote\"back\\slash-0001");
  project_.Seal();
  const Executed done = RunShell(
      "key=$(printf '%s' \"$line\" | sed 's/.*\"sample.key\":\"//; "
      "s/\"}}$//; s/\"},.*$//')\n"
      "printf '{\"ok\":true,\"detail\":{\"k\":\"%s\"}}' \"$key\"\n");
  ASSERT_TRUE(done.ok) << base::ToText(done.answer);
  EXPECT_EQ(TextOf(done.answer.at("detail").as_object(), "k"), "[redacted]");
}

TEST_F(ProgramAdapterTest, ThePreviewGetsNoSecret) {
  const std::string path = project_.folder().Path("preview");
  ProgramAdapter adapter(Manifest(
      Write("#!/bin/sh\nread -r line\ncase \"$line\" in *preview*) printf '%s' \"$line\" > " +
            path + ";; esac\necho '{\"ok\":true,\"detail\":{\"will\":\"write\"}}'\n")));
  const std::string token = project_.Granted("t1:k", kClass, payload_);
  const Executed done = project_.DryRun(adapter, "t1:k", token, payload_);
  ASSERT_TRUE(done.ok) << base::ToText(done.answer);
  EXPECT_EQ(TextOf(done.answer.at("preview").as_object(), "will"), "write");
  EXPECT_EQ(Seen("preview").find(kSecret), std::string::npos);
  EXPECT_NE(Seen("preview").find("kitchen"), std::string::npos);
}

TEST_F(ProgramAdapterTest, AStepThatTheProgramDoesNotHaveIsNone) {
  ProgramAdapter adapter(
      Manifest(Write("#!/bin/sh\necho '{\"ok\":false,\"code\":\"unsupported\"}'\n")));
  CredentialWindow window(&project_.source(), project_.random(), WindowGrant::OfPerson());
  EXPECT_FALSE(adapter.Probe(window));
  EXPECT_FALSE(adapter.Observe({0, 1}, window));
}

TEST_F(ProgramAdapterTest, EffectsOfForeignClassesOrWithoutATimeAreNotPassedOn) {
  const std::string effect = "{\"id\":\"e\",\"class\":\"sample.program.run\",";
  const std::vector<std::pair<std::string, bool>> lists = {
      {effect + "\"at\":\"2026-08-04T09:00:00Z\",\"detail\":\"d\"}", true},
      {effect + "\"at\":\"yesterday\"}", false},
      {"{\"id\":\"e\",\"class\":\"payment.transfer\",\"at\":\"2026-08-04T09:00:00Z\"}", false},
      {"7", false}};
  for (const auto& [list, fine] : lists) {
    ProgramAdapter adapter(Manifest(
        Write("#!/bin/sh\necho '{\"ok\":true,\"detail\":{\"effects\":[" + list + "]}}'\n")));
    CredentialWindow window(&project_.source(), project_.random(), WindowGrant::OfPerson());
    const auto seen = adapter.Observe({0, 1}, window);
    ASSERT_TRUE(seen) << list;
    EXPECT_EQ(seen->has_value(), fine) << list;
  }
}

TEST_F(ProgramAdapterTest, AProbeGivesItsSummaryAndWarnings) {
  ProgramAdapter adapter(
      Manifest(Write("#!/bin/sh\necho '{\"ok\":true,\"detail\":{\"summary\":\"fine\","
                     "\"warnings\":[\"old\"]}}'\n")));
  CredentialWindow window(&project_.source(), project_.random(), WindowGrant::OfPerson());
  const auto probed = adapter.Probe(window);
  ASSERT_TRUE(probed && *probed);
  EXPECT_EQ((*probed)->summary, "fine");
  EXPECT_EQ((*probed)->warnings, std::vector<std::string>{"old"});
}

TEST_F(ProgramAdapterTest, TheExampleKeepsTheContractOfAnAdapter) {
  const std::string example = std::string(APPROVAL_SOURCE_DIR) + "/examples/adapters/notebook";
  const Json document = testing::ReadJsonFile(example + ".json");
  auto manifest = ReadProgramManifest("notebook", document);
  ASSERT_TRUE(manifest) << manifest.error();
  manifest->program = example + ".py";
  manifest->sha256 = base::Sha256Hex(testing::ReadText(manifest->program));
  testing::TempFolder scratch;
  const std::string notebook = project_.folder().Path("notebook.txt");
  ConformanceSubject subject;
  subject.make = [&] { return std::make_unique<ProgramAdapter>(*manifest); };
  subject.action_class = "notebook.line.append";
  subject.payload = JsonObject{{"line", "buy milk"}};
  subject.other_payload = JsonObject{{"line", "buy more milk"}};
  subject.settings = {{"notebook.file", notebook}, {"notebook.key", "signing-key-0001"}};
  subject.secret_name = "notebook.key";
  subject.effects = [&] {
    std::ifstream in(notebook);
    return static_cast<std::size_t>(
        std::count(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>(), '\n'));
  };
  const auto report =
      RunConformance(subject, {scratch.path(), project_.clock(), project_.random()});
  ASSERT_TRUE(report) << report.error().check << ": " << report.error().what;
  EXPECT_EQ(report->back().note, "");
}

}  // namespace
}  // namespace approval::adapters
