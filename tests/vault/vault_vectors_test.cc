// Files of the vault in both directions: what others wrote opens here, and what we write is theirs
// to the byte.
#include <gtest/gtest.h>

#include "core/base/encoding.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "tests/support/temp_folder.h"
#include "tests/support/vectors.h"
#include "vault/vault.h"
#include "vault/vault_crypto.h"

namespace approval::vault {
namespace {

std::string Text(const base::JsonObject& object, const char* name) {
  return std::string(base::StringMember(object, name).value_or(""));
}

base::Json Index() { return testing::ReadJsonFile(testing::VectorsDir() / "vault/vectors.json"); }

const base::JsonArray& Rows(const base::Json& document, const char* name) {
  return document.as_object().at(name).as_array();
}

std::string File(const std::string& name) {
  return testing::ReadText(testing::VectorsDir() / "vault" / name);
}

// Hands out the bytes it was given, in order.
class ScriptedRandom final : public base::Random {
 public:
  explicit ScriptedRandom(std::vector<std::string> pieces) : pieces_(std::move(pieces)) {}
  std::string Bytes(std::size_t count) override {
    std::string piece = pieces_.at(next_++);
    EXPECT_EQ(piece.size(), count);
    return piece;
  }

 private:
  std::vector<std::string> pieces_;
  std::size_t next_ = 0;
};

TEST(VaultVectors, EveryFileOfTheIndexOpensWithExactlyItsEntries) {
  APPROVAL_REQUIRE_VECTORS();
  const base::Json index = Index();
  ASSERT_FALSE(Rows(index, "opens").empty());
  for (const base::Json& row : Rows(index, "opens")) {
    const base::JsonObject& it = row.as_object();
    const auto opened = OpenVaultText(File(Text(it, "file")), base::Secret(Text(it, "passphrase")));
    ASSERT_TRUE(opened) << Text(it, "file") << ": " << opened.error().message;
    const base::JsonObject& wanted = it.at("entries").as_object();
    EXPECT_EQ(opened->entries.size(), wanted.size()) << Text(it, "file");
    for (const auto& member : wanted) {
      const auto found = opened->entries.find(std::string_view(member.key()));
      ASSERT_NE(found, opened->entries.end()) << Text(it, "file");
      EXPECT_EQ(found->second.Reveal(), std::string_view(member.value().as_string()));
    }
  }
}

TEST(VaultVectors, NamesAreListedByCodeUnits) {
  APPROVAL_REQUIRE_VECTORS();
  const testing::TempFolder folder;
  base::SystemRandom random;
  const base::Json index = Index();
  for (const base::Json& row : Rows(index, "opens")) {
    const base::JsonObject& it = row.as_object();
    folder.Write("vault.enc", File(Text(it, "file")));
    const auto names =
        Vault(folder.Path("vault.enc"), random).List(base::Secret(Text(it, "passphrase")));
    ASSERT_TRUE(names);
    base::JsonArray listed;
    for (const std::string& name : *names) listed.push_back(base::Json(name));
    EXPECT_EQ(base::ToText(listed), base::ToText(it.at("names_sorted"))) << Text(it, "file");
  }
}

TEST(VaultVectors, EveryRefusalHasItsCode) {
  APPROVAL_REQUIRE_VECTORS();
  const testing::TempFolder folder;
  base::SystemRandom random;
  const base::Json index = Index();
  ASSERT_FALSE(Rows(index, "refuses").empty());
  for (const base::Json& row : Rows(index, "refuses")) {
    const base::JsonObject& it = row.as_object();
    const std::string path = (testing::VectorsDir() / "vault" / Text(it, "file")).string();
    const auto checked = Vault(path, random).Check(base::Secret(Text(it, "passphrase")));
    ASSERT_FALSE(checked) << Text(it, "file");
    EXPECT_EQ(base::Spelling(checked.error().code), Text(it, "expect_code")) << Text(it, "note");
  }
}

TEST(VaultVectors, TheKeyOfTheKnownAnswerIsDerived) {
  const auto key =
      DeriveKey(base::Secret(std::string("known answer")), "0123456789abcdef", 16384, 8, 1);
  ASSERT_TRUE(key);
  EXPECT_EQ(base::HexEncode(key->Reveal()),
            "7d198c06b7bc870004887cb0de921d3f02fdea1f40a35af6b2e7a2f6c48f24bf");
}

TEST(VaultVectors, TheSameSaltAndNonceGiveTheKnownFileToTheByte) {
  APPROVAL_REQUIRE_VECTORS();
  ScriptedRandom random({"0123456789abcdef", "noncenonceno"});
  KdfHeader header = FreshHeader(random);
  header.n = 16384;
  Entries entries;
  entries.emplace("a", base::Secret(std::string("1")));
  const auto key = DeriveVaultKey(header, base::Secret(std::string("known answer")));
  ASSERT_TRUE(key);
  const auto text = SealVaultText(header, entries, *key, random);
  ASSERT_TRUE(text);
  EXPECT_EQ(*text, File("kat-fixed.enc"));
}

TEST(VaultVectors, AFileOfTheReferenceIsExtendedAndKeepsItsKdfAndSalt) {
  APPROVAL_REQUIRE_VECTORS();
  const testing::TempFolder folder;
  base::SystemRandom random;
  folder.Write("vault.enc", File("kdf-N65536-r16-p2.enc"));
  Vault vault(folder.Path("vault.enc"), random);
  const base::Secret passphrase(std::string("tuned"));
  const auto stored = vault.Set("b", base::Secret(std::string("2")), passphrase);
  ASSERT_TRUE(stored) << stored.error().message;
  EXPECT_EQ(stored->count, 2u);
  const auto before = OpenVaultText(File("kdf-N65536-r16-p2.enc"), passphrase);
  const auto after = OpenVaultText(testing::ReadText(folder.Path("vault.enc")), passphrase);
  ASSERT_TRUE(before && after);
  EXPECT_EQ(after->kdf.salt_b64, before->kdf.salt_b64);
  EXPECT_EQ(after->kdf.n, 65536);
  EXPECT_EQ(after->kdf.r, 16);
  EXPECT_EQ(after->kdf.p, 2);
}

}  // namespace
}  // namespace approval::vault
