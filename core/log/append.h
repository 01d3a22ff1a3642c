// Appends records: one writer path, under the lock, at a known head, on disk when it returns
// (core.md 1.4, 2.5, 2.6).
//
// A LogFile is used by one thread at a time. A failed sync ends appending in this LogFile: what is
// in the page cache can no longer be trusted to reach the disk.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/base/clock.h"
#include "core/base/error.h"
#include "core/base/random.h"
#include "core/log/record.h"

namespace approval::log {

// What a writer knows of a record before it has a place.
struct Draft {
  std::string event;
  std::string actor;
  std::optional<std::string> task{};
  std::optional<std::string> action_key{};
  std::optional<std::string> channel{};
  std::optional<base::JsonObject> payload{};
};

struct Appended {
  std::int64_t seq = 0;
  std::string hash;
  std::string ts;
};

class LogFile;

// One read-check-append cycle: a verified log, one instant, and appends at its head. After an own
// append the session's head is the new record; `log()` stays as it was read.
class Session {
 public:
  const VerifiedLog& log() const { return log_; }
  std::int64_t now_ms() const { return now_ms_; }

  // Under compare-and-append. Errors are `append-failed` with the cause (`head-moved`,
  // `lock-timeout`, `corrupt-tail`, `validation`, `canonicalization`, `io`); nothing is written
  // then, except that a failed write can leave a torn tail.
  base::Result<Appended> Append(const Draft& draft);

 private:
  friend class LogFile;
  Session(LogFile& file, VerifiedLog log, std::int64_t now_ms, bool lock_held)
      : file_(file),
        log_(std::move(log)),
        head_(log_.head()),
        now_ms_(now_ms),
        lock_held_(lock_held) {}

  LogFile& file_;
  VerifiedLog log_;
  std::optional<Head> head_;
  std::int64_t now_ms_;
  bool lock_held_;
};

class LogFile {
 public:
  LogFile(std::string path, const base::Clock& clock, base::Random& random);

  const std::string& path() const { return path_; }

  // Runs `cycle` on a verified read; repeats all of it, in all three times, while it fails with
  // `append-failed` because the head moved. Repeats read and append under one lock, so that they
  // cannot be overtaken. Read refusals are returned as they are.
  template <typename T>
  base::Result<T> Transact(const std::function<base::Result<T>(Session&)>& cycle) {
    for (int attempt = 1;; ++attempt) {
      auto opened = Open(attempt > 1);
      if (!opened) return tl::unexpected(opened.error());
      base::Result<T> result = cycle(opened->session);
      if (result || attempt >= kAttempts || !MayRepeat(result.error())) return result;
    }
  }

  // Appends without a precondition on the head; only attestation does, since it must work on a log
  // that is broken above its last line. Errors carry the bare append code.
  base::Result<Appended> AppendAnywhere(const Draft& draft);

  static constexpr int kAttempts = 3;

 private:
  friend class Session;
  class Guard;
  struct Opened {
    std::shared_ptr<Guard> guard;  // holds the lock for a repeated cycle
    Session session;
  };

  base::Result<Opened> Open(bool under_lock);
  static bool MayRepeat(const base::Error& error);
  // `expected`: nothing for no precondition; a null head for an empty log. The lock is held.
  base::Result<Appended> AppendLocked(const Draft& draft, std::int64_t now_ms,
                                      const std::optional<std::optional<Head>>& expected);
  base::Result<Appended> Append(const Draft& draft, std::int64_t now_ms,
                                const std::optional<std::optional<Head>>& expected, bool lock_held);

  std::string path_;
  const base::Clock& clock_;
  base::Random& random_;
  bool sync_failed_ = false;
};

}  // namespace approval::log
