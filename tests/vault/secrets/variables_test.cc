#include "vault/secrets/variables.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "core/base/json.h"
#include "core/policy/load.h"
#include "tests/support/temp_folder.h"
#include "tests/support/vectors.h"
#include "vault/secrets/instance_id.h"

namespace approval::secrets {
namespace {

using base::Code;

// A keystore in memory; it counts how often it was asked.
class FakeKeystore final : public Keystore {
 public:
  SourceKind kind() const override { return SourceKind::kSecretService; }
  base::Result<void> Reach() override { return {}; }
  base::Result<base::Secret> Lookup(const std::string& item) override {
    ++asked;
    if (item == "there") return base::Secret("from-keystore");
    return base::Fail(Code::kHelperItemMissing, "no such item");
  }
  base::Result<void> Store(const std::string&, const base::Secret&) override { return {}; }
  int asked = 0;
};

policy::Policy PolicyOf(const std::string& block) {
  const auto load = policy::LoadPolicyBytes(
      "```yaml approval-policy\nversion: \"0.1\"\n" + block + "```\n", "/p/APPROVAL.md");
  EXPECT_TRUE(load.policy) << (load.failure ? load.failure->message : "");
  return load.OrDefaults();
}

std::vector<std::string> Names(const std::vector<Variable>& list) {
  std::vector<std::string> names;
  for (const Variable& one : list) names.push_back(one.name + (one.declared ? "!" : ""));
  return names;
}

TEST(Variables, WithoutAPolicyThereAreTheFourDefaultsAndNoneIsDeclared) {
  EXPECT_EQ(Names(VariablesOf(policy::Policy{})),
            (std::vector<std::string>{"APPROVAL_HUMAN", "APPROVAL_TG_TOKEN", "APPROVAL_TG_CHAT",
                                      "APPROVAL_VAULT_PASSPHRASE"}));
}

TEST(Variables, ThePolicysNamesReplaceTheDefaultsAndAreDeclared) {
  const policy::Policy policy = PolicyOf(
      "channels:\n  telegram:\n    token_env: MY_TOKEN\n    chat_id_env: MY_CHAT\nvault:\n"
      "  passphrase_env: MY_PASS\naudit:\n  sampling_secret_env: MY_SAMPLE\n");
  EXPECT_EQ(Names(VariablesOf(policy)),
            (std::vector<std::string>{"APPROVAL_HUMAN", "MY_TOKEN!", "MY_CHAT!", "MY_PASS!",
                                      "MY_SAMPLE!"}));
}

TEST(Variables, AnyOtherEnvMemberIsPickedUpAtAnyDepthSortedOnce) {
  policy::Policy policy;
  policy.source =
      base::ParseJson(R"({"x":{"deep":[{"z_env":"ZED"},{"a_env":"ALPHA"}]},"b_env":"ZED"})",
                      base::kStrictJson)
          ->as_object();
  const auto names = Names(VariablesOf(policy));
  EXPECT_EQ(std::vector<std::string>(names.end() - 2, names.end()),
            (std::vector<std::string>{"ALPHA!", "ZED!"}));
}

TEST(Variables, AllButIdentityAndChatAreSecret) {
  for (const Variable& one : VariablesOf(policy::Policy{})) {
    EXPECT_EQ(one.secret, one.name != "APPROVAL_HUMAN" && one.name != "APPROVAL_TG_CHAT");
  }
}

Lookup Environment(std::map<std::string, std::string> set) {
  return [set](std::string_view name) -> std::optional<std::string> {
    const auto found = set.find(std::string(name));
    if (found == set.end()) return std::nullopt;
    return found->second;
  };
}

class Resolving : public ::testing::Test {
 protected:
  Resolved Of(const char* name, std::map<std::string, std::string> set = {}) {
    return ResolveVariable({name, true, true}, Environment(std::move(set)), &map_, &keystore_);
  }
  SourceMap map_ = *SourceMap::Parse(
      "LIT=plain-text\nENV=env:\nKEY=secret-service:there\nGONE=secret-service:not-there\n"
      "MAC=keychain:there\n");
  FakeKeystore keystore_;
};

TEST_F(Resolving, AnExportedVariableWinsAndTheLineIsNotResolved) {
  const Resolved made = Of("KEY", {{"KEY", "exported"}});
  EXPECT_EQ(made.status, VariableStatus::kSetInEnvironment);
  EXPECT_EQ(made.value.Reveal(), "exported");
  EXPECT_EQ(keystore_.asked, 0);
}

TEST_F(Resolving, AnEmptyExportedVariableCountsAsUnset) {
  EXPECT_EQ(Of("LIT", {{"LIT", ""}}).status, VariableStatus::kResolvedLiteral);
}

TEST_F(Resolving, ALiteralSecretIsMarkedAsPlaintext) {
  EXPECT_TRUE(Of("LIT").plaintext);
  const Resolved chat = ResolveVariable({"LIT", false, false}, Environment({}), &map_, &keystore_);
  EXPECT_FALSE(chat.plaintext);
}

TEST_F(Resolving, AnEnvLineIsUnsetUnlessTheShellSetsIt) {
  EXPECT_EQ(Of("ENV").status, VariableStatus::kUnset);
  EXPECT_EQ(Of("ENV", {{"ENV", "x"}}).status, VariableStatus::kSetInEnvironment);
}

TEST_F(Resolving, AMissingItemAndAMissingKeystoreHaveTheirOwnCodes) {
  EXPECT_EQ(Of("KEY").status, VariableStatus::kResolvedFromSecretService);
  EXPECT_EQ(Of("GONE").refusal->code, Code::kHelperItemMissing);
  EXPECT_EQ(Of("MAC").refusal->code, Code::kHelperBinaryMissing);
  EXPECT_EQ(Of("GONE").status, VariableStatus::kUnset);
}

TEST_F(Resolving, ANameThatNoShellCanHoldIsRefused) {
  EXPECT_EQ(Of("A-B").refusal->code, Code::kInvalidVariableName);
}

TEST(FallbackPassphrase, IsTakenFromKeystoreAndLiteralLinesAndNeverFromTheEnvironment) {
  const testing::TempFolder folder;
  FakeKeystore keystore;
  const auto of = [&](const std::string& line) {
    folder.Write("env", line);
    EXPECT_EQ(::chmod(folder.Path("env").c_str(), 0600), 0);
    return FallbackPassphrase(folder.Path("env"), "PASS", &keystore);
  };
  EXPECT_EQ(of("PASS=secret-service:there\n")->Reveal(), "from-keystore");
  EXPECT_EQ(of("PASS=word\n")->Reveal(), "word");
  EXPECT_FALSE(of("PASS=env:\n"));
  EXPECT_FALSE(of("OTHER=word\n"));
  EXPECT_FALSE(of("PASS=secret-service:not-there\n"));
  EXPECT_FALSE(of("PASS=keyring:x\n"));
}

TEST(InstanceId, IsTheHashOfTheFolderAsItIsSpelled) {
  APPROVAL_REQUIRE_VECTORS();
  const base::Json file =
      testing::ReadJsonFile(testing::VectorsDir() / "env-file" / "instance-id.json");
  for (const base::Json& one : file.get_object().at("cases").get_array()) {
    const base::JsonObject& it = one.get_object();
    const auto text = [&](const char* name) { return std::string(*base::StringMember(it, name)); };
    const std::string id = InstanceId(text("approval_home"));
    EXPECT_EQ(id, text("id"));
    const ItemNames names = ItemNamesFor(id);
    EXPECT_EQ(names.telegram_token, text("tg"));
    EXPECT_EQ(names.vault_passphrase, text("vault"));
    EXPECT_EQ(names.sampling_secret, text("sampling"));
  }
}

TEST(InstanceId, TellsItsOwnItemsFromOldOnesAndOthers) {
  const std::string mine = "9547517b";
  EXPECT_EQ(ScopeOf("approval-tg-token-9547517b", mine), ItemScope::kMine);
  EXPECT_EQ(ScopeOf("approval-tg-token", mine), ItemScope::kLegacy);
  EXPECT_EQ(ScopeOf("approval-vault-passphrase-5d666ebb", mine), ItemScope::kOtherInstance);
  EXPECT_EQ(ScopeOf("approval-tg-token-nothexhe", mine), ItemScope::kUnknown);
  EXPECT_EQ(ScopeOf("my own", mine), ItemScope::kUnknown);
}

}  // namespace
}  // namespace approval::secrets
