// Sealed delivery through a whole life (core.md 5.16).
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/gate/rig.h"

namespace approval::gate {
namespace {

using testing::CodeOf;
using testing::kHour;
using testing::Letter;
using testing::Rig;

class SealedTest : public ::testing::Test {
 protected:
  SealedTest() { EXPECT_TRUE(rig_.Ask()); }

  std::string KeyFile() const { return RequesterKeys(rig_.gate.log_path()).PathOf("k"); }
  bool KeyLives() const { return std::filesystem::exists(KeyFile()); }
  std::size_t KeyFiles() const {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(rig_.folder.Path("keys"))) {
      count += entry.path().filename() == ".gitignore" ? 0U : 1U;
    }
    return count;
  }

  Rig rig_{
      "defaults:\n  approval_ttl: 1h\n  token_delivery: sealed\n"
      "classes:\n  communicate.email.external: {autonomy: manual}\n"};
};

mode_t ModeOf(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 ? info.st_mode & 07777 : 0;
}

TEST_F(SealedTest, TheRequestPublishesAKeyAndKeepsItsPrivateHalfForTheOwnerAlone) {
  EXPECT_FALSE(rig_.LastText("token_recipient_key").empty());
  EXPECT_EQ(ModeOf(KeyFile()), 0600U);
  EXPECT_EQ(ModeOf(rig_.folder.Path("keys")), 0700U);
  EXPECT_EQ(KeyFiles(), 1U);
}

TEST_F(SealedTest, ASealedTokenOpensForItsRequester) {
  const auto granted = rig_.Grant();
  ASSERT_TRUE(granted);
  EXPECT_TRUE(granted->sealed);
  const auto view = rig_.gate.WaitView("t-1");
  ASSERT_TRUE(view->at(0).token);
  EXPECT_EQ(view->at(0).token->Reveal(), granted->token->Reveal());
}

TEST_F(SealedTest, AStartOpensItByItself) {
  ASSERT_TRUE(rig_.Grant());
  EXPECT_EQ(CodeOf(rig_.Start("")), "ok");
}

TEST_F(SealedTest, TheKeyDiesWhenTheTokenIsSpent) {
  const auto granted = rig_.Grant();
  ASSERT_TRUE(KeyLives());
  ASSERT_TRUE(rig_.Consume(granted->token->Reveal()));
  EXPECT_FALSE(KeyLives());
}

TEST_F(SealedTest, TheKeyDiesWhenTheRequestExpires) {
  rig_.clock.Advance(kHour + 1);
  ASSERT_TRUE(rig_.gate.Expire("k"));
  EXPECT_FALSE(KeyLives());
}

TEST_F(SealedTest, TheKeyDiesWhenTheGrantIsRevoked) {
  ASSERT_TRUE(rig_.Grant());
  ASSERT_TRUE(rig_.Revoke());
  EXPECT_FALSE(KeyLives());
}

TEST_F(SealedTest, TheKeyDiesWhenTheRequestIsRejectedOrWithdrawn) {
  ASSERT_TRUE(rig_.Reject());
  EXPECT_FALSE(KeyLives());
  ASSERT_TRUE(rig_.Request());
  ASSERT_TRUE(KeyLives());
  ASSERT_TRUE(rig_.gate.Withdraw("t-1", "k", "agent:claude", "cancelled", std::nullopt));
  EXPECT_FALSE(KeyLives());
}

TEST_F(SealedTest, ARefusedSpendLeavesTheKey) {
  const auto granted = rig_.Grant();
  ASSERT_EQ(CodeOf(rig_.Consume(granted->token->Reveal(), Letter("Hello!"))), "payload-mismatch");
  EXPECT_TRUE(KeyLives());
}

TEST_F(SealedTest, ADuplicateRequestLeavesTheKeyOfTheFirst) {
  const std::string key = *base::ReadFile(KeyFile());
  ASSERT_EQ(CodeOf(rig_.Request()), "duplicate-request");
  EXPECT_EQ(*base::ReadFile(KeyFile()), key);
  EXPECT_EQ(KeyFiles(), 1U);
}

TEST_F(SealedTest, WithoutTheKeyAStartAsksForTheToken) {
  const auto granted = rig_.Grant();
  std::filesystem::remove(KeyFile());
  EXPECT_EQ(CodeOf(rig_.Start("")), "token-required");
  EXPECT_EQ(CodeOf(rig_.Start(granted->token->Reveal())), "ok");
}

TEST_F(SealedTest, ASecondStartIsToldThatTheTokenIsSpent) {
  ASSERT_TRUE(rig_.Grant());
  ASSERT_TRUE(rig_.Start(""));
  EXPECT_EQ(CodeOf(rig_.Start("")), "token-consumed");
}

TEST_F(SealedTest, AMissingLogBesideALivingKeyIsRefused) {
  std::filesystem::remove(rig_.gate.log_path());
  std::filesystem::remove_all(rig_.folder.Path("payloads"));
  EXPECT_EQ(CodeOf(rig_.Request()), "log-unreadable");
}

TEST(Sealed, AKeyThatCannotBeKeptRefusesTheRequest) {
  Rig rig(
      "defaults:\n  token_delivery: sealed\n"
      "classes:\n  communicate.email.external: {autonomy: manual}\n");
  ASSERT_TRUE(rig.Register("t-1", {testing::Action{}}));
  rig.folder.Write("keys", "a file where the folder belongs");
  const std::size_t before = rig.Count();
  EXPECT_EQ(CodeOf(rig.Request()), "token-delivery-unavailable");
  EXPECT_EQ(rig.Count(), before);
}

TEST(Sealed, ARecipientKeyThatCannotBeUsedDropsTheSealAndTheGrantStands) {
  Rig rig;
  log::Draft asked{"approval.requested", "agent:claude", "t-1", "k"};
  asked.payload = base::JsonObject{{"class", "communicate.email.external"},
                                   {"payload_hash", testing::HashOf(Letter())},
                                   {"token_recipient_key", "MCowBQYDK2VuAyEA"}};
  ASSERT_TRUE(rig.Append(asked));
  const auto granted = rig.Grant();
  ASSERT_TRUE(granted);
  EXPECT_FALSE(granted->sealed);
  EXPECT_FALSE(rig.Last().payload.contains("token_sealed"));
  EXPECT_EQ(CodeOf(rig.Consume(granted->token->Reveal())), "ok");
}

}  // namespace
}  // namespace approval::gate
