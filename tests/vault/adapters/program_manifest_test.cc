#include "vault/adapters/program_manifest.h"

#include <gtest/gtest.h>

namespace approval::adapters {
namespace {

using base::Json;
using base::JsonArray;
using base::JsonObject;

JsonObject Whole() {
  return {{"program", "/usr/local/bin/shop"},
          {"classes", JsonArray{"shop.order.place"}},
          {"credentials", JsonArray{JsonObject{{"name", "shop.key"}, {"kind", "secret"}},
                                    JsonObject{{"name", "shop.size"},
                                               {"kind", "choice"},
                                               {"default", "small"},
                                               {"choices", JsonArray{"small", "large"}}}}},
          {"timeout_ms", 1000}};
}

TEST(ProgramManifest, AWholeOneIsReadAndWrittenBackTheSame) {
  const auto read = ReadProgramManifest("shop", Whole());
  ASSERT_TRUE(read) << read.error();
  const auto again = ReadProgramManifest("shop", ToJson(*read));
  ASSERT_TRUE(again) << again.error();
  EXPECT_EQ(ToJson(*again), ToJson(*read));
  EXPECT_EQ(again->credentials[1].choices, "small large");
}

TEST(ProgramManifest, TheProgramIsAnAbsolutePathAndClassesAreExact) {
  for (const auto& [name, value] :
       std::initializer_list<std::pair<const char*, Json>>{{"program", "shop"},
                                                           {"program", 7},
                                                           {"classes", JsonArray{}},
                                                           {"classes", JsonArray{"shop.*"}},
                                                           {"classes", "shop.order"},
                                                           {"timeout_ms", 0},
                                                           {"timeout_ms", 600001},
                                                           {"timeout_ms", "1000"},
                                                           {"sha256", "abc"},
                                                           {"surprise", true}}) {
    JsonObject odd = Whole();
    odd[name] = value;
    EXPECT_FALSE(ReadProgramManifest("shop", odd)) << name << " " << base::ToText(value);
  }
}

TEST(ProgramManifest, AProgramCannotAskForWhatApprovalKeepsForItself) {
  for (const char* name : {"adapter.other", "approval.checkpoint.key", "two words", ""}) {
    JsonObject odd = Whole();
    odd["credentials"] = JsonArray{JsonObject{{"name", name}, {"kind", "secret"}}};
    EXPECT_FALSE(ReadProgramManifest("shop", odd)) << name;
  }
}

TEST(ProgramManifest, ASecretHasNoDefaultAndAChoiceHasChoices) {
  for (const JsonObject& setting :
       {JsonObject{{"name", "a"}, {"kind", "secret"}, {"default", "x"}},
        JsonObject{{"name", "a"}, {"kind", "choice"}},
        JsonObject{{"name", "a"}, {"kind", "config"}, {"choices", JsonArray{"x"}}},
        JsonObject{{"name", "a"}, {"kind", "password"}}}) {
    JsonObject odd = Whole();
    odd["credentials"] = JsonArray{setting};
    EXPECT_FALSE(ReadProgramManifest("shop", odd)) << base::ToText(setting);
  }
}

TEST(ProgramManifest, WordsOfTheVerbItselfAreNoNames) {
  for (const char* name :
       {"email", "agentmail", "zzz", "install", "list", "uninstall", "", "-x", "A", "a b", "a.b"}) {
    EXPECT_FALSE(IsInstallableName(name)) << name;
  }
  EXPECT_TRUE(IsInstallableName("notebook-2"));
}

}  // namespace
}  // namespace approval::adapters
