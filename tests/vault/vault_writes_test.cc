// What a vault on disk survives: writers that are killed or come together, a full disk, links,
// owners and passphrases of others (adapters.md 1.4).
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "tests/vault/vault_rig.h"

namespace approval::vault {
namespace {

using base::Code;

class VaultWrites : public VaultTest {};

TEST_F(VaultWrites, FR235_FileAndFolderAreForTheOwnerAloneUnderAnyMask) {
  for (const mode_t mask : {mode_t{0}, mode_t{022}, mode_t{077}}) {
    const mode_t before = ::umask(mask);
    ASSERT_TRUE(vault_.Set("a", S("1"), pass_));
    EXPECT_EQ(Mode(), 0600u);
    ASSERT_TRUE(vault_.Set("a", S("2"), pass_));
    EXPECT_EQ(Mode(), 0600u);
    ::umask(before);
  }
  struct stat info {};
  ASSERT_EQ(::stat(folder_.Path("home").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0700u);
}

TEST_F(VaultWrites, NoTemporaryFileStaysAfterSuccessOrFailure) {
  ASSERT_TRUE(vault_.Set("a", S("1"), pass_));
  ASSERT_FALSE(vault_.Set("a", S("1"), S("wrong")));
  ASSERT_FALSE(vault_.Remove("b", pass_));
  EXPECT_EQ(NamesIn(folder_.Path("home")), std::vector<std::string>{"vault.enc"});
}

TEST_F(VaultWrites, AFolderThatCannotBeWrittenIsWriteFailedAndThePreviousVaultStays) {
  folder_.Write("plain", "a file");
  Vault below(folder_.Path("plain/vault.enc"), random_);
  EXPECT_EQ(below.Set("a", S("1"), pass_).error().code, Code::kVaultWriteFailed);
  EXPECT_EQ(testing::ReadText(folder_.Path("plain")), "a file");
}

TEST_F(VaultWrites, FR172_AVaultThatCannotBeReadIsNeverWrittenOver) {
  SeedLight();
  const std::string good = Bytes();
  std::vector<std::string> damaged;
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string flipped = good;
    flipped[i] = static_cast<char>(flipped[i] ^ 1);
    damaged.push_back(std::move(flipped));
  }
  // Without the final line end the object is still whole.
  for (std::size_t size = 0; size + 1 < good.size(); ++size)
    damaged.push_back(good.substr(0, size));
  for (const std::string& text : damaged) {
    folder_.Write("home/vault.enc", text);
    const auto stored = vault_.Set("b", S("2"), pass_);
    ASSERT_FALSE(stored) << text;
    EXPECT_TRUE(stored.error().code == Code::kVaultMalformed ||
                stored.error().code == Code::kVaultUnreadable ||
                stored.error().code == Code::kVaultVersionUnsupported);
    ASSERT_EQ(Bytes(), text);
  }
  folder_.Write("home/vault.enc", good);
  EXPECT_EQ(*vault_.Check(pass_), 1u);
}

TEST_F(VaultWrites, FR179_AWrongPassphraseCreatesAndTruncatesNothing) {
  ASSERT_TRUE(vault_.Set("a", S("1"), pass_));
  const std::string before = Bytes();
  EXPECT_FALSE(vault_.Set("b", S("2"), S("wrong")));
  EXPECT_FALSE(vault_.Remove("a", S("wrong")));
  EXPECT_FALSE(vault_.List(S("wrong")));
  EXPECT_EQ(Bytes(), before);
}

TEST_F(VaultWrites, FR170_TheOldVaultStaysWhenAWriterIsKilledAtAnyMoment) {
  SeedLight();
  for (int delay_us = 0; delay_us < 120'000; delay_us += 6'000) {
    const pid_t child = ::fork();
    if (child == 0) {
      for (;;) (void)vault_.Set("b", S("2"), pass_);
    }
    ::usleep(static_cast<useconds_t>(delay_us));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const auto opened = vault_.Unlock(pass_);
    ASSERT_TRUE(opened) << opened.error().message;
    EXPECT_EQ(opened->find("a")->second.Reveal(), "1");
  }
}

TEST_F(VaultWrites, FR171_ParallelSetsLoseNoAcknowledgedName) {
  SeedLight();
  std::vector<pid_t> children;
  for (int i = 0; i < 40; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      const std::string name = "name-" + std::to_string(i);
      ::_exit(vault_.Set(name, S("v"), pass_) ? 0 : 1);
    }
    children.push_back(child);
  }
  for (std::size_t i = 0; i < 10; ++i) {
    ::usleep(20'000);
    ::kill(children[i * 4], SIGKILL);
  }
  std::vector<std::size_t> acknowledged;
  for (std::size_t i = 0; i < children.size(); ++i) {
    int status = 0;
    ::waitpid(children[i], &status, 0);
    if (WIFEXITED(status)) {
      EXPECT_EQ(WEXITSTATUS(status), 0);
      acknowledged.push_back(i);
    }
  }
  EXPECT_GE(acknowledged.size(), 30u);
  const auto opened = vault_.Unlock(pass_);
  ASSERT_TRUE(opened) << opened.error().message;
  for (const std::size_t i : acknowledged) {
    EXPECT_TRUE(opened->contains("name-" + std::to_string(i)));
  }
  for (const std::string& name : NamesIn(folder_.Path("home"))) {
    EXPECT_EQ(testing::ReadText(folder_.Path("home/" + name)).find("name-"), std::string::npos);
  }
}

TEST_F(VaultWrites, AFullDiskLeavesTheOldVaultAndNoTemporaryFile) {
  SeedLight();
  const std::string before = Bytes();
  const pid_t child = ::fork();
  if (child == 0) {
    // Beyond this size every write fails, as on a full disk.
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{64, 64};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const auto stored = vault_.Set("b", S("2"), pass_);
    ::_exit(!stored && stored.error().code == Code::kVaultWriteFailed ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(Bytes(), before);
  EXPECT_EQ(NamesIn(folder_.Path("home")), std::vector<std::string>{"vault.enc"});
}

TEST_F(VaultWrites, ASymbolicLinkIsReadAndNeverReplaced) {
  SeedLight();
  const std::string link = folder_.Path("home/link.enc");
  ASSERT_EQ(::symlink(path_.c_str(), link.c_str()), 0);
  Vault linked(link, random_);
  EXPECT_EQ(*linked.Check(pass_), 1u);
  const std::string before = Bytes();
  EXPECT_EQ(linked.Set("b", S("2"), pass_).error().code, Code::kVaultWriteFailed);
  EXPECT_EQ(linked.Remove("a", pass_).error().code, Code::kVaultWriteFailed);
  EXPECT_EQ(linked.ChangePassphrase(pass_, S("x")).error().code, Code::kVaultWriteFailed);
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(Bytes(), before);
}

TEST_F(VaultWrites, AnotherUsersVaultIsNeverTakenFromItsOwner) {
  if (::geteuid() != 0) {
    constexpr const char* kReason = "only root can make another user's file";
    if (testing::InCi()) FAIL() << kReason;
    GTEST_SKIP() << kReason;
  }
  SeedLight();
  ASSERT_EQ(::chown(path_.c_str(), 12345, 12345), 0);
  const auto stored = vault_.Set("b", S("2"), pass_);
  ASSERT_FALSE(stored);
  EXPECT_EQ(stored.error().code, Code::kVaultWriteFailed);
  EXPECT_NE(stored.error().message.find("12345"), std::string::npos);
  struct stat info {};
  ASSERT_EQ(::stat(path_.c_str(), &info), 0);
  EXPECT_EQ(info.st_uid, uid_t{12345});
}

}  // namespace
}  // namespace approval::vault
