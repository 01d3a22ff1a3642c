// The flags of a spend in their order, and where its credentials come from.
#include "gateway/spending/spend.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <map>

#include "gateway/spending/built_in_adapters.h"
#include "gateway/spending/credential_source.h"
#include "gateway/spending/installed_adapters.h"
#include "tests/support/adapter_project.h"

namespace approval::gateway {
namespace {

using adapters::CredentialWindow;
using adapters::WindowGrant;
using base::JsonObject;

class SpendTest : public ::testing::Test {
 protected:
  // A call of `adapter email` in the project, with these words behind it.
  Invocation Call(std::vector<std::string> words) {
    words.insert(words.end(), {"--log", project_.folder().Path(".approval/log/events.jsonl"),
                               "--policy", project_.folder().Path("APPROVAL.md")});
    const std::vector<std::string> verb = {"adapter", "email"};
    const Found found = FindVerb(verb);
    auto arguments = ParseArguments(*found.verb, words);
    EXPECT_TRUE(arguments) << arguments.error().message;
    return Invocation(
        *found.verb, std::move(*arguments), false,
        [this](std::string_view name) -> std::optional<std::string> {
          const auto value = environment_.find(std::string(name));
          if (value == environment_.end()) return std::nullopt;
          return value->second;
        },
        project_.clock(), project_.random());
  }

  // What the words are refused with, and the sentence.
  std::pair<int, std::string> Refused(const std::vector<std::string>& words) {
    const Invocation call = Call(words);
    ::testing::internal::CaptureStderr();
    const auto spend = ReadSpendAsk(call, 0);
    return {spend ? 0 : spend.error(), ::testing::internal::GetCapturedStderr()};
  }

  void ExpectRefused(const std::vector<std::string>& words, int exit, const std::string& about) {
    const auto [code, text] = Refused(words);
    EXPECT_EQ(code, exit) << text;
    EXPECT_NE(text.find(about), std::string::npos) << text;
  }

  void MapPassphrase(const std::string& line) {
    project_.folder().Write(".approval/env", line);
    ::chmod(project_.folder().Path(".approval/env").c_str(), 0600);
  }

  bool Opens(const WindowGrant& grant) {
    const Invocation call = Call({"k"});
    const auto source = MakeCredentialSource(call);
    CredentialWindow window(&source, project_.random(), grant);
    return window.Find("smtp.host").has_value();
  }

  testing::AdapterProject project_;
  std::map<std::string, std::string> environment_;
};

TEST_F(SpendTest, EachMissingFlagIsNamedInTheOrderOfTheSpecification) {
  project_.folder().Write("mail.json", "{}");
  const std::string mail = project_.folder().Path("mail.json");
  ExpectRefused({}, 2, "<key>");
  ExpectRefused({"k"}, 2, "--token");
  ExpectRefused({"k", "--token", ""}, 2, "--token");
  ExpectRefused({"k", "--token", "t"}, 2, "--payload");
  ExpectRefused({"k", "--token", "t", "--payload", mail}, 2, "who acts");
  ExpectRefused({"k", "--token", "t", "--payload", mail, "--as", "system:x"}, 2, "--as");
  ExpectRefused({"k", "--token", "t", "--payload", "none", "--as", "agent:a", "--timeout", "1.5"},
                2, "--timeout");
  ExpectRefused({"k", "--token", "t", "--payload", "none", "--as", "agent:a"}, 4, "io");
}

TEST_F(SpendTest, APayloadThatIsEmptyOrNotStrictJsonIsAUsageError) {
  for (const char* text : {"", " \n", "{", "{\"a\":1,\"a\":2}", "{\"a\":\"\\ud800\"}"}) {
    project_.folder().Write("mail.json", text);
    ExpectRefused(
        {"k", "--token", "t", "--payload", project_.folder().Path("mail.json"), "--as", "agent:a"},
        2, "usage");
  }
}

TEST_F(SpendTest, ADryRunNeedsNoToken) {
  project_.folder().Write("mail.json", "{}");
  const Invocation call =
      Call({"k", "--dry-run", "--payload", project_.folder().Path("mail.json"), "--as", "agent:a"});
  const auto spend = ReadSpendAsk(call, 0);
  ASSERT_TRUE(spend);
  EXPECT_TRUE(spend->dry_run);
  EXPECT_FALSE(spend->ask.token);
}

TEST_F(SpendTest, ThePersonOfTheEnvironmentMayRunAnAdapter) {
  environment_["APPROVAL_HUMAN"] = "human:alice";
  project_.folder().Write("mail.json", "{}");
  const Invocation call = Call(
      {"k", "--token", "t", "--payload", project_.folder().Path("mail.json"), "--timeout", "1500"});
  const auto spend = ReadSpendAsk(call, 0);
  ASSERT_TRUE(spend);
  EXPECT_EQ(spend->ask.actor, "human:alice");
  EXPECT_EQ(spend->timeout_ms, 1500);
}

TEST_F(SpendTest, ThePassphraseIsTheVariableThatThePolicyNames) {
  project_.Seal();
  EXPECT_FALSE(Opens(WindowGrant::OfPerson()));
  environment_["APPROVAL_VAULT_PASSPHRASE"] = "pass";
  EXPECT_TRUE(Opens(WindowGrant::OfPerson()));
}

TEST_F(SpendTest, TheSourceMapServesInsideAGrantWithATokenAndNowhereElse) {
  project_.Seal();
  MapPassphrase("APPROVAL_VAULT_PASSPHRASE=literal:pass\n");
  WindowGrant grant{WindowGrant::Phase::kPresented, "k"};
  EXPECT_FALSE(Opens(grant));
  EXPECT_FALSE(Opens(WindowGrant::OfPerson()));
  grant.token_sha256 = std::string(64, 'a');
  EXPECT_TRUE(Opens(grant));
  grant.phase = WindowGrant::Phase::kConsumed;
  EXPECT_TRUE(Opens(grant));
}

TEST_F(SpendTest, ASourceMapLineThatPointsBackAtTheEnvironmentServesNobody) {
  project_.Seal();
  MapPassphrase("APPROVAL_VAULT_PASSPHRASE=env:\n");
  EXPECT_FALSE(Opens({WindowGrant::Phase::kConsumed, "k", {}, std::string(64, 'a')}));
}

TEST_F(SpendTest, BuiltInAdaptersAreFoundByExactNameOnly) {
  const Invocation call = Call({"k"});
  EXPECT_EQ(MakeBuiltInAdapter("email", call)->name(), "email");
  EXPECT_EQ(MakeBuiltInAdapter("agentmail", call)->name(), "agentmail");
  for (const char* name : {"", "Email", "mail", "zzz", "toString", "__proto__"}) {
    EXPECT_EQ(MakeBuiltInAdapter(name, call), nullptr) << name;
  }
}

TEST_F(SpendTest, AManifestInTheVaultThatCannotBeReadIsNamedAndNotRun) {
  environment_["APPROVAL_VAULT_PASSPHRASE"] = "pass";
  project_.Store("adapter.odd", "not json");
  project_.Store("adapter.undigested",
                 "{\"program\":\"/bin/cat\",\"classes\":[\"sample.program.run\"]}");
  project_.Seal();
  const Invocation call = Call({"k"});
  const auto installed = ReadInstalled(call, WindowGrant::OfPerson());
  ASSERT_TRUE(installed) << installed.error().message;
  ASSERT_EQ(installed->size(), 2U);
  for (const auto& [name, manifest] : *installed) {
    ASSERT_FALSE(manifest) << name;
    EXPECT_NE(manifest.error().find("install it again"), std::string::npos);
  }
}

}  // namespace
}  // namespace approval::gateway
