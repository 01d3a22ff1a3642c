// `approval env`: the only verb that gives out what the source map holds (adapters.md 7.2).
#include <filesystem>

#include "tests/cli/project.h"

namespace approval {
namespace {

using base::JsonObject;
using testing::RunResult;

class EnvTest : public testing::ProjectTest {
 protected:
  void SetUp() override {
    environment_ = {{"DBUS_SESSION_BUS_ADDRESS", "unix:path=" + folder_.Path("no-bus")}};
    ASSERT_EQ(Run({"init"}).exit, 0);
  }
  RunResult Shell(const std::string& script) const {
    testing::RunOptions options{folder_.path(), "", environment_};
    options.environment["A"] = testing::ApprovalProgram();
    return testing::RunProcess({"/bin/sh", "-c", script}, options);
  }
  JsonObject Json(std::vector<std::string> words) const {
    words.emplace_back("--json");
    return Answer(Run(std::move(words)).out);
  }
  static JsonObject Named(const JsonObject& answer, const std::string& name) {
    for (const base::Json& one : answer.at("variables").as_array()) {
      if (base::StringMember(one.get_object(), "name") == name) return one.get_object();
    }
    return {};
  }
};

TEST_F(EnvTest, TheBlockSurvivesARealShellWithEveryHardCharacter) {
  PutMap("APPROVAL_HUMAN=human:it's $HOME `id` \\ \"q\"\n");
  const RunResult run = Shell("eval \"$($A env)\"; printf %s \"$APPROVAL_HUMAN\"");
  EXPECT_EQ(run.out, "human:it's $HOME `id` \\ \"q\"");
}

TEST_F(EnvTest, UnsetVariablesAreCommentsAndDoNotFailTheBlock) {
  const RunResult run = Run({"env"});
  EXPECT_EQ(run.exit, 0);
  EXPECT_NE(run.out.find("# APPROVAL_HUMAN is not set"), std::string::npos) << run.out;
  EXPECT_EQ(Shell("eval \"$($A env)\" && echo fine").out, "fine\n");
}

TEST_F(EnvTest, AnExportedVariableWinsAndIsMarked) {
  PutMap("APPROVAL_HUMAN=human:file\n");
  environment_["APPROVAL_HUMAN"] = "human:shell";
  EXPECT_NE(Run({"env"}).out.find("export APPROVAL_HUMAN='human:shell'  # already set"),
            std::string::npos);
  EXPECT_EQ(base::StringMember(Named(Json({"env"}), "APPROVAL_HUMAN"), "status"),
            "set-in-environment");
}

TEST_F(EnvTest, TheLastLineNamesWhereValuesCameFrom) {
  PutMap("APPROVAL_HUMAN=human:file\nAPPROVAL_TG_CHAT=-100\n");
  const std::string out = Run({"env"}).out;
  const std::size_t at = out.find("export APPROVAL_ENV_PROVENANCE='1:");
  ASSERT_NE(at, std::string::npos) << out;
  EXPECT_NE(out.find(":APPROVAL_HUMAN,APPROVAL_TG_CHAT'", at), std::string::npos) << out;
  PutMap("# nothing\n");
  EXPECT_EQ(Run({"env"}).out.find("PROVENANCE"), std::string::npos);
}

TEST_F(EnvTest, CheckFailsOnlyForVariablesThatThePolicyNamesAndPrintsNoValue) {
  PutMap("APPROVAL_HUMAN=human:planted-4711\n");
  const RunResult run = Run({"env", "--check"});
  EXPECT_EQ(run.exit, 0) << run.out;
  EXPECT_EQ(run.out.find("planted-4711"), std::string::npos);
  PutPolicy("vault:\n  passphrase_env: MY_PASS\n");
  EXPECT_EQ(Run({"env", "--check"}).exit, 1);
  EXPECT_EQ(Run({"env"}).exit, 0);
  const JsonObject answer = Json({"env", "--check"});
  EXPECT_FALSE(answer.at("ok").as_bool());
  EXPECT_FALSE(Named(answer, "APPROVAL_HUMAN").contains("value"));
  EXPECT_TRUE(Named(answer, "MY_PASS").at("declared").as_bool());
  EXPECT_TRUE(Named(answer, "MY_PASS").contains("fix"));
}

TEST_F(EnvTest, AKeystoreLineWithoutAKeystoreIsUnsetAndSaysWhy) {
  PutMap("APPROVAL_VAULT_PASSPHRASE=secret-service:x\nAPPROVAL_TG_TOKEN=keychain:x\n");
  const JsonObject answer = Json({"env"});
  const JsonObject service = Named(answer, "APPROVAL_VAULT_PASSPHRASE");
  EXPECT_EQ(base::StringMember(service, "status"), "unset");
  EXPECT_EQ(base::StringMember(service.at("refusal").as_object(), "code"), "helper-failed");
  const JsonObject keychain = Named(answer, "APPROVAL_TG_TOKEN");
  EXPECT_EQ(base::StringMember(keychain.at("refusal").as_object(), "code"),
            "helper-binary-missing");
}

TEST_F(EnvTest, AWrongModeIsExitFourAndABadLineExitOne) {
  PutMap("A=1\n", 0644);
  const RunResult mode = Run({"env"});
  EXPECT_EQ(mode.exit, 4);
  EXPECT_NE(mode.err.find("chmod 600"), std::string::npos);
  EXPECT_TRUE(mode.out.empty());
  PutMap("A=keyring:x\n");
  EXPECT_EQ(Run({"env"}).exit, 1);
}

TEST_F(EnvTest, NoOtherVerbReadsTheFile) {
  PutMap("APPROVAL_HUMAN=human:mallory\nAPPROVAL_VAULT_PASSPHRASE=planted\n");
  EXPECT_EQ(Run({"policy", "attest"}).exit, 2);
  EXPECT_EQ(Run({"vault", "set", "a", "--as", "human:x"}).exit, 2);
  const RunResult doctor = Run({"doctor"});
  EXPECT_EQ(doctor.out.find("mallory"), std::string::npos);
  EXPECT_NE(doctor.out.find("APPROVAL_HUMAN is not set"), std::string::npos) << doctor.out;
  EXPECT_NE(Run({"channel", "telegram", "health"}).exit, 0);
}

TEST_F(EnvTest, ItWritesNothingAnywhere) {
  PutMap("APPROVAL_HUMAN=human:alice\n");
  const auto listing = [&] {
    std::string text;
    for (const auto& one : std::filesystem::recursive_directory_iterator(folder_.path())) {
      text += one.path().string() + "\n";
    }
    return text;
  };
  const std::string before = listing();
  Run({"env"});
  Run({"env", "--check"});
  EXPECT_EQ(listing(), before);
}

TEST_F(EnvTest, ASystemdCredentialServesAsThePassphrase) {
  folder_.Write("credentials/APPROVAL_VAULT_PASSPHRASE", "from-systemd\n");
  environment_["CREDENTIALS_DIRECTORY"] = folder_.Path("credentials");
  environment_["APPROVAL_HUMAN"] = "human:alice";
  environment_["VALUE"] = "v";
  EXPECT_EQ(Run({"vault", "set", "a", "--value-env", "VALUE"}).exit, 0);
  environment_.erase("CREDENTIALS_DIRECTORY");
  environment_["APPROVAL_VAULT_PASSPHRASE"] = "from-systemd";
  EXPECT_EQ(Run({"vault", "list"}).out, "a\n");
}

TEST_F(EnvTest, PasswdSealsAnewAndNamesTheVariableToChange) {
  environment_["APPROVAL_HUMAN"] = "human:alice";
  environment_["APPROVAL_VAULT_PASSPHRASE"] = "old";
  environment_["VALUE"] = "v";
  environment_["FRESH"] = "new";
  ASSERT_EQ(Run({"vault", "set", "a", "--value-env", "VALUE"}).exit, 0);
  const RunResult changed = Run({"vault", "passwd", "--new-env", "FRESH"});
  EXPECT_EQ(changed.exit, 0) << changed.err;
  EXPECT_NE(changed.out.find("APPROVAL_VAULT_PASSPHRASE"), std::string::npos);
  EXPECT_EQ(Run({"vault", "list"}).exit, 1);
  environment_["APPROVAL_VAULT_PASSPHRASE"] = "new";
  EXPECT_EQ(Run({"vault", "list"}).out, "a\n");
}

}  // namespace
}  // namespace approval
