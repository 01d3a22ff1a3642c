#include "core/log/follower.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "core/base/files.h"
#include "core/log/read.h"

namespace approval::log {
namespace {

using base::Code;
using base::Fail;
using base::Result;

// Bytes of the file from `offset` to its end.
Result<std::string> ReadFrom(int fd, std::uint64_t offset) {
  std::string out;
  char block[65536];
  for (;;) {
    const ssize_t got = ::pread(fd, block, sizeof block, static_cast<off_t>(offset + out.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      return Fail(Code::kLogUnreadable, "cannot read the log: " + base::ErrnoText(errno));
    if (got == 0) return out;
    out.append(block, static_cast<std::size_t>(got));
  }
}

bool Extends(const VerifiedLog& log, const Head& head) {
  const auto& records = log.records();
  const auto place = static_cast<std::size_t>(head.seq);
  return place >= 1 && place <= records.size() && records[place - 1].hash == head.hash;
}

}  // namespace

LogFollower::LogFollower(std::string path) : path_(std::move(path)) {}

bool LogFollower::PrefixStands(int fd, std::uint64_t size) const {
  if (size < taken_) return false;
  if (last_line_.empty()) return true;
  std::string there(last_line_.size(), '\0');
  const ssize_t got = ::pread(fd, there.data(), there.size(), static_cast<off_t>(last_line_at_));
  return got == static_cast<ssize_t>(there.size()) && there == last_line_;
}

Result<bool> LogFollower::Look() {
  Result<bool> seen = broken_ ? StartOver() : LookAgain();
  if (!seen && !broken_) {
    broken_ = true;
    if (!must_have_) must_have_ = verifier_.proved().head();
  } else if (seen) {
    broken_ = false;
  }
  return seen;
}

Result<bool> LogFollower::LookAgain() {
  const base::Descriptor file(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  const std::size_t before = verifier_.proved().records().size();
  if (!file.ok()) {
    if ((errno == ENOENT || errno == ENOTDIR) && before == 0) {
      // Nothing yet; a payload store without its log is refused by the verified read.
      const auto read = ReadVerified(path_);
      if (!read) return tl::unexpected(read.error());
      return false;
    }
    return Fail(Code::kLogUnreadable,
                "the log " + path_ + " cannot be opened: " + base::ErrnoText(errno));
  }
  struct stat info {};
  if (::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode)) {
    return Fail(Code::kLogUnreadable, "the log " + path_ + " is not a regular file");
  }
  const auto size = static_cast<std::uint64_t>(info.st_size);
  const std::int64_t modified_ns =
      std::int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec;
  if (inode_ != 0) {
    const bool same = info.st_ino == inode_ && size == taken_ && modified_ns == modified_ns_;
    if (same && !reprove_) return false;
    const bool grown = info.st_ino == inode_ && size > taken_ && PrefixStands(file.get(), size);
    if (!grown || reprove_ || size <= kAlwaysWhole) return StartOver();
  }
  inode_ = info.st_ino;
  modified_ns_ = modified_ns;
  auto bytes = ReadFrom(file.get(), taken_);
  if (!bytes) return tl::unexpected(bytes.error());
  verifier_.Feed(*bytes);
  taken_ += bytes->size();
  if (auto refusal = RefusalOf(verifier_.Judge())) return Fail(std::move(*refusal));
  if (!bytes->empty()) {
    const std::size_t end = bytes->size() - 1;
    const std::size_t start = end == 0 ? std::string::npos : bytes->rfind('\n', end - 1);
    const std::size_t from = start == std::string::npos ? 0 : start + 1;
    last_line_ = bytes->substr(from);
    last_line_at_ = taken_ - last_line_.size();
  }
  return verifier_.proved().records().size() > before;
}

Result<bool> LogFollower::StartOver() {
  const std::optional<Head> must_have = must_have_ ? must_have_ : verifier_.proved().head();
  LogFollower fresh(path_);
  auto seen = fresh.LookAgain();
  if (!seen) return seen;
  if (must_have && !Extends(fresh.proved(), *must_have)) {
    return Fail(Code::kLogCorrupt, "the log is not the one that was proved before: record " +
                                       std::to_string(must_have->seq) +
                                       " is missing or another; restore the log, then restart");
  }
  const bool grown = fresh.proved().records().size() > proved().records().size();
  verifier_ = std::move(fresh.verifier_);
  inode_ = fresh.inode_;
  modified_ns_ = fresh.modified_ns_;
  reprove_ = false;
  taken_ = fresh.taken_;
  last_line_ = std::move(fresh.last_line_);
  last_line_at_ = fresh.last_line_at_;
  must_have_.reset();
  return grown;
}

}  // namespace approval::log
