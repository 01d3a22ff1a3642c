#include "core/gate/payload_store.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/gate/rig.h"

namespace approval::gate {
namespace {

using testing::CodeOf;
using testing::HashOf;
using testing::Letter;

class PayloadStoreTest : public ::testing::Test {
 protected:
  std::vector<std::string> Stored() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(store_.folder())) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }

  testing::TempFolder folder_;
  PayloadStore store_{folder_.Path("log/events.jsonl")};
  const std::string hash_ = HashOf(Letter());
  const std::string canonical_ = *base::Canonicalize(Letter());
};

TEST_F(PayloadStoreTest, ItLiesBesideTheFolderOfTheLog) {
  EXPECT_EQ(store_.folder(), folder_.Path("payloads"));
}

TEST_F(PayloadStoreTest, WhatIsPutComesBackByItsHash) {
  ASSERT_TRUE(store_.Put(hash_, canonical_));
  const auto stored = store_.Get(hash_);
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->text, canonical_);
  EXPECT_EQ(HashOf(stored->value), hash_);
}

TEST_F(PayloadStoreTest, TheFileHoldsExactlyTheCanonicalBytes) {
  ASSERT_TRUE(store_.Put(hash_, canonical_));
  EXPECT_EQ(*base::ReadFile(folder_.Path("payloads/" + hash_ + ".json")), canonical_);
}

TEST_F(PayloadStoreTest, PuttingTwiceLeavesOneFileAndNoLeftovers) {
  ASSERT_TRUE(store_.Put(hash_, canonical_));
  ASSERT_TRUE(store_.Put(hash_, canonical_));
  EXPECT_EQ(Stored(), std::vector<std::string>{hash_ + ".json"});
}

TEST_F(PayloadStoreTest, AFailedPutLeavesWhatWasThereAndNoLeftovers) {
  folder_.Write("payloads/" + hash_ + ".json/in-the-way", "x");
  EXPECT_EQ(CodeOf(store_.Put(hash_, canonical_)), "write-failed");
  EXPECT_EQ(Stored(), std::vector<std::string>{hash_ + ".json"});
}

TEST_F(PayloadStoreTest, AMissingFileIsAbsent) { EXPECT_EQ(CodeOf(store_.Get(hash_)), "absent"); }

TEST_F(PayloadStoreTest, ANameThatIsNoHashIsUnreadableAndNeverAPath) {
  folder_.Write("secret.json", "{}");
  EXPECT_EQ(CodeOf(store_.Get("../secret")), "unreadable");
}

TEST_F(PayloadStoreTest, TextThatIsNoJsonIsUnreadable) {
  folder_.Write("payloads/" + hash_ + ".json", "{\"to\":");
  EXPECT_EQ(CodeOf(store_.Get(hash_)), "unreadable");
}

TEST_F(PayloadStoreTest, AFolderUnderTheNameIsUnreadable) {
  folder_.Write("payloads/" + hash_ + ".json/x", "x");
  EXPECT_EQ(CodeOf(store_.Get(hash_)), "unreadable");
}

TEST_F(PayloadStoreTest, DuplicateMembersAreUnreadableAlsoWhenWrittenWithEscapes) {
  folder_.Write("payloads/" + hash_ + ".json", R"({"to":["a@x"],"\u0074o":["b@x"]})");
  EXPECT_EQ(CodeOf(store_.Get(hash_)), "unreadable");
}

TEST_F(PayloadStoreTest, DeepNestingIsUnreadableAndDoesNotOverflow) {
  folder_.Write("payloads/" + hash_ + ".json", std::string(100'000, '['));
  EXPECT_EQ(CodeOf(store_.Get(hash_)), "unreadable");
}

TEST_F(PayloadStoreTest, AReferenceIsNotThePayload) {
  folder_.Write("payloads/" + hash_ + ".json", R"({"$ref":"elsewhere"})");
  EXPECT_EQ(CodeOf(store_.Get(hash_)), "reference");
}

TEST_F(PayloadStoreTest, APayloadThatLooksLikeAReferenceIsThePayloadUnderItsOwnHash) {
  const base::Json payload = base::JsonObject{{"$ref", "elsewhere"}};
  ASSERT_TRUE(store_.Put(HashOf(payload), *base::Canonicalize(payload)));
  EXPECT_EQ(CodeOf(store_.Get(HashOf(payload))), "ok");
}

TEST_F(PayloadStoreTest, OtherBytesUnderTheHashAreAMismatch) {
  ASSERT_TRUE(store_.Put(hash_, *base::Canonicalize(Letter("Hello!"))));
  EXPECT_EQ(CodeOf(store_.Get(hash_)), "hash-mismatch");
}

}  // namespace
}  // namespace approval::gate
