// Canonical JSON against what the reference answered: vectors/jcs and vectors/payload.
#include <gtest/gtest.h>

#include <bit>
#include <charconv>

#include "core/base/canonical.h"
#include "core/base/encoding.h"
#include "core/base/json.h"
#include "core/base/sha256.h"
#include "core/base/utf8.h"
#include "tests/support/vectors.h"

namespace approval::base {
namespace {

using approval::testing::ReadJsonFile;
using approval::testing::VectorsDir;

std::string Text(const JsonObject& object, std::string_view name) {
  return std::string(StringMember(object, name).value_or(""));
}

TEST(CanonicalVectors, EveryNumberHasEcmaScriptsLayoutAndReadsBack) {
  APPROVAL_REQUIRE_VECTORS();
  const Json rows = ReadJsonFile(VectorsDir() / "jcs" / "numbers.json");
  ASSERT_GT(rows.as_array().size(), 2000U);
  for (const Json& row : rows.as_array()) {
    const std::string bits(row.at(0).as_string());
    const std::string text(row.at(1).as_string());
    std::uint64_t raw = 0;
    std::from_chars(bits.data(), bits.data() + bits.size(), raw, 16);
    const double number = std::bit_cast<double>(raw);
    EXPECT_EQ(NumberText(number), text) << bits;
    const auto back = ParseJson(text, kStrictJson);
    ASSERT_TRUE(back) << text;
    EXPECT_EQ(AsDouble(*back), number == 0 ? 0.0 : number) << text;
  }
}

TEST(CanonicalVectors, EveryLiteralIsReadAsTheSameDouble) {
  APPROVAL_REQUIRE_VECTORS();
  const Json rows = ReadJsonFile(VectorsDir() / "jcs" / "literals.json");
  for (const Json& row : rows.as_array()) {
    const JsonObject& item = row.as_object();
    const std::string literal = Text(item, "literal");
    const auto parsed = ParseJson(literal, kLenientJson);
    if (Text(item, "error") == "not-json") {
      EXPECT_FALSE(parsed) << literal;
      continue;
    }
    ASSERT_TRUE(parsed) << literal;
    const auto canonical = Canonicalize(*parsed);
    if (item.contains("error")) {
      EXPECT_FALSE(canonical) << literal;
    } else {
      ASSERT_TRUE(canonical) << literal;
      EXPECT_EQ(*canonical, Text(item, "canonical")) << literal;
    }
  }
}

TEST(CanonicalVectors, EveryDocumentHasItsFormAndDigest) {
  APPROVAL_REQUIRE_VECTORS();
  const Json rows = ReadJsonFile(VectorsDir() / "jcs" / "documents.json");
  for (const Json& row : rows.as_array()) {
    const JsonObject& item = row.as_object();
    std::string input = Text(item, "input");
    if (item.contains("input_base64")) {
      input = ReplaceIllFormed(*Base64Decode(Text(item, "input_base64")));
    }
    const auto parsed = ParseJson(input, kLenientJson);
    if (Text(item, "error") == "not-json") {
      EXPECT_FALSE(parsed) << Text(item, "id");
      continue;
    }
    ASSERT_TRUE(parsed) << Text(item, "id");
    const auto canonical = Canonicalize(*parsed, kMaxReadDepth);
    if (item.contains("error")) {
      ASSERT_FALSE(canonical) << Text(item, "id");
      EXPECT_EQ(canonical.error().code, Code::kCanonicalization);
      continue;
    }
    ASSERT_TRUE(canonical) << Text(item, "id");
    if (item.contains("canonical_hex")) {
      EXPECT_EQ(HexEncode(*canonical), Text(item, "canonical_hex")) << Text(item, "id");
    }
    EXPECT_EQ(Sha256Hex(*canonical), Text(item, "sha256")) << Text(item, "id");
  }
}

TEST(CanonicalVectors, NonFiniteNumbersHaveNoForm) {
  APPROVAL_REQUIRE_VECTORS();
  const Json rows = ReadJsonFile(VectorsDir() / "jcs" / "non-finite.json");
  for (const Json& row : rows.as_array()) {
    const std::string bits = Text(row.as_object(), "bits");
    std::uint64_t raw = 0;
    std::from_chars(bits.data(), bits.data() + bits.size(), raw, 16);
    EXPECT_FALSE(Canonicalize(Json(std::bit_cast<double>(raw)))) << bits;
  }
}

TEST(CanonicalVectors, KnownRecordsHashAsPublished) {
  APPROVAL_REQUIRE_VECTORS();
  const Json rows = ReadJsonFile(VectorsDir() / "jcs" / "known-answer.json");
  for (const Json& row : rows.as_array()) {
    const JsonObject& item = row.as_object();
    const auto canonical = Canonicalize(item.at("input"));
    ASSERT_TRUE(canonical);
    EXPECT_EQ(*canonical, Text(item, "expected_canonical"));
    EXPECT_EQ(Sha256Hex(*canonical), Text(item, "expected_hash"));
  }
}

// Payloads are read strictly (spec README item 19): these three have a digest in the reference
// only.
bool ReferenceOnly(std::string_view id) {
  return id == "lone-surrogate" || id == "dup-keys" || id == "invalid-utf8";
}

TEST(PayloadVectors, EveryPayloadHasItsHashOrIsRefused) {
  APPROVAL_REQUIRE_VECTORS();
  const Json rows = ReadJsonFile(VectorsDir() / "payload" / "vectors.json");
  for (const Json& row : rows.as_array()) {
    const JsonObject& item = row.as_object();
    const std::string id = Text(item, "id");
    std::string input = Text(item, "input");
    if (item.contains("input_base64")) input = *Base64Decode(Text(item, "input_base64"));
    const auto parsed = ParseJson(input, kStrictJson);
    const auto hash = parsed ? CanonicalHash(*parsed) : Fail(Code::kUsage, "not JSON");
    if (ReferenceOnly(id) || item.at("exit").as_int64() != 0) {
      EXPECT_FALSE(hash) << id;
    } else {
      ASSERT_TRUE(hash) << id;
      EXPECT_EQ(*hash, Text(item, "hash")) << id;
    }
  }
}

TEST(PayloadVectors, TheHashOfARunBindsArgvAndFolder) {
  APPROVAL_REQUIRE_VECTORS();
  const Json rows = ReadJsonFile(VectorsDir() / "payload" / "argv.json");
  for (const Json& row : rows.as_array()) {
    const JsonObject& item = row.as_object();
    const Json value = JsonObject{{"argv", item.at("argv")}, {"cwd", item.at("cwd")}};
    EXPECT_EQ(*Canonicalize(value), Text(item, "canonical"));
    EXPECT_EQ(*CanonicalHash(value), Text(item, "hash"));
  }
}

}  // namespace
}  // namespace approval::base
