#include <gtest/gtest.h>

#include "core/base/duration.h"
#include "core/base/encoding.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/instant.h"
#include "core/base/money.h"
#include "core/base/names.h"
#include "core/base/secret.h"
#include "core/base/sha256.h"
#include "core/base/utf8.h"
#include "tests/support/temp_folder.h"
#include "tests/support/vectors.h"

namespace approval::base {
namespace {

TEST(Instants, EveryVectorFormHasItsInstantOrNone) {
  APPROVAL_REQUIRE_VECTORS();
  const Json rows =
      approval::testing::ReadJsonFile(approval::testing::VectorsDir() / "log" / "timestamps.json");
  for (const Json& row : rows.as_array()) {
    const JsonObject& item = row.as_object();
    const auto instant = ParseInstant(*StringMember(item, "ts"));
    const auto expected = AsInteger(item.at("epoch_ms"));
    EXPECT_EQ(instant, expected) << *StringMember(item, "ts");
  }
}

TEST(Instants, WhatWeWriteReadsBack) {
  EXPECT_EQ(FormatInstant(1785834000123), "2026-08-04T09:00:00.123Z");
  EXPECT_EQ(ParseInstant("2026-08-04T09:00:00.123Z"), 1785834000123);
  EXPECT_EQ(FormatInstant(0), "1970-01-01T00:00:00.000Z");
}

TEST(Durations, HaveOneUnitAndNoZero) {
  EXPECT_EQ(ParseDurationMs("15m"), 900'000);
  EXPECT_EQ(ParseDurationMs("1w"), 604'800'000);
  EXPECT_EQ(ParseDurationMs("250ms"), 250);
  for (const char* bad : {"", "0s", "05s", "1.5h", "1h30m", " 1s", "1s ", "s", "1", "-1s", "1M"}) {
    EXPECT_FALSE(ParseDurationMs(bad)) << bad;
  }
  EXPECT_TRUE(MatchesDurationPattern("9007199254740992s"));
  EXPECT_FALSE(ParseDurationMs("9007199254740992s"));
}

TEST(Money, IsACanonicalDecimalString) {
  EXPECT_EQ(MoneyText(20'000), "0.02");
  EXPECT_EQ(MoneyText(30'000'000), "30");
  EXPECT_EQ(MoneyText(-29'500'000), "-29.5");
  EXPECT_EQ(ParseMoneyText("0.02"), 20'000);
  for (const char* bad : {"", "0.", "0.10", "01", "-1", "1e3", ".5", "0.0000001", "1 "}) {
    EXPECT_FALSE(ParseMoneyText(bad)) << bad;
  }
}

TEST(Money, RoundsNumbersHalfUp) {
  EXPECT_EQ(MoneyFromJson(Json(0.02)), 20'000);
  EXPECT_EQ(MoneyFromJson(Json(30)), 30'000'000);
  EXPECT_FALSE(MoneyFromJson(Json(-0.5)));
  EXPECT_FALSE(MoneyFromJson(Json("x")));
  EXPECT_EQ(DollarText(20'000), "$0.02");
  EXPECT_EQ(DollarText(500'000), "$0.50");
  EXPECT_EQ(DollarText(1'000'000), "$1.00");
}

TEST(Utf8, EachMaximalIllFormedPartBecomesOneReplacement) {
  const std::string r = "\xEF\xBF\xBD";
  EXPECT_EQ(ReplaceIllFormed("\xFF"), r);
  EXPECT_EQ(ReplaceIllFormed("\xC0\xAF"), r + r);
  EXPECT_EQ(ReplaceIllFormed("\xE2\x82"), r);
  EXPECT_EQ(ReplaceIllFormed("\xED\xA0\x80"), r + r + r);
  EXPECT_EQ(ReplaceIllFormed("\xF5\x80\x80\x80"), r + r + r + r);
  EXPECT_EQ(ReplaceIllFormed("\xEF\xBB\xBFx"), "\xEF\xBB\xBFx");
}

TEST(Utf8, CountsInTheUnitsOfTheChannel) {
  EXPECT_EQ(CountUtf16Units("a\xC3\xA9\xF0\x9F\x98\x80"), 4U);
  EXPECT_EQ(CountCodePoints("a\xC3\xA9\xF0\x9F\x98\x80"), 3U);
  EXPECT_TRUE(IsEcmaBlank("\xC2\xA0\t\xEF\xBB\xBF\xE3\x80\x80"));
}

TEST(Names, AnActorIsAPrefixAndAName) {
  EXPECT_TRUE(IsActor("human:alice"));
  EXPECT_TRUE(IsActor("agent:x\ny"));
  for (const char* bad : {"", "human:", "human:\nx", "robot:x", "alice", "Human:x"}) {
    EXPECT_FALSE(IsActor(bad)) << bad;
  }
  EXPECT_FALSE(IsHumanOrAgent("system:gate"));
  EXPECT_TRUE(IsConcreteClass("communicate.email.external"));
  for (const char* bad : {"", "a..b", "A", "a.*", "-a", "a.", "a b"}) {
    EXPECT_FALSE(IsConcreteClass(bad)) << bad;
  }
}

TEST(Encoding, Base64AcceptsBothAlphabetsAndNothingElse) {
  EXPECT_EQ(Base64Encode("ab?>"), "YWI/Pg==");
  EXPECT_EQ(Base64Decode("YWI_Pg"), "ab?>");
  EXPECT_EQ(Base64Decode(" YWI/\nPg== "), "ab?>");
  EXPECT_FALSE(Base64Decode("YWI/P*=="));
  EXPECT_FALSE(Base64Decode("Y"));
  EXPECT_FALSE(Base64Decode("YW==WI"));
}

TEST(Digests, MatchThePublishedAnswers) {
  EXPECT_EQ(Sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(HexEncode(AsBytes(HmacSha256("Jefe", "what do ya want for nothing?"))),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_TRUE(EqualConstantTime("a", "a"));
  EXPECT_FALSE(EqualConstantTime("a", "b"));
}

TEST(Codes, AreSpelledAsTheConventionSpellsThem) {
  EXPECT_EQ(Spelling(Code::kPolicyNotAttested), "policy-not-attested");
  EXPECT_EQ(Spelling(Code::kDuplicateRequest), "duplicate-request");
  EXPECT_EQ(Spelling(Code::kTokenConsumed), "token-consumed");
}

TEST(Secrets, AreGoneAfterAMove) {
  Secret first(std::string("short"));
  const Secret second = std::move(first);
  EXPECT_EQ(second.Reveal(), "short");
  EXPECT_TRUE(first.empty());  // NOLINT(bugprone-use-after-move)
}

TEST(Files, ReplacingLeavesTheOldFileOnFailureAndNoLeftovers) {
  const approval::testing::TempFolder folder;
  const std::string path = folder.Path("a.txt");
  ASSERT_TRUE(ReplaceFile(path, "one"));
  EXPECT_EQ(*ReadFile(path), "one");
  EXPECT_FALSE(ReplaceFile(folder.Path("missing/a.txt"), "x"));
  ASSERT_TRUE(MakeFolders(folder.Path("dir")));
  EXPECT_FALSE(ReplaceFile(folder.Path("dir"), "x"));
  EXPECT_EQ(folder.Names(), (std::vector<std::string>{"a.txt", "dir"}));
  EXPECT_EQ(ReadFile(folder.Path("none")).error().code, Code::kAbsent);
}

}  // namespace
}  // namespace approval::base
