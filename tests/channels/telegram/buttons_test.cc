// Buttons that prove themselves: channels.md 3.5.
#include "channels/telegram/buttons.h"

#include <gtest/gtest.h>

#include "core/base/encoding.h"
#include "core/base/sha256.h"

namespace approval::telegram {
namespace {

const std::string kKey(32, 'k');
const ButtonTarget kTarget{"task-101:chaser", std::string(64, 'a'), "700000001"};

bool Proves(const ButtonTarget& target, const std::string& data, std::string_view key = kKey) {
  const auto parsed = ParseButton(data);
  return parsed && IsButtonOf(key, target, *parsed);
}

// FR-001, FR-003
TEST(Buttons, AreFortyOneBytesWhateverTheKey) {
  for (const std::size_t size : {1u, 69u, 200u, 5'000u}) {
    ButtonTarget target = kTarget;
    target.action_key = std::string(size, 'x');
    EXPECT_EQ(ButtonData(kKey, target, ButtonVerb::kGrant).size(), 41u);
    EXPECT_EQ(ButtonData(kKey, target, ButtonVerb::kReason, 9, "wording").size(), 41u);
  }
}

TEST(Buttons, HaveTheVerbTheMacAndTheRef) {
  const std::string data = ButtonData(kKey, kTarget, ButtonVerb::kGrant);
  EXPECT_EQ(data.substr(0, 2), "g:");
  EXPECT_EQ(data.substr(24), ":" + base::Sha256Hex("task-101:chaser").substr(0, 16));
}

TEST(Buttons, ProveTheirTargetWithoutMemory) {
  EXPECT_TRUE(Proves(kTarget, ButtonData(kKey, kTarget, ButtonVerb::kGrant)));
  EXPECT_TRUE(Proves(kTarget, ButtonData(kKey, kTarget, ButtonVerb::kReject)));
  EXPECT_TRUE(Proves(kTarget, ButtonData(kKey, kTarget, ButtonVerb::kShowAgain)));
}

TEST(Buttons, AreBoundToTheRecordTheChatTheKeyAndTheVerb) {
  const std::string data = ButtonData(kKey, kTarget, ButtonVerb::kGrant);
  ButtonTarget other = kTarget;
  other.request_hash = std::string(64, 'b');
  EXPECT_FALSE(Proves(other, data));
  other = kTarget;
  other.chat_id = "700000002";
  EXPECT_FALSE(Proves(other, data));
  EXPECT_FALSE(Proves(kTarget, data, std::string(32, 'x')));
  EXPECT_FALSE(Proves(kTarget, "r" + data.substr(1)));
  EXPECT_FALSE(Proves(kTarget, "0" + data.substr(1)));
}

TEST(Buttons, AReasonIsBoundToItsText) {
  const auto parsed = ParseButton(ButtonData(kKey, kTarget, ButtonVerb::kReason, 1, "wording"));
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(parsed->reason, 1u);
  EXPECT_TRUE(IsButtonOf(kKey, kTarget, *parsed, "wording"));
  EXPECT_FALSE(IsButtonOf(kKey, kTarget, *parsed, "not now"));
}

TEST(Buttons, FieldsNeverRunIntoOneAnother) {
  ButtonTarget a = kTarget;
  ButtonTarget b = kTarget;
  a.request_hash = "12";
  a.chat_id = "3";
  b.request_hash = "1";
  b.chat_id = "23";
  EXPECT_NE(ButtonData(kKey, a, ButtonVerb::kGrant), ButtonData(kKey, b, ButtonVerb::kGrant));
}

TEST(Buttons, AnyOtherShapeIsNothing) {
  const std::string data = ButtonData(kKey, kTarget, ButtonVerb::kGrant);
  for (std::size_t i = 0; i < data.size(); ++i) {
    EXPECT_FALSE(ParseButton(data.substr(0, i)).has_value());
  }
  EXPECT_FALSE(ParseButton(data + "0").has_value());
  EXPECT_FALSE(ParseButton("x" + data.substr(1)).has_value());
  EXPECT_FALSE(ParseButton(data.substr(0, 24) + "_" + data.substr(25)).has_value());
  EXPECT_FALSE(ParseButton(std::string(41, '\0')).has_value());
}

}  // namespace
}  // namespace approval::telegram
