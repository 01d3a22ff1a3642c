#include "core/log/append.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utime.h>

#include <thread>

#include "core/base/canonical.h"
#include "core/base/files.h"
#include "core/log/lock.h"
#include "core/log/lock_holder.h"
#include "core/log/read.h"
#include "tests/support/fakes.h"
#include "tests/support/temp_folder.h"

namespace approval::log {
namespace {

using approval::testing::FakeClock;
using approval::testing::FakeRandom;
using approval::testing::TempFolder;
using base::Code;

class AppendTest : public ::testing::Test {
 protected:
  LogFile File() { return LogFile(path_, clock_, random_); }

  static Draft Registered(const std::string& task) {
    Draft draft{"task.registered", "agent:a"};
    draft.task = task;
    return draft;
  }

  base::Result<Appended> AppendOne(LogFile& file, const std::string& task) {
    return file.Transact<Appended>(
        [&](Session& session) { return session.Append(Registered(task)); });
  }

  TempFolder folder_;
  std::string path_ = folder_.Path("log/events.jsonl");
  base::SystemClock clock_;
  FakeRandom random_;
};

TEST_F(AppendTest, TheFirstRecordHasNoPredecessorAndTheNextOneFollowsIt) {
  LogFile file = File();
  ASSERT_TRUE(AppendOne(file, "t-1"));
  ASSERT_TRUE(AppendOne(file, "t-2"));
  const auto log = ReadVerified(path_);
  ASSERT_TRUE(log);
  ASSERT_EQ(log->records().size(), 2U);
  EXPECT_FALSE(log->records()[0].prev);
  EXPECT_EQ(log->records()[1].prev, log->records()[0].hash);
}

TEST_F(AppendTest, WhatIsWrittenIsTheCanonicalRecordAndALineEnd) {
  LogFile file = File();
  ASSERT_TRUE(AppendOne(file, "t-1"));
  const std::string bytes = *base::ReadFile(path_);
  const auto parsed = base::ParseJson(bytes, base::kStrictJson);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(*base::Canonicalize(*parsed) + "\n", bytes);
}

// FR-168
TEST_F(AppendTest, ATextThatIsNoUnicodeIsNeverWritten) {
  LogFile file = File();
  ASSERT_TRUE(AppendOne(file, "t-1"));
  for (const char* bad : {"\xFF", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xC3"}) {
    Draft value = Registered("t-2");
    value.payload = base::JsonObject{{"note", bad}};
    Draft member = Registered("t-2");
    member.payload = base::JsonObject{{"list", base::JsonArray{base::JsonObject{{bad, 1}}}}};
    for (const Draft& draft : {value, member, Registered(bad)}) {
      const auto refused = file.Transact<Appended>(
          [&](Session& session) -> base::Result<Appended> { return session.Append(draft); });
      ASSERT_FALSE(refused);
      EXPECT_EQ(refused.error().code, Code::kAppendFailed);
      EXPECT_EQ(refused.error().cause, Code::kCanonicalization);
    }
  }
  const auto log = ReadVerified(path_);
  ASSERT_TRUE(log);
  EXPECT_EQ(log->records().size(), 1U);
}

TEST_F(AppendTest, AMovedHeadRepeatsTheWholeCycle) {
  LogFile file = File();
  LogFile other = File();
  int cycles = 0;
  const auto appended = file.Transact<Appended>([&](Session& session) {
    ++cycles;
    if (cycles == 1) {
      EXPECT_TRUE(AppendOne(other, "t-other"));
    }
    EXPECT_EQ(session.log().records().size(), cycles == 1 ? 0U : 1U);
    return session.Append(Registered("t-1"));
  });
  ASSERT_TRUE(appended);
  EXPECT_EQ(cycles, 2);
  EXPECT_EQ(appended->seq, 2);
}

TEST_F(AppendTest, ARefusalOfTheChecksIsNotRepeated) {
  LogFile file = File();
  int cycles = 0;
  const auto refused = file.Transact<Appended>([&](Session&) -> base::Result<Appended> {
    ++cycles;
    return base::Fail(Code::kNotRequested, "no");
  });
  EXPECT_EQ(refused.error().code, Code::kNotRequested);
  EXPECT_EQ(cycles, 1);
}

TEST_F(AppendTest, ARecordThatBreaksTheSchemaIsNotWritten) {
  LogFile file = File();
  Draft draft = Registered("t-1");
  draft.actor = "nobody";
  const auto refused =
      file.Transact<Appended>([&](Session& session) { return session.Append(draft); });
  EXPECT_EQ(refused.error().code, Code::kAppendFailed);
  EXPECT_EQ(refused.error().cause, Code::kValidation);
  EXPECT_EQ(base::StateOf(path_), base::FileState::kMissing);
}

TEST_F(AppendTest, ACostIsWrittenOnlyAsADecimalString) {
  LogFile file = File();
  Draft draft = Registered("t-1");
  draft.payload = base::JsonObject{{"est_cost_usd", 0.02}};
  EXPECT_EQ(file.AppendAnywhere(draft).error().code, Code::kValidation);
  draft.payload = base::JsonObject{{"est_cost_usd", "0.02"}};
  EXPECT_TRUE(file.AppendAnywhere(draft));
}

// Kind K: a half-written line is never built on.
TEST_F(AppendTest, ATornTailIsNeverBuiltOn) {
  folder_.Write("log/events.jsonl", "{\"seq\":1");
  LogFile file = File();
  EXPECT_EQ(AppendOne(file, "t-1").error().code, Code::kLogTornTail);
  EXPECT_EQ(file.AppendAnywhere(Registered("t-1")).error().code, Code::kCorruptTail);
  EXPECT_EQ(*base::ReadFile(path_), "{\"seq\":1");
}

TEST_F(AppendTest, AMissingLogBesideStoredPayloadsIsNoFreshStart) {
  folder_.Write("payloads/" + std::string(64, 'a') + ".json", "{}");
  LogFile file = File();
  EXPECT_EQ(AppendOne(file, "t-1").error().code, Code::kLogUnreadable);
  EXPECT_EQ(base::StateOf(path_), base::FileState::kMissing);
}

TEST_F(AppendTest, AFolderInPlaceOfTheLogIsUnreadable) {
  ASSERT_TRUE(base::MakeFolders(path_));
  EXPECT_EQ(ReadVerified(path_).error().code, Code::kLogUnreadable);
}

TEST_F(AppendTest, AnyWriterInBetweenIsSeenByManyThreads) {
  std::vector<std::thread> writers;
  std::atomic<int> written{0};
  for (int i = 0; i < 8; ++i) {
    writers.emplace_back([&, i] {
      FakeRandom random;
      LogFile file(path_, clock_, random);
      for (int j = 0; j < 5; ++j) {
        if (AppendOne(file, "t-" + std::to_string(i * 100 + j))) ++written;
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(written, 40);
  EXPECT_EQ(ReadVerified(path_)->records().size(), 40U);
}

class LockTest : public AppendTest {
 protected:
  std::string lock_path_ = path_ + ".lock";

  // The pid of a process that has ended and was waited for.
  static pid_t DeadPid() {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(0);
    ::waitpid(child, nullptr, 0);
    return child;
  }

  static std::string HolderWithPid(pid_t pid) {
    auto holder = base::ParseJson(DescribeSelf(1785834000000, "append", "00112233aabbccdd"),
                                  base::kStrictJson);
    holder->get_object()["pid"] = static_cast<std::int64_t>(pid);
    return base::ToText(*holder) + "\n";
  }
};

TEST_F(LockTest, HoldsOneLineAboutItsHolder) {
  LogLock lock(path_, clock_, random_);
  ASSERT_TRUE(lock.Acquire());
  const auto holder = ReadHolder(lock_path_);
  ASSERT_TRUE(holder);
  const auto parsed = base::ParseJson(holder->bytes, base::kStrictJson);
  ASSERT_TRUE(parsed);
  const base::JsonObject& object = parsed->get_object();
  EXPECT_EQ(object.at("pid").as_int64(), ::getpid());
  EXPECT_EQ(object.at("v").as_int64(), 1);
  EXPECT_EQ(base::StringMember(object, "nonce")->size(), 16U);
  for (const char* name : {"host", "boot", "created", "op", "pidns", "start"}) {
    EXPECT_TRUE(base::StringMember(object, name)) << name;
  }
}

TEST_F(LockTest, ALivingHolderIsWaitedForAndNeverRobbed) {
  LogLock first(path_, clock_, random_);
  ASSERT_TRUE(first.Acquire());
  LogLock second(path_, clock_, random_);
  const auto refused = second.Acquire(50);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kLockTimeout);
  first.Release();
  EXPECT_TRUE(second.Acquire(50));
}

TEST_F(LockTest, ADeadHoldersLockIsTakenOverAndTheTakeoverRecorded) {
  LogFile file = File();
  ASSERT_TRUE(AppendOne(file, "t-1"));
  folder_.Write("log/events.jsonl.lock", HolderWithPid(DeadPid()));
  const auto appended = AppendOne(file, "t-2");
  ASSERT_TRUE(appended) << appended.error().message;
  const auto log = ReadVerified(path_);
  ASSERT_TRUE(log);
  ASSERT_EQ(log->records().size(), 3U);
  EXPECT_EQ(log->records()[1].event, "audit.lock_reclaimed");
  EXPECT_EQ(log->records()[1].actor, "system:log");
  EXPECT_EQ(*base::StringMember(log->records()[1].payload, "reason"), "holder-dead");
  EXPECT_EQ(base::StateOf(lock_path_), base::FileState::kMissing);
}

TEST_F(LockTest, ALockOfAnotherMachineCountsAsHeld) {
  ASSERT_TRUE([&] {
    LogFile file = File();
    return AppendOne(file, "t-1").has_value();
  }());
  auto holder = base::ParseJson(HolderWithPid(DeadPid()), base::kStrictJson);
  holder->get_object()["boot"] = "another-boot";
  folder_.Write("log/events.jsonl.lock", base::ToText(*holder) + "\n");
  LogLock lock(path_, clock_, random_);
  EXPECT_EQ(lock.Acquire(30).error().code, Code::kLockTimeout);
}

TEST_F(LockTest, AnEmptyLockIsTakenOverOnlyAfterTenMinutes) {
  LogFile file = File();
  ASSERT_TRUE(AppendOne(file, "t-1"));
  folder_.Write("log/events.jsonl.lock", "");
  LogLock lock(path_, clock_, random_);
  EXPECT_EQ(lock.Acquire(30).error().code, Code::kLockTimeout);
  const struct utimbuf old { ::time(nullptr) - 601, ::time(nullptr) - 601 };
  ASSERT_EQ(::utime(lock_path_.c_str(), &old), 0);
  ASSERT_TRUE(lock.Acquire(30));
  EXPECT_EQ(lock.reclaimed()->reason, "legacy-aged");
}

TEST_F(LockTest, OnlyAnOwnLockIsReleased) {
  LogLock lock(path_, clock_, random_);
  ASSERT_TRUE(lock.Acquire());
  ASSERT_EQ(::unlink(lock_path_.c_str()), 0);
  folder_.Write("log/events.jsonl.lock", "somebody else\n");
  lock.Release();
  EXPECT_EQ(*base::ReadFile(lock_path_), "somebody else\n");
}

TEST_F(LockTest, AStopSignalWaitsUntilTheLockIsReleased) {
  const pid_t child = ::fork();
  if (child == 0) {
    FakeRandom random;
    LogLock lock(path_, clock_, random);
    if (!lock.Acquire()) ::_exit(2);
    ::kill(::getpid(), SIGTERM);
    const bool held = base::StateOf(lock_path_) == base::FileState::kRegular;
    if (!held) ::_exit(3);
    lock.Release();
    ::_exit(4);  // not reached: the signal arrives on release
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status)) << "exit " << WEXITSTATUS(status);
  EXPECT_EQ(base::StateOf(lock_path_), base::FileState::kMissing);
}

}  // namespace
}  // namespace approval::log
