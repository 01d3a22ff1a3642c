// Follows a log as it grows and proves what is new (core.md 2.12, spec README item 20).
//
// A look at an unchanged file (inode, size, time) costs a stat. A small log is proved whole at each
// change; of a larger one only the appended bytes are, as long as what was proved before is still
// there, and a change without growth or Reprove() proves it whole. Keeps every proved record in
// memory. Not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/log/verify.h"

namespace approval::log {

class LogFollower {
 public:
  explicit LogFollower(std::string path);

  // Looks at the file again. Returns whether proved records were added. `log-unreadable`,
  // `log-torn-tail`, `log-corrupt` otherwise; the records proved before stay in `proved()`, and the
  // next look starts over. A log that shrank, was replaced by one that does not extend what was
  // proved, or vanished, stays refused until this follower is made anew.
  base::Result<bool> Look();

  // The next look proves the whole file, changed or not.
  void Reprove() { reprove_ = true; }

  const VerifiedLog& proved() const { return verifier_.proved(); }
  const std::string& path() const { return path_; }

 private:
  base::Result<bool> LookAgain();
  base::Result<bool> StartOver();
  bool PrefixStands(int fd, std::uint64_t size) const;

  std::string path_;
  Verifier verifier_;
  static constexpr std::uint64_t kAlwaysWhole = std::uint64_t{1} << 20;

  std::uint64_t inode_ = 0;
  std::int64_t modified_ns_ = 0;
  bool reprove_ = false;
  std::uint64_t taken_ = 0;  // bytes fed to the verifier
  std::string last_line_;    // of the proved records, to see it again at its place
  std::uint64_t last_line_at_ = 0;
  bool broken_ = false;            // the last look failed: start over
  std::optional<Head> must_have_;  // what a fresh walk must contain
};

}  // namespace approval::log
