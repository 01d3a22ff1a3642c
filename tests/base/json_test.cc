#include "core/base/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/base/canonical.h"

namespace approval::base {
namespace {

JsonFault FaultOf(std::string_view text) {
  const auto parsed = ParseJson(text, kStrictJson);
  EXPECT_FALSE(parsed) << text;
  return parsed ? JsonFault::kSyntax : parsed.error().fault;
}

TEST(StrictJson, RefusesAMemberNamedTwice) {
  EXPECT_EQ(FaultOf(R"({"a":1,"a":2})"), JsonFault::kDuplicateMember);
  EXPECT_EQ(FaultOf(R"({"a":1,"\u0061":2})"), JsonFault::kDuplicateMember);
}

// channels.md 8.43
TEST(StrictJson, RefusesLoneSurrogates) {
  EXPECT_EQ(FaultOf(R"(["\ud800"])"), JsonFault::kLoneSurrogate);
  EXPECT_EQ(FaultOf(R"(["\udc00\ud800"])"), JsonFault::kLoneSurrogate);
  EXPECT_TRUE(ParseJson(R"(["\ud83d\ude00"])", kStrictJson));
}

// channels.md 8.43
TEST(StrictJson, RefusesInvalidUtf8) {
  EXPECT_EQ(FaultOf("[\"\xFF\"]"), JsonFault::kBadUtf8);
  EXPECT_EQ(FaultOf("[\"\xED\xA0\x80\"]"), JsonFault::kBadUtf8);
}

TEST(StrictJson, IsBoundedInDepthAndSize) {
  EXPECT_EQ(FaultOf(std::string(513, '[')), JsonFault::kTooDeep);
  EXPECT_TRUE(ParseJson(std::string(512, '[') + std::string(512, ']'), kStrictJson));
  JsonLimits small = kStrictJson;
  small.max_bytes = 3;
  EXPECT_EQ(ParseJson("[1 ]", small).error().fault, JsonFault::kTooLarge);
}

TEST(LenientJson, LetsTheLastDuplicateCount) {
  const auto parsed = ParseJson(R"({"a":1,"b":3,"a":2})", kLenientJson);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(*Canonicalize(*parsed), R"({"a":2,"b":3})");
}

TEST(LenientJson, KeepsLoneSurrogatesThroughTheCanonicalForm) {
  const auto parsed = ParseJson(R"(["\ud800x","\uDFFF"])", kLenientJson);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(*Canonicalize(*parsed), R"(["\ud800x","\udfff"])");
}

TEST(JsonNumbers, OverflowIsInfiniteAndUnderflowIsZero) {
  EXPECT_TRUE(std::isinf(ParseJson("1e400", kStrictJson)->get_double()));
  EXPECT_TRUE(std::isinf(ParseJson("0.1e99999999999999999999", kStrictJson)->get_double()));
  EXPECT_EQ(ParseJson("1e-400", kStrictJson)->get_double(), 0);
  EXPECT_EQ(ParseJson("0.000e-99999999999999999999", kStrictJson)->get_double(), 0);
  EXPECT_TRUE(std::signbit(ParseJson("-0", kStrictJson)->get_double()));
}

TEST(JsonNumbers, AnIntegerMayBeSpelledWithAFraction) {
  EXPECT_EQ(AsInteger(*ParseJson("1.0", kStrictJson)), 1);
  EXPECT_EQ(AsInteger(*ParseJson("2e0", kStrictJson)), 2);
  EXPECT_FALSE(AsInteger(*ParseJson("1.5", kStrictJson)));
  EXPECT_TRUE(IsIntegral(*ParseJson("1e300", kStrictJson)));
}

TEST(CanonicalForm, SortsMembersByUtf16Units) {
  const auto parsed = ParseJson("{\"\xEF\xBF\xBF\":1,\"\xF0\x90\x80\x80\":2,\"a\":3}", kStrictJson);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(*Canonicalize(*parsed), "{\"a\":3,\"\xF0\x90\x80\x80\":2,\"\xEF\xBF\xBF\":1}");
}

TEST(CanonicalForm, RefusesMoreThan512LevelsWhenWriting) {
  const std::string deep = std::string(600, '[') + std::string(600, ']');
  const auto parsed = ParseJson(deep, kLenientJson);
  ASSERT_TRUE(parsed);
  EXPECT_FALSE(Canonicalize(*parsed));
  EXPECT_EQ(*Canonicalize(*parsed, kMaxReadDepth), deep);
}

// Kind L: every byte string is a value or a coded refusal, and reading what was written changes
// nothing.
TEST(JsonReader, NeverCrashesOnMutatedText) {
  std::mt19937 random(20261130);
  const std::string seed =
      R"({"a":[1,-2.5e3,"x\u00e9\n\ud83d\ude00",true,false,null,{"b":{}}],"c":"é"})";
  int values = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = seed;
    for (unsigned edits = random() % 4; edits > 0; --edits) {
      text[random() % text.size()] = static_cast<char>(random() % 256);
    }
    const auto parsed = ParseJson(text, kLenientJson);
    if (!parsed) continue;
    ++values;
    const auto once = Canonicalize(*parsed, kMaxReadDepth);
    if (!once) continue;
    const auto again = ParseJson(*once, kLenientJson);
    ASSERT_TRUE(again) << *once;
    EXPECT_EQ(*Canonicalize(*again, kMaxReadDepth), *once);
  }
  EXPECT_GT(values, 100);
}

}  // namespace
}  // namespace approval::base
