#include "vault/vault.h"

#include <gtest/gtest.h>

#include "core/base/encoding.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "tests/vault/vault_rig.h"

namespace approval::vault {
namespace {

using base::Code;

TEST(VaultPlace, LiesBesideTheLogFolderOrNextToALogElsewhere) {
  EXPECT_EQ(DefaultVaultPath(".approval/log/events.jsonl"), ".approval/vault.enc");
  EXPECT_EQ(DefaultVaultPath("/x/own/events.jsonl"), "/x/own/vault.enc");
}

TEST_F(VaultTest, SetListRemoveAndUnlockAgreeThroughTheFile) {
  ASSERT_TRUE(vault_.Set("smtp.user", S("u"), pass_));
  const auto second = vault_.Set("smtp.host", S("h"), pass_);
  ASSERT_TRUE(second);
  EXPECT_TRUE(second->created);
  EXPECT_EQ(second->count, 2u);
  EXPECT_FALSE(vault_.Set("smtp.host", S("h2"), pass_)->created);
  EXPECT_EQ(*vault_.List(pass_), (std::vector<std::string>{"smtp.host", "smtp.user"}));
  EXPECT_EQ(vault_.Unlock(pass_)->find("smtp.host")->second.Reveal(), "h2");
  EXPECT_EQ(*vault_.Remove("smtp.host", pass_), 1u);
  EXPECT_EQ(*vault_.Check(pass_), 1u);
}

TEST_F(VaultTest, TheFileHoldsNothingInClearNorAsBase64) {
  ASSERT_TRUE(vault_.Set("smtp.password", S("hunter2-hunter2"), pass_));
  for (const char* text : {"smtp.password", "hunter2-hunter2", "correct horse"}) {
    EXPECT_EQ(Bytes().find(text), std::string::npos);
    EXPECT_EQ(Bytes().find(base::Base64Encode(text)), std::string::npos);
  }
}

TEST_F(VaultTest, TheSameValueTwiceHasAnotherNonceAndCiphertextAndTheSameSalt) {
  ASSERT_TRUE(vault_.Set("a", S("1"), pass_));
  const auto first = base::ParseJson(Bytes(), base::kStrictJson)->as_object();
  ASSERT_TRUE(vault_.Set("a", S("1"), pass_));
  const auto second = base::ParseJson(Bytes(), base::kStrictJson)->as_object();
  EXPECT_NE(first.at("nonce_b64"), second.at("nonce_b64"));
  EXPECT_NE(first.at("ciphertext_b64"), second.at("ciphertext_b64"));
  EXPECT_EQ(first.at("kdf"), second.at("kdf"));
}

TEST_F(VaultTest, RemovingTheLastNameLeavesAnEmptyVault) {
  ASSERT_TRUE(vault_.Set("a", S("1"), pass_));
  EXPECT_EQ(*vault_.Remove("a", pass_), 0u);
  EXPECT_EQ(*vault_.Check(pass_), 0u);
}

TEST_F(VaultTest, ANameThatIsNotThereIsRefusedAndTheFileStaysByteForByte) {
  ASSERT_TRUE(vault_.Set("a", S("1"), pass_));
  const std::string before = Bytes();
  const auto removed = vault_.Remove("b", pass_);
  ASSERT_FALSE(removed);
  EXPECT_EQ(removed.error().code, Code::kCredentialAbsent);
  EXPECT_EQ(Bytes(), before);
}

TEST_F(VaultTest, BadNamesAndEmptyValuesAreRefusedBeforeTheFileIsTouched) {
  for (const char* name : {"", "a b", "a\n", "\xc3\xbc", "a\x7f"}) {
    const auto stored = vault_.Set(name, S("1"), pass_);
    ASSERT_FALSE(stored);
    EXPECT_EQ(stored.error().code, Code::kInvalidName);
  }
  EXPECT_EQ(vault_.Set("a", S(""), pass_).error().code, Code::kEmptyValue);
  EXPECT_EQ(vault_.Set("a", S("1"), S("")).error().code, Code::kPassphraseUnset);
  EXPECT_FALSE(vault_.Present());
  EXPECT_EQ(base::StateOf(folder_.Path("home")), base::FileState::kMissing);
}

TEST_F(VaultTest, AnAbsentFileIsSaidByListRemoveCheckAndUnlock) {
  EXPECT_EQ(vault_.List(pass_).error().code, Code::kVaultAbsent);
  EXPECT_EQ(vault_.Remove("a", pass_).error().code, Code::kVaultAbsent);
  EXPECT_EQ(vault_.Check(pass_).error().code, Code::kVaultAbsent);
  EXPECT_EQ(vault_.Unlock(pass_).error().code, Code::kVaultAbsent);
}

TEST_F(VaultTest, AFileThatCannotBeReadIsIoAndNotDamage) {
  folder_.Write("home/vault.enc/file", "x");
  EXPECT_EQ(vault_.Check(pass_).error().code, Code::kVaultIo);
}

TEST_F(VaultTest, AWrongPassphraseAndAnAlteredFileAreOneAnswer) {
  ASSERT_TRUE(vault_.Set("a", S("1"), pass_));
  const auto wrong = vault_.Check(S("wrong"));
  std::string text = Bytes();
  const std::size_t at = text.find("\"tag_b64\": \"") + 12;
  text[at] = text[at] == 'A' ? 'B' : 'A';
  folder_.Write("home/vault.enc", text);
  const auto altered = vault_.Check(pass_);
  ASSERT_FALSE(wrong);
  ASSERT_FALSE(altered);
  EXPECT_EQ(wrong.error().code, Code::kVaultUnreadable);
  EXPECT_EQ(altered.error().code, wrong.error().code);
  EXPECT_EQ(altered.error().message, wrong.error().message);
}

TEST_F(VaultTest, FR174_SaltOrNonceOfZerosIsRefusedBeforeAnyKeyIsDerived) {
  SeedLight();
  const std::string good = Bytes();
  for (const char* member : {"salt_b64", "nonce_b64"}) {
    std::string text = good;
    const std::size_t at = text.find(member) + std::string_view(member).size() + 4;
    const std::size_t bytes = std::string_view(member) == "salt_b64" ? 16 : 12;
    const std::string zeros = base::Base64Encode(std::string(bytes, '\0'));
    text.replace(at, zeros.size(), zeros);
    EXPECT_EQ(OpenVaultText(text, pass_).error().code, Code::kVaultMalformed);
  }
}

TEST_F(VaultTest, AHeaderThatAsksForTooMuchMemoryIsRefusedWithoutDeriving) {
  KdfHeader header = FreshHeader(random_);
  header.n = 1048576;
  header.r = 32;
  const std::string text =
      "{\"version\":1,\"kdf\":{\"alg\":\"scrypt\",\"N\":1048576,\"r\":32,\"p\":16,\"salt_b64\":\"" +
      header.salt_b64 +
      "\"},\"nonce_b64\":\"bm9uY2Vub25jZW5v\",\"tag_b64\":\"MkQrKdHcX7LMlAjHklQVvA==\","
      "\"ciphertext_b64\":\"\"}";
  EXPECT_EQ(OpenVaultText(text, pass_).error().code, Code::kVaultMalformed);
}

TEST_F(VaultTest, ANewVaultDerivesWithAHundredThousandRoundsAndAnOlderOneKeepsItsOwn) {
  ASSERT_TRUE(vault_.Set("a", S("1"), pass_));
  EXPECT_NE(Bytes().find("\"N\": 131072,"), std::string::npos);
  SeedLight();
  ASSERT_TRUE(vault_.Set("b", S("2"), pass_));
  EXPECT_NE(Bytes().find("\"N\": 4096,"), std::string::npos);
}

TEST_F(VaultTest, ChangingThePassphraseSealsEverythingAnewUnderTodaysDerivation) {
  SeedLight();
  const std::string before = Bytes();
  const auto changed = vault_.ChangePassphrase(pass_, S("fresh"));
  ASSERT_TRUE(changed) << changed.error().message;
  EXPECT_EQ(*changed, 1u);
  EXPECT_EQ(vault_.Check(pass_).error().code, Code::kVaultUnreadable);
  const auto opened = vault_.Unlock(S("fresh"));
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->find("a")->second.Reveal(), "1");
  EXPECT_NE(Bytes().find("\"N\": 131072,"), std::string::npos);
  EXPECT_EQ(Mode(), mode_t{0600});
  EXPECT_EQ(NamesIn(folder_.Path("home")), std::vector<std::string>{"vault.enc"});
}

TEST_F(VaultTest, AWrongOldOrAnEmptyNewPassphraseChangesNothing) {
  SeedLight();
  const std::string before = Bytes();
  EXPECT_EQ(vault_.ChangePassphrase(S("wrong"), S("fresh")).error().code, Code::kVaultUnreadable);
  EXPECT_EQ(vault_.ChangePassphrase(pass_, S("")).error().code, Code::kPassphraseUnset);
  EXPECT_EQ(Bytes(), before);
  Vault missing(folder_.Path("home/other.enc"), random_);
  EXPECT_EQ(missing.ChangePassphrase(pass_, S("fresh")).error().code, Code::kVaultAbsent);
}

TEST(SecretMemory, ASecretLiesInLockedMemoryAndIsGoneAfterClear) {
  base::Secret secret(std::string("a passphrase that is long enough"));
  EXPECT_TRUE(secret.locked());
  secret.Clear();
  EXPECT_TRUE(secret.empty());
  EXPECT_FALSE(secret.locked());
}

TEST_F(VaultTest, TheNameProtoIsStoredLikeAnyOther) {
  ASSERT_TRUE(vault_.Set("__proto__", S("1"), pass_));
  EXPECT_EQ(*vault_.List(pass_), std::vector<std::string>{"__proto__"});
}

TEST_F(VaultTest, NoRefusalHoldsTheValueOrThePassphrase) {
  const base::Secret value = S("value-4711");
  std::vector<base::Error> refusals;
  const auto keep = [&](const base::Error& error) { refusals.push_back(error); };
  keep(vault_.Set("a b", value, pass_).error());
  keep(vault_.Set("a", value, S("")).error());
  keep(vault_.List(pass_).error());
  ASSERT_TRUE(vault_.Set("stored-name", value, pass_));
  keep(vault_.Set("a", value, S("wrong-pass")).error());
  keep(vault_.Remove("absent", pass_).error());
  folder_.Write("home/vault.enc", "{}");
  keep(vault_.Set("a", value, pass_).error());
  for (const base::Error& error : refusals) {
    const std::string text = error.message + base::ToText(error.details);
    for (const char* secret : {"value-4711", "correct horse", "wrong-pass", "stored-name"}) {
      EXPECT_EQ(text.find(secret), std::string::npos) << text;
    }
    EXPECT_EQ(base::StringMember(error.details, "path"), path_);
  }
}

}  // namespace
}  // namespace approval::vault
