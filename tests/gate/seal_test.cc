#include "core/gate/seal.h"

#include <gtest/gtest.h>

#include "core/base/encoding.h"
#include "core/base/files.h"
#include "core/base/sha256.h"
#include "tests/support/fakes.h"
#include "tests/support/temp_folder.h"
#include "tests/support/vectors.h"

namespace approval::gate {
namespace {

std::string Text(const base::JsonObject& object, const char* name) {
  return std::string(base::StringMember(object, name).value_or(""));
}

const base::JsonArray& Rows(const base::Json& document, const char* name) {
  return document.as_object().at(name).as_array();
}

TEST(SealVectors, EverySealOpensWithItsOwnKeyForItsOwnAction) {
  APPROVAL_REQUIRE_VECTORS();
  const auto document = testing::ReadJsonFile(testing::VectorsDir() / "seal/seal.json");
  ASSERT_FALSE(Rows(document, "opens").empty());
  for (const base::Json& row : Rows(document, "opens")) {
    const base::JsonObject& it = row.as_object();
    const base::Secret key(Text(it, "recipient_private_key_pkcs8_b64"));
    const auto token = OpenToken(it.at("token_sealed").as_object(), key, Text(it, "action_key"),
                                 Text(it, "token_sha256"));
    ASSERT_TRUE(token) << Text(it, "action_key");
    EXPECT_EQ(token->Reveal(), Text(it, "token"));
  }
}

TEST(SealVectors, KeyFilesAreNamedByThePercentEncodedActionKey) {
  APPROVAL_REQUIRE_VECTORS();
  const auto document = testing::ReadJsonFile(testing::VectorsDir() / "seal/seal.json");
  const RequesterKeys keys("home/log/events.jsonl");
  for (const base::Json& row : Rows(document, "opens")) {
    const base::JsonObject& it = row.as_object();
    EXPECT_EQ(base::BaseName(keys.PathOf(Text(it, "action_key"))), Text(it, "key_file_name"));
  }
}

TEST(SealVectors, EveryRefusalGivesNoToken) {
  APPROVAL_REQUIRE_VECTORS();
  const auto document = testing::ReadJsonFile(testing::VectorsDir() / "seal/seal.json");
  const base::JsonArray& opens = Rows(document, "opens");
  ASSERT_FALSE(Rows(document, "refuses").empty());
  for (const base::Json& row : Rows(document, "refuses")) {
    const base::JsonObject& it = row.as_object();
    const auto index = [&](const char* name, std::int64_t otherwise) {
      const base::Json* member = it.if_contains(name);
      return static_cast<std::size_t>(member != nullptr ? member->as_int64() : otherwise);
    };
    const std::size_t taken = index("take_seal_of", 0);
    const base::JsonObject& source = opens.at(taken).as_object();
    base::JsonObject sealed = source.at("token_sealed").as_object();
    if (it.contains("alg")) sealed["alg"] = it.at("alg");
    if (it.contains("flip")) {
      const std::string member = Text(it, "flip");
      std::string bytes = base::Base64Decode(Text(sealed, member.c_str())).value();
      bytes[0] = static_cast<char>(bytes[0] ^ 1);
      sealed[member] = base::Base64Encode(bytes);
    }
    const base::JsonObject& holder =
        opens.at(index("private_key_of", static_cast<std::int64_t>(taken))).as_object();
    const base::Secret key(Text(holder, "recipient_private_key_pkcs8_b64"));
    const std::string action = it.contains("open_as_action_key") ? Text(it, "open_as_action_key")
                                                                 : Text(source, "action_key");
    EXPECT_FALSE(OpenToken(sealed, key, action, Text(source, "token_sha256"))) << Text(it, "note");
  }
}

TEST(Seal, WhatWasSealedOpensForTheHolderOfThePrivateKey) {
  const auto keys = MakeSealingKeys();
  ASSERT_TRUE(keys);
  base::SystemRandom random;
  const auto sealed = SealToken("token", keys->recipient_key, "task:k", random);
  ASSERT_TRUE(sealed);
  const auto opened = OpenToken(*sealed, keys->private_key, "task:k", base::Sha256Hex("token"));
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->Reveal(), "token");
}

TEST(Seal, ATokenThatIsNotTheRecordedOneIsAFailedOpening) {
  const auto keys = MakeSealingKeys();
  ASSERT_TRUE(keys);
  base::SystemRandom random;
  const auto sealed = SealToken("token", keys->recipient_key, "task:k", random);
  ASSERT_TRUE(sealed);
  EXPECT_FALSE(OpenToken(*sealed, keys->private_key, "task:k", base::Sha256Hex("other")));
}

TEST(Seal, ARecipientKeyThatCannotBeParsedGivesNoSeal) {
  base::SystemRandom random;
  EXPECT_FALSE(SealToken("token", "MCowBQYDK2VuAyEA", "task:k", random));
}

}  // namespace
}  // namespace approval::gate
