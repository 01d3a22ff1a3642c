// The writer lock of a log: one file beside it, created exclusively (core.md 1.3, 1.5).
//
// Compatible with implementations that leave the file empty and never take over. Ours holds one
// line of JSON about its holder; a lock whose holder is proved gone is taken over. SIGTERM, SIGINT
// and SIGHUP are held back in the calling thread while a lock is held.
#pragma once

#include <chrono>
#include <csignal>
#include <cstdint>
#include <optional>
#include <string>

#include "core/base/clock.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/random.h"

namespace approval::log {

// What a takeover found, for the record that reports it.
struct Reclaimed {
  std::string reason;  // `holder-dead`, `legacy-aged`
  std::int64_t age_ms = 0;
  base::JsonObject holder;  // pid, op, created; empty for a legacy lock
};

class LogLock {
 public:
  LogLock(std::string log_path, const base::Clock& clock, base::Random& random);
  ~LogLock();
  LogLock(const LogLock&) = delete;
  LogLock& operator=(const LogLock&) = delete;

  // Makes the folder, waits up to `wait_ms` for the lock; while it passes between our own processes
  // the wait starts anew with each holder. `lock-timeout` names the holder; `io` for
  // anything else. Nothing is held after a failure.
  base::Result<void> Acquire(std::int64_t wait_ms = kWaitMs);

  // Set when Acquire took the lock over from a holder that is gone.
  const std::optional<Reclaimed>& reclaimed() const { return reclaimed_; }

  // Removes the lock if it is still ours. Idempotent.
  void Release();

  static constexpr std::int64_t kWaitMs = 2000;

 private:
  bool StandInLine(const std::string& folder, std::int64_t wait_ms,
                   std::chrono::steady_clock::time_point deadline);
  int CreateWhole(const std::string& folder);
  int CreateThenFill();
  base::Result<bool> TryCreate();
  base::Result<bool> TakeOver();
  bool StillOurs() const;

  std::string log_path_;
  std::string lock_path_;
  const base::Clock& clock_;
  base::Random& random_;
  std::string content_;
  std::uint64_t inode_ = 0;
  bool held_ = false;
  base::Descriptor queue_;
  sigset_t saved_signals_{};
  std::optional<Reclaimed> reclaimed_;
};

}  // namespace approval::log
