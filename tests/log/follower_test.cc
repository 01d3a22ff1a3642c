#include "core/log/follower.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/base/files.h"
#include "core/log/append.h"
#include "tests/support/fakes.h"
#include "tests/support/temp_folder.h"

namespace approval::log {
namespace {

using base::Code;

class FollowerTest : public ::testing::Test {
 protected:
  void Append(const std::string& task) {
    LogFile file(path_, clock_, random_);
    Draft draft{"task.registered", "agent:a", task};
    ASSERT_TRUE(file.AppendAnywhere(draft));
  }

  std::string Bytes() { return *base::ReadFile(path_); }
  void Rewrite(const std::string& bytes) { folder_.Write("log/events.jsonl", bytes); }

  testing::TempFolder folder_;
  std::string path_ = folder_.Path("log/events.jsonl");
  base::SystemClock clock_;
  testing::FakeRandom random_;
  LogFollower follower_{path_};
};

TEST_F(FollowerTest, SeesWhatIsAppendedAndNothingTwice) {
  EXPECT_FALSE(*follower_.Look());
  Append("t-1");
  EXPECT_TRUE(*follower_.Look());
  EXPECT_FALSE(*follower_.Look());
  Append("t-2");
  Append("t-3");
  EXPECT_TRUE(*follower_.Look());
  EXPECT_EQ(follower_.proved().records().size(), 3U);
}

TEST_F(FollowerTest, AHalfWrittenLineStopsItAndItsCompletionResumesIt) {
  Append("t-1");
  Append("t-2");
  const std::string whole = Bytes();
  Rewrite(whole.substr(0, whole.size() - 5));
  EXPECT_EQ(follower_.Look().error().code, Code::kLogTornTail);
  Rewrite(whole);
  EXPECT_TRUE(follower_.Look());
  EXPECT_EQ(follower_.proved().records().size(), 2U);
}

TEST_F(FollowerTest, AnEditedRecordIsCorruptAndKeepsWhatWasProved) {
  Append("t-1");
  ASSERT_TRUE(follower_.Look());
  std::string bytes = Bytes();
  Append("t-2");
  bytes = Bytes();
  bytes.replace(bytes.rfind("t-2"), 3, "t-9");
  Rewrite(bytes);
  EXPECT_EQ(follower_.Look().error().code, Code::kLogCorrupt);
  EXPECT_EQ(follower_.proved().records().size(), 1U);
}

// Spec README item 20: only an extension of what was proved lets it go on.
TEST_F(FollowerTest, ALogThatShrankStaysRefusedUntilItIsRestored) {
  Append("t-1");
  const std::string one = Bytes();
  Append("t-2");
  const std::string two = Bytes();
  ASSERT_TRUE(follower_.Look());
  Rewrite(one);
  EXPECT_EQ(follower_.Look().error().code, Code::kLogCorrupt);
  Append("t-other");
  EXPECT_EQ(follower_.Look().error().code, Code::kLogCorrupt);
  Rewrite(two);
  EXPECT_TRUE(follower_.Look());
  Append("t-3");
  EXPECT_TRUE(*follower_.Look());
  EXPECT_EQ(follower_.proved().records().size(), 3U);
}

TEST_F(FollowerTest, AForeignLogInItsPlaceIsRefused) {
  Append("t-1");
  ASSERT_TRUE(follower_.Look());
  ASSERT_EQ(::unlink(path_.c_str()), 0);
  Append("t-foreign");
  Append("t-foreign-2");
  EXPECT_EQ(follower_.Look().error().code, Code::kLogCorrupt);
}

TEST_F(FollowerTest, AnOldRecordEditedInPlaceIsFoundAtTheNextLook) {
  Append("t-1");
  Append("t-2");
  ASSERT_TRUE(follower_.Look());
  std::string bytes = Bytes();
  bytes.replace(bytes.find("t-1"), 3, "t-9");
  Rewrite(bytes);
  EXPECT_EQ(follower_.Look().error().code, Code::kLogCorrupt);
}

TEST_F(FollowerTest, AVanishedLogIsUnreadable) {
  Append("t-1");
  ASSERT_TRUE(follower_.Look());
  ASSERT_EQ(::unlink(path_.c_str()), 0);
  EXPECT_FALSE(follower_.Look());
}

}  // namespace
}  // namespace approval::log
