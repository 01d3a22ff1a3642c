#include "core/log/lock.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

#include <boost/json/string.hpp>

#include "core/base/encoding.h"
#include "core/base/instant.h"
#include "core/log/lock_holder.h"

namespace approval::log {
namespace {

using base::Code;
using base::Fail;
using base::Result;
using SteadyClock = std::chrono::steady_clock;

constexpr auto kPoll = std::chrono::milliseconds(20);
constexpr auto kQueuePoll = std::chrono::milliseconds(1);
constexpr int kTakeOverRounds = 3;

sigset_t HeldBackSignals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGHUP);
  return set;
}

base::JsonObject HolderSummary(const std::string& bytes) {
  base::JsonObject summary;
  auto parsed = base::ParseJson(bytes, base::kStrictJson);
  if (!parsed || !parsed->is_object()) return summary;
  for (const char* name : {"pid", "op", "created"}) {
    if (const base::Json* member = parsed->get_object().if_contains(name)) summary[name] = *member;
  }
  return summary;
}

// `<pid>.<created in ms>` of a dead holder.
std::string StaleName(const base::JsonObject& holder) {
  const base::Json* pid = holder.if_contains("pid");
  const auto created = base::ParseInstant(base::StringMember(holder, "created").value_or(""));
  return std::to_string(pid == nullptr ? 0 : base::AsInteger(*pid).value_or(0)) + "." +
         std::to_string(created.value_or(0));
}

}  // namespace

LogLock::LogLock(std::string log_path, const base::Clock& clock, base::Random& random)
    : log_path_(std::move(log_path)),
      lock_path_(log_path_ + ".lock"),
      clock_(clock),
      random_(random) {}

LogLock::~LogLock() { Release(); }

// The lock appears with its holder's line in it, or not at all: a death in between leaves no lock
// that nobody can be asked about. EEXIST when another holds it; other errors say that this file
// system has no nameless files.
int LogLock::CreateWhole(const std::string& folder) {
  struct stat other {};
  if (::lstat(lock_path_.c_str(), &other) == 0) return EEXIST;  // nothing is written while we wait
  const base::Descriptor file(::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666));
  struct stat info {};
  if (!file.ok()) return errno;
  if (const int failed = base::WriteAll(file.get(), content_); failed != 0) return failed;
  if (::fstat(file.get(), &info) != 0) return errno;
  const std::string nameless = "/proc/self/fd/" + std::to_string(file.get());
  if (::linkat(AT_FDCWD, nameless.c_str(), AT_FDCWD, lock_path_.c_str(), AT_SYMLINK_FOLLOW) != 0) {
    return errno;
  }
  inode_ = info.st_ino;
  return 0;
}

int LogLock::CreateThenFill() {
  const base::Descriptor file(
      ::open(lock_path_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666));
  if (!file.ok()) return errno;
  struct stat info {};
  int failed = base::WriteAll(file.get(), content_);
  if (failed == 0 && ::fstat(file.get(), &info) != 0) failed = errno;
  if (failed != 0) ::unlink(lock_path_.c_str());
  inode_ = info.st_ino;
  return failed;
}

Result<bool> LogLock::TryCreate() {
  const sigset_t held_back = HeldBackSignals();
  ::pthread_sigmask(SIG_BLOCK, &held_back, &saved_signals_);
  content_ = DescribeSelf(clock_.NowMs(), "append", base::HexEncode(random_.Bytes(8)));
  int failed = CreateWhole(base::FolderOf(lock_path_));
  if (failed != 0 && failed != EEXIST) failed = CreateThenFill();
  if (failed == 0) {
    held_ = true;
    return true;
  }
  ::pthread_sigmask(SIG_SETMASK, &saved_signals_, nullptr);
  if (failed == EEXIST) return false;
  return Fail(Code::kIo, "cannot create the lock " + lock_path_ + ": " +
                             base::ErrnoText(failed ? failed : EIO));
}

// Our own processes queue on the folder first, so that a burst of them does not live by the 20 ms
// polls of the lock file. It is a courtesy: the lock file alone decides. The wait is for one
// holder: as long as the lock passes from hand to hand, the deadline moves on.
bool LogLock::StandInLine(const std::string& folder, std::int64_t wait_ms,
                          SteadyClock::time_point deadline) {
  queue_ = base::Descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!queue_.ok()) return false;
  std::string seen;
  auto next_look = SteadyClock::now();
  while (::flock(queue_.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return false;
    const auto now = SteadyClock::now();
    if (now >= next_look) {
      next_look = now + kPoll;
      const auto holder = ReadHolder(lock_path_);
      std::string holding = holder ? std::to_string(holder->inode) + holder->bytes : "nobody";
      if (holding != seen) {
        seen = std::move(holding);
        deadline = now + std::chrono::milliseconds(wait_ms);
      }
    }
    if (now >= deadline) return false;
    std::this_thread::sleep_for(kQueuePoll);
  }
  return true;
}

Result<void> LogLock::Acquire(std::int64_t wait_ms) {
  const std::string folder = base::FolderOf(log_path_);
  if (auto made = base::MakeFolders(folder); !made) return made;
  auto deadline = SteadyClock::now() + std::chrono::milliseconds(wait_ms);
  if (StandInLine(folder, wait_ms, deadline)) {
    deadline = SteadyClock::now() + std::chrono::milliseconds(wait_ms);
  }
  for (;;) {
    auto created = TryCreate();
    if (!created) {
      queue_.Reset();
      return tl::unexpected(created.error());
    }
    if (*created) return {};
    if (SteadyClock::now() >= deadline) break;
    std::this_thread::sleep_for(kPoll);
  }
  auto taken = TakeOver();
  if (taken && *taken) return {};
  queue_.Reset();
  if (!taken) return tl::unexpected(taken.error());
  return Fail(Code::kLockTimeout,
              "another writer holds " + lock_path_ +
                  "; try again, and if no approval process runs, remove that file");
}

Result<bool> LogLock::TakeOver() {
  for (int round = 0; round < kTakeOverRounds; ++round) {
    if (base::StateOf(log_path_ + ".sync-snapshot") != base::FileState::kMissing ||
        base::StateOf(log_path_) != base::FileState::kRegular) {
      return false;
    }
    const auto holder = ReadHolder(lock_path_);
    if (!holder) {
      auto created = TryCreate();
      if (!created || *created) return created;
      continue;
    }
    const HolderState state = JudgeHolder(*holder, clock_.NowMs());
    if (state == HolderState::kAlive) return false;
    const base::JsonObject summary = HolderSummary(holder->bytes);
    // The link makes one of several takers the winner: it can be made once per dead holder.
    const std::string stale =
        lock_path_ + ".stale." +
        (state == HolderState::kLegacyAged ? "legacy." + std::to_string(holder->modified_ns)
                                           : StaleName(summary));
    if (::link(lock_path_.c_str(), stale.c_str()) != 0) {
      std::this_thread::sleep_for(kPoll);
      continue;
    }
    const auto again = ReadHolder(lock_path_);
    if (!again || again->bytes != holder->bytes || again->inode != holder->inode) {
      ::unlink(stale.c_str());
      continue;
    }
    content_ = DescribeSelf(clock_.NowMs(), "append", base::HexEncode(random_.Bytes(8)));
    const std::string take = lock_path_ + ".take." + std::to_string(::getpid()) + "." +
                             base::HexEncode(random_.Bytes(4));
    const sigset_t held_back = HeldBackSignals();
    ::pthread_sigmask(SIG_BLOCK, &held_back, &saved_signals_);
    struct stat info {};
    base::Descriptor file(::open(take.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666));
    if (file.ok() && base::WriteAll(file.get(), content_) == 0 && ::fstat(file.get(), &info) == 0 &&
        ::rename(take.c_str(), lock_path_.c_str()) == 0) {
      inode_ = info.st_ino;
      held_ = true;
      reclaimed_ =
          Reclaimed{state == HolderState::kLegacyAged ? "legacy-aged" : "holder-dead",
                    std::max<std::int64_t>(0, clock_.NowMs() - holder->modified_ms), summary};
      ::unlink(stale.c_str());
      return true;
    }
    const int failed = errno;
    ::unlink(take.c_str());
    ::unlink(stale.c_str());
    ::pthread_sigmask(SIG_SETMASK, &saved_signals_, nullptr);
    return Fail(Code::kIo, "cannot take over " + lock_path_ + ": " + base::ErrnoText(failed));
  }
  return false;
}

bool LogLock::StillOurs() const {
  const auto holder = ReadHolder(lock_path_);
  return holder && holder->inode == inode_ && holder->bytes == content_;
}

void LogLock::Release() {
  if (held_) {
    if (StillOurs()) ::unlink(lock_path_.c_str());
    held_ = false;
    ::pthread_sigmask(SIG_SETMASK, &saved_signals_, nullptr);
  }
  queue_.Reset();
}

}  // namespace approval::log
