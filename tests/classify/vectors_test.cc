// vectors/classify: what the tokenizer alone decides, on real command lines.
#include "tests/support/vectors.h"

#include <gtest/gtest.h>

#include <sstream>

#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/classify/tokenizer.h"

namespace approval::classify {
namespace {

std::vector<base::JsonObject> Vectors() {
  std::vector<base::JsonObject> rows;
  std::istringstream lines(testing::ReadText(testing::VectorsDir() / "classify" / "vectors.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    auto row = base::ParseJson(line, base::kLenientJson);
    EXPECT_TRUE(row.has_value()) << line;
    if (row) rows.push_back(row->get_object());
  }
  EXPECT_EQ(rows.size(), 750u);
  return rows;
}

std::string CommandOf(const base::JsonObject& row) {
  return std::string(*base::StringMember(row, "command"));
}

TEST(ClassifyVectors, EverySegmentHasItsText) {
  APPROVAL_REQUIRE_VECTORS();
  int checked = 0;
  for (const base::JsonObject& row : Vectors()) {
    const base::JsonObject& expect = row.at("expect").get_object();
    if (!expect.at("ok").get_bool()) continue;
    const auto segments = Tokenize(CommandOf(row));
    ASSERT_TRUE(segments.has_value()) << CommandOf(row) << ": " << segments.error().detail;
    const base::JsonArray& wanted = expect.at("segments").get_array();
    ASSERT_EQ(segments->size(), wanted.size()) << CommandOf(row);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      EXPECT_EQ((*segments)[i].text, *base::StringMember(wanted[i].get_object(), "text"));
      EXPECT_FALSE((*segments)[i].opaque) << CommandOf(row);
    }
    ++checked;
  }
  EXPECT_EQ(checked, 566);
}

TEST(ClassifyVectors, ACommandIsRefusedExactlyWhenTheReferenceRefusesToReadIt) {
  APPROVAL_REQUIRE_VECTORS();
  int refused = 0;
  for (const base::JsonObject& row : Vectors()) {
    const base::JsonObject& expect = row.at("expect").get_object();
    const bool readable = base::StringMember(expect, "code") != "unparseable";
    const auto segments = Tokenize(CommandOf(row));
    EXPECT_EQ(segments.has_value(), readable) << CommandOf(row);
    if (readable || segments) continue;
    ++refused;
    EXPECT_EQ(segments.error().detail, *base::StringMember(expect, "detail"));
    EXPECT_EQ(base::TrimEcma(CommandOf(row)), *base::StringMember(expect, "segment"));
  }
  EXPECT_EQ(refused, 11);
}

// The segment of a refusal that the table makes is one of the tokenizer's.
TEST(ClassifyVectors, ARefusedSegmentIsOneOfTheSegments) {
  APPROVAL_REQUIRE_VECTORS();
  for (const base::JsonObject& row : Vectors()) {
    const base::JsonObject& expect = row.at("expect").get_object();
    const auto code = base::StringMember(expect, "code");
    if (!code || *code == "unparseable") continue;
    const auto segments = Tokenize(CommandOf(row));
    ASSERT_TRUE(segments.has_value()) << CommandOf(row);
    const std::string_view wanted = *base::StringMember(expect, "segment");
    const bool is_empty = *base::StringMember(expect, "detail") == "empty command";
    EXPECT_EQ(segments->empty(), is_empty) << CommandOf(row);
    EXPECT_EQ(std::any_of(segments->begin(), segments->end(),
                          [&](const Segment& segment) { return segment.text == wanted; }),
              !is_empty)
        << CommandOf(row);
  }
}

TEST(ClassifyVectors, BackticksAndArithmeticAreOpaqueForTheSameReason) {
  APPROVAL_REQUIRE_VECTORS();
  int opaque = 0;
  for (const base::JsonObject& row : Vectors()) {
    const auto detail = base::StringMember(row.at("expect").get_object(), "detail");
    if (detail != "backtick command substitution" && detail != "arithmetic expansion") continue;
    const auto segments = Tokenize(CommandOf(row));
    ASSERT_TRUE(segments.has_value());
    EXPECT_EQ((*segments)[0].opaque, *detail) << CommandOf(row);
    ++opaque;
  }
  EXPECT_EQ(opaque, 5);
}

}  // namespace
}  // namespace approval::classify
