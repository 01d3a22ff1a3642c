// The hostile payloads of the shared vectors, through the canonical block and the card.
#include <gtest/gtest.h>

#include <charconv>

#include "render/card.h"
#include "tests/render/payloads.h"
#include "tests/support/hostile_vectors.h"

namespace approval::render {
namespace {

using base::Json;

std::string Str(const Json& value) { return std::string(value.get_string()); }

using testing::HostileInput;

std::vector<HostileInput> Payloads() { return testing::HostileInputs("payload"); }

std::string RawOf(std::string_view name) {
  std::uint32_t cp = 0;
  const std::string_view digits = name.substr(2);
  std::from_chars(digits.data(), digits.data() + digits.size(), cp, 16);
  std::string raw;
  base::AppendUtf8(raw, cp);
  return raw;
}

std::string CardText(const Json& payload) {
  std::string text;
  const Card card = BuildCard(RequestFor(payload), kTestNow, CardOptions{});
  for (const std::string& line : CardLines(card)) text += line + "\n";
  return text;
}

TEST(Hostile, PayloadHashesAreThoseOfTheVectors) {
  APPROVAL_REQUIRE_VECTORS();
  for (const HostileInput& hostile : Payloads()) {
    const Json* expected = hostile.index.if_contains("payload_sha256");
    if (expected == nullptr) continue;
    const auto block = CanonicalBlock(hostile.payload, "c");
    ASSERT_TRUE(block.has_value()) << hostile.id;
    EXPECT_EQ(block->payload_hash, Str(*expected)) << hostile.id;
  }
}

TEST(Hostile, NoForbiddenCodePointIsEmittedRaw) {
  APPROVAL_REQUIRE_VECTORS();
  for (const HostileInput& hostile : Payloads()) {
    const Json* forbidden = hostile.index.if_contains("forbid_raw");
    if (forbidden == nullptr) continue;
    const std::string block = CanonicalBlock(hostile.payload, "c")->text;
    const std::string card = CardText(hostile.payload);
    for (const Json& name : forbidden->get_array()) {
      EXPECT_EQ(block.find(RawOf(Str(name))), std::string::npos) << hostile.id;
      EXPECT_EQ(card.find(RawOf(Str(name))), std::string::npos) << hostile.id;
    }
  }
}

TEST(Hostile, WhatMustBeReadableIsReadableOnTheCardAndInTheBlock) {
  APPROVAL_REQUIRE_VECTORS();
  for (const HostileInput& hostile : Payloads()) {
    const std::string block = CanonicalBlock(hostile.payload, "c")->text;
    const std::string card = CardText(hostile.payload);
    for (const char* list : {"must_show", "must_keep"}) {
      const Json* texts = hostile.index.if_contains(list);
      if (texts == nullptr) continue;
      for (const Json& text : texts->get_array()) {
        EXPECT_NE(block.find(Str(text)), std::string::npos) << hostile.id << " " << text;
        EXPECT_NE(card.find(Str(text)), std::string::npos) << hostile.id << " " << text;
      }
    }
  }
}

TEST(Hostile, ControlsOfHonestTextCarryNoWarning) {
  APPROVAL_REQUIRE_VECTORS();
  for (const HostileInput& hostile : Payloads()) {
    // The Persian non-joiner is a format character; the vector allows its mark.
    if (Str(hostile.index.at("kind")) != "control" || hostile.id == "HV-013") continue;
    const Card card = BuildCard(RequestFor(hostile.payload), kTestNow, CardOptions{});
    EXPECT_TRUE(card.warnings.empty()) << hostile.id << " " << card.warnings.front().text;
  }
}

TEST(Hostile, WhatIsOddIsNamedInAWarning) {
  APPROVAL_REQUIRE_VECTORS();
  for (const HostileInput& hostile : Payloads()) {
    if (Str(hostile.index.at("treat")) != "show-with-warning") continue;
    const Card card = BuildCard(RequestFor(hostile.payload), kTestNow, CardOptions{});
    EXPECT_FALSE(card.warnings.empty()) << hostile.id;
  }
}

TEST(Hostile, PairsThatMustDifferDiffer) {
  APPROVAL_REQUIRE_VECTORS();
  std::vector<std::string> cards;
  for (const HostileInput& hostile : Payloads()) {
    if (Str(hostile.index.at("treat")) == "distinct-pair")
      cards.push_back(CardText(hostile.payload));
  }
  ASSERT_GE(cards.size(), 6u);
  for (std::size_t i = 0; i < cards.size(); ++i) {
    for (std::size_t j = i + 1; j < cards.size(); ++j) EXPECT_NE(cards[i], cards[j]);
  }
}

}  // namespace
}  // namespace approval::render
