// `approval doctor`: each row by a project that is in that state (surfaces.md 17).
#include "tests/cli/project.h"

namespace approval {
namespace {

using base::JsonObject;
using testing::RunResult;

class DoctorTest : public testing::ProjectTest {
 protected:
  void SetUp() override {
    environment_ = {{"APPROVAL_HUMAN", "human:alice"},
                    {"APPROVAL_VAULT_PASSPHRASE", "pass"},
                    {"VALUE", "planted-4711"},
                    {"HOME", folder_.path()}};
    ASSERT_EQ(Run({"init"}).exit, 0);
    ASSERT_EQ(Run({"policy", "attest"}).exit, 0);
  }
  JsonObject Row(const std::string& name) const {
    const RunResult run = Run({"doctor", "--json", "--port", "0"});
    SCOPED_TRACE(run.err);
    const JsonObject answer = Answer(run.out);
    EXPECT_EQ(run.out.find("planted-4711"), std::string::npos);
    for (const base::Json& one : answer.at("checks").as_array()) {
      const JsonObject& row = one.get_object();
      const bool failed = base::StringMember(row, "status") == "fail";
      EXPECT_TRUE(!failed || row.contains("fix")) << base::ToText(row);
      if (base::StringMember(row, "check") == name) return row;
    }
    ADD_FAILURE() << "no row " << name;
    return {};
  }
  std::string Status(const std::string& name) const { return Text(Row(name), "status"); }
};

TEST_F(DoctorTest, AFreshProjectHasNoFailureAndExitsZero) {
  const RunResult run = Run({"doctor", "--port", "0"});
  EXPECT_EQ(run.exit, 0) << run.out;
  EXPECT_NE(run.out.find(" 0 failed"), std::string::npos) << run.out;
}

TEST_F(DoctorTest, AMissingIdentityFailsAndNamesTheRepair) {
  environment_.erase("APPROVAL_HUMAN");
  EXPECT_EQ(Run({"doctor", "--port", "0"}).exit, 1);
  EXPECT_EQ(Status("identity"), "fail");
}

TEST_F(DoctorTest, AnEditedPolicyIsNotInForce) {
  folder_.Write("APPROVAL.md", testing::ReadText(folder_.Path("APPROVAL.md")) + "\n");
  EXPECT_EQ(Status("attestation"), "fail");
}

TEST_F(DoctorTest, AZoneThatTheSystemDoesNotKnowIsNamedWithItsChannel) {
  PutPolicy("channels:\n  web: { timezone: Europe/Nowhere }\n");
  ASSERT_EQ(Run({"policy", "attest"}).exit, 0);
  EXPECT_EQ(Status("attestation"), "fail");
  const std::string detail = Text(Row("attestation"), "detail");
  EXPECT_NE(detail.find("channels.web.timezone"), std::string::npos) << detail;
  EXPECT_NE(detail.find("Europe/Nowhere"), std::string::npos) << detail;
}

TEST_F(DoctorTest, ABrokenLogFailsWithoutHidingTheOtherRows) {
  folder_.Write(kLog, "{}\n");
  EXPECT_EQ(Status("log"), "fail");
  EXPECT_EQ(Status("trust"), "pass");
}

TEST_F(DoctorTest, TheVaultRowKnowsEveryStateOfIt) {
  EXPECT_EQ(Status("vault"), "skip");
  ASSERT_EQ(Run({"vault", "set", "smtp.host", "--value-env", "VALUE"}).exit, 0);
  EXPECT_EQ(Status("vault"), "pass");
  environment_["APPROVAL_VAULT_PASSPHRASE"] = "wrong";
  EXPECT_NE(base::StringMember(Row("vault"), "detail")->find("vault-unreadable"),
            std::string_view::npos);
  environment_.erase("APPROVAL_VAULT_PASSPHRASE");
  EXPECT_NE(base::StringMember(Row("vault"), "fix")->find("APPROVAL_VAULT_PASSPHRASE"),
            std::string_view::npos);
  // Looked at before anything else, the passphrase included.
  folder_.Write(".gitignore", "# nothing\n");
  EXPECT_NE(base::StringMember(Row("vault"), "detail")->find("git does not ignore"),
            std::string_view::npos);
}

TEST_F(DoctorTest, TheEnvironmentRowKnowsEveryStateOfTheSourceMap) {
  EXPECT_EQ(Status("environment"), "skip");
  PutMap("APPROVAL_HUMAN=human:a\n", 0644);
  EXPECT_EQ(Status("environment"), "fail");
  PutMap("APPROVAL_VAULT_PASSPHRASE=plain\n");
  EXPECT_EQ(Status("environment"), "skip");
  PutMap("APPROVAL_TG_TOKEN=keychain:x\n");
  EXPECT_EQ(Status("environment"), "fail");
  // A declared keystore line counts as configured; the keystore is not asked.
  PutMap("APPROVAL_TG_TOKEN=secret-service:x\nAPPROVAL_TG_CHAT=-1\n");
  EXPECT_EQ(Status("environment"), "pass");
  folder_.Write(".gitignore", "# nothing\n");
  EXPECT_EQ(Status("environment"), "fail");
}

TEST_F(DoctorTest, AnItemOfAnotherProjectIsReported) {
  PutMap("APPROVAL_VAULT_PASSPHRASE=secret-service:approval-vault-passphrase-00000000\n");
  EXPECT_EQ(Status("keychain-scope"), "fail");
  PutMap("APPROVAL_VAULT_PASSPHRASE=secret-service:approval-vault-passphrase\n");
  EXPECT_EQ(Status("keychain-scope"), "pass");
}

TEST_F(DoctorTest, HalfAMailboxFails) {
  EXPECT_EQ(Status("adapter-email"), "skip");
  ASSERT_EQ(Run({"vault", "set", "smtp.user", "--value-env", "VALUE"}).exit, 0);
  EXPECT_NE(base::StringMember(Row("adapter-email"), "detail")->find("smtp.host"),
            std::string_view::npos);
}

TEST_F(DoctorTest, HalfATelegramFailsAndATokenAloneIsNeverShown) {
  EXPECT_EQ(Status("telegram"), "skip");
  environment_["APPROVAL_TG_TOKEN"] = "1:planted-4711";
  EXPECT_EQ(Status("telegram"), "fail");
}

TEST_F(DoctorTest, SamplingSaysExactlyWhatIsMissing) {
  EXPECT_EQ(Status("audit-sampling"), "skip");
  PutPolicy("audit:\n  supervised_sample_rate: 0.5\n  sampling_secret_env: SAMPLE\n");
  EXPECT_NE(base::StringMember(Row("audit-sampling"), "detail")->find("secret-unset"),
            std::string_view::npos);
  environment_["SAMPLE"] = "planted-4711";
  EXPECT_EQ(Status("audit-sampling"), "pass");
}

TEST_F(DoctorTest, ItAppendsAndRepairsNothing) {
  const std::string before = Log();
  Run({"doctor"});
  EXPECT_EQ(Log(), before);
}

}  // namespace
}  // namespace approval
