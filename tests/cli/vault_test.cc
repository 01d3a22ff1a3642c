// The vault verbs and the mail verb from the command line: exits, shapes and what they never say.
#include "core/base/files.h"
#include "tests/cli/project.h"

namespace approval {
namespace {

using base::JsonObject;
using testing::RunResult;

class VaultVerbs : public testing::ProjectTest {
 protected:
  void SetUp() override {
    environment_ = {{"APPROVAL_HUMAN", "human:alice"},
                    {"APPROVAL_VAULT_PASSPHRASE", "pass"},
                    {"OWN_PASS", "other"},
                    {"VALUE", "from-env"}};
  }
};

TEST_F(VaultVerbs, SetListAndRemoveAnswerInTheirShapes) {
  const JsonObject absent = Answer(Run({"vault", "list", "--json"}).out);
  EXPECT_FALSE(absent.at("present").as_bool());
  EXPECT_EQ(base::ToText(absent.at("names")), "[]");
  const JsonObject set = Answer(Run({"vault", "set", "smtp.host", "--json"}, "localhost").out);
  EXPECT_TRUE(set.at("created").as_bool());
  EXPECT_EQ(base::AsInteger(set.at("count")), 1);
  EXPECT_EQ(Text(set, "path"), ".approval/vault.enc");
  EXPECT_EQ(Run({"vault", "set", "b", "--value-env", "VALUE"}).exit, 0);
  const JsonObject list = Answer(Run({"vault", "list", "--json"}).out);
  EXPECT_EQ(base::ToText(list.at("names")), R"(["b","smtp.host"])");
  EXPECT_EQ(base::AsInteger(Answer(Run({"vault", "remove", "b", "--json"}).out).at("count")), 1);
  const RunResult gone = Run({"vault", "remove", "b", "--json"});
  EXPECT_EQ(gone.exit, 1);
  EXPECT_EQ(Text(Answer(gone.err).at("error"), "code"), "credential-absent");
}

TEST_F(VaultVerbs, ListOnNoVaultNeedsNoPassphraseAndOthersNameTheVariable) {
  environment_.erase("APPROVAL_VAULT_PASSPHRASE");
  EXPECT_EQ(Run({"vault", "list"}).exit, 0);
  const RunResult set = Run({"vault", "set", "a"}, "v");
  EXPECT_EQ(set.exit, 2);
  EXPECT_NE(set.err.find("APPROVAL_VAULT_PASSPHRASE"), std::string::npos);
  environment_["APPROVAL_VAULT_PASSPHRASE"] = "";
  EXPECT_EQ(Run({"vault", "set", "a"}, "v").exit, 2);
  EXPECT_EQ(base::StateOf(folder_.Path(".approval")), base::FileState::kMissing);
}

TEST_F(VaultVerbs, ThePolicyNamesThePassphraseVariable) {
  PutPolicy("vault:\n  passphrase_env: OWN_PASS\n");
  ASSERT_EQ(Run({"vault", "set", "a"}, "v").exit, 0);
  folder_.Write("APPROVAL.md", "no block here");
  EXPECT_EQ(Run({"vault", "list"}).exit, 1);
}

TEST_F(VaultVerbs, OnlyAPersonMayUseThem) {
  for (const char* as : {"agent:x", "system:x", ""}) {
    EXPECT_EQ(Run({"vault", "set", "a", "--as", as}, "v").exit, 2);
    EXPECT_EQ(Run({"vault", "list", "--as", as}).exit, 2);
    EXPECT_EQ(Run({"vault", "remove", "a", "--as", as}).exit, 2);
  }
  environment_.erase("APPROVAL_HUMAN");
  EXPECT_EQ(Run({"vault", "list"}).exit, 2);
}

TEST_F(VaultVerbs, ASecondPositionalDoesNotComeBack) {
  for (const bool json : {true, false}) {
    std::vector<std::string> words = {"vault", "set", "a", "hunter2-typed"};
    if (json) words.push_back("--json");
    const RunResult done = Run(words, "v");
    EXPECT_EQ(done.exit, 2);
    EXPECT_EQ((done.out + done.err).find("hunter2-typed"), std::string::npos);
  }
}

TEST_F(VaultVerbs, GetExplainsItself) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"vault", "get", "a", "--json"}, {"vault", "get", "--json"}}) {
    const RunResult done = Run(words);
    EXPECT_EQ(done.exit, 2);
    const std::string message = Text(Answer(done.err).at("error"), "message");
    EXPECT_NE(message.find("adapter"), std::string::npos);
  }
  EXPECT_EQ(Run({"--help"}).out.find("vault get"), std::string::npos);
}

TEST_F(VaultVerbs, FR178_OneLineEndIsDroppedAndBlanksAreReportedByCount) {
  const RunResult done = Run({"vault", "set", "a"}, "abcd\u00a0efgh\u00a0ijkl mnop\r\n");
  EXPECT_EQ(done.exit, 0);
  EXPECT_NE(done.out.find("one line end at the end was dropped"), std::string::npos);
  EXPECT_NE(done.out.find("3 blank(s) inside"), std::string::npos);
  EXPECT_NE(done.out.find("1 blank(s) at the end"), std::string::npos);
  EXPECT_EQ(done.out.find("mnop"), std::string::npos);
  EXPECT_EQ(Run({"vault", "set", "b"}, "\n").exit, 2);
  EXPECT_EQ(Run({"vault", "set", "b"}, "").exit, 2);
  EXPECT_EQ(Run({"vault", "set", "b"}, "\xff\xfe").exit, 2);
}

TEST_F(VaultVerbs, FR179_AWrongPassphraseLeavesStdoutEmptyAndTheFileAlone) {
  ASSERT_EQ(Run({"vault", "set", "a"}, "v").exit, 0);
  const std::string before = testing::ReadText(folder_.Path(kVault));
  environment_["APPROVAL_VAULT_PASSPHRASE"] = "wrong";
  for (const std::vector<std::string>& words : {std::vector<std::string>{"vault", "set", "b"},
                                                {"vault", "list"},
                                                {"vault", "remove", "a"}}) {
    const RunResult done = Run(words, "v");
    EXPECT_EQ(done.exit, 1);
    EXPECT_TRUE(done.out.empty());
    EXPECT_NE(done.err.find("vault-unreadable"), std::string::npos);
  }
  EXPECT_EQ(testing::ReadText(folder_.Path(kVault)), before);
}

TEST_F(VaultVerbs, TheyLeaveTheLogByteForByte) {
  PutManualPolicy();
  ASSERT_EQ(Run({"policy", "attest"}).exit, 0);
  const std::string before = Log();
  Run({"vault", "set", "a"}, "v");
  Run({"vault", "list"});
  Run({"vault", "remove", "a"});
  EXPECT_EQ(Log(), before);
}

class MailVerb : public VaultVerbs {};

TEST_F(MailVerb, UsageErrorsComeInTheOrderOfTheSpecification) {
  PutManualPolicy();
  folder_.Write("mail.json", "{}");
  ASSERT_EQ(Run({"policy", "attest"}).exit, 0);
  const std::string before = Log();
  const auto mail = [&](std::vector<std::string> words, const std::string& input = "") {
    words.insert(words.begin(), {"adapter", "email"});
    return Run(words, input);
  };
  EXPECT_EQ(mail({"k", "--payload", "mail.json", "--as", "agent:a"}).exit, 2);
  EXPECT_EQ(mail({"k", "--token", "t", "--as", "agent:a"}).exit, 2);
  EXPECT_EQ(mail({"--token", "t", "--payload", "mail.json"}).exit, 2);
  EXPECT_EQ(mail({"k", "--token", "t", "--payload", "mail.json", "--as", "system:x"}).exit, 2);
  for (const char* timeout : {"1.5", "0", "-1", "x", "99999999999999999999"}) {
    EXPECT_EQ(mail({"k", "--token", "t", "--payload", "absent.json", "--as", "agent:a", "--timeout",
                    timeout})
                  .exit,
              2);
  }
  const RunResult absent =
      mail({"k", "--token", "t", "--payload", "absent.json", "--as", "agent:a", "--json"});
  EXPECT_EQ(absent.exit, 4);
  EXPECT_EQ(Text(Answer(absent.err).at("error"), "code"), "io");
  EXPECT_EQ(mail({"k", "--token", "t", "--payload", "-", "--as", "agent:a"}, "").exit, 2);
  EXPECT_EQ(mail({"k", "--token", "t", "--payload", "-", "--as", "agent:a"}, "{nope").exit, 2);
  EXPECT_EQ(Log(), before);
}

TEST_F(MailVerb, ARefusalIsFlatOnStderr) {
  PutManualPolicy();
  folder_.Write("mail.json", "{}");
  ASSERT_EQ(Run({"policy", "attest"}).exit, 0);
  const RunResult done = Run({"adapter", "email", "nokey", "--token", "x", "--payload", "mail.json",
                              "--as", "agent:a", "--json"});
  EXPECT_EQ(done.exit, 1);
  EXPECT_TRUE(done.out.empty());
  const JsonObject answer = Answer(done.err);
  EXPECT_EQ(Text(answer, "code"), "action-not-registered");
  EXPECT_FALSE(answer.contains("execute"));
  EXPECT_FALSE(answer.at("acted").as_bool());
}

}  // namespace
}  // namespace approval
