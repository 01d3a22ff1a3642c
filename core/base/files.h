// Whole files: bounded reading, and writing that replaces as one step.
//
// Paths are as given; nothing searches upwards. Failures are `io` with the path in the sentence.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace approval::base {

// A file descriptor that closes itself.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor();
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  Descriptor& operator=(Descriptor&& other) noexcept;

  int get() const { return fd_; }
  bool ok() const { return fd_ >= 0; }
  void Reset();

 private:
  int fd_ = -1;
};

enum class FileState { kMissing, kRegular, kFolder, kOther, kUnreachable };

// Follows symbolic links.
FileState StateOf(const std::string& path);

// The whole file, at most `max_bytes`. `absent` when it does not exist, else `io`.
Result<std::string> ReadFile(const std::string& path, std::size_t max_bytes = std::size_t{1} << 30);

// Everything that a descriptor still holds (standard input), at most `max_bytes`.
Result<std::string> ReadDescriptor(int fd, std::size_t max_bytes);

struct WriteOptions {
  mode_t mode = 0666;       // before the umask, unless `exact_mode`
  bool exact_mode = false;  // chmod to `mode` before the rename
  bool sync = false;        // fdatasync the file and sync its folder
};

// Writes a temp file `.<basename>.tmp-<pid>-<n>` in the same folder, exclusively created, and
// renames it over `path`. On failure nothing is left behind and the previous file stays.
Result<void> ReplaceFile(const std::string& path, std::string_view bytes,
                         const WriteOptions& options = {});

// All of `bytes` to `fd`, over as many writes as it takes. Errno-style: 0 or the error number.
int WriteAll(int fd, std::string_view bytes);

// The folder and its parents; existing ones keep their mode. `mode` is before the umask.
Result<void> MakeFolders(const std::string& path, mode_t mode = 0777);

// fsync of a folder; EINVAL, EBADF, ENOTSUP and EOPNOTSUPP count as done (core.md 1.2).
Result<void> SyncFolder(const std::string& path);

// The folder part of a path ("." when there is none), and its last component.
std::string FolderOf(const std::string& path);
std::string BaseName(const std::string& path);
std::string JoinPath(const std::string& folder, std::string_view name);

// `path` against the working directory, lexically: no links resolved.
std::string AbsolutePath(const std::string& path);

// The text of an errno value.
std::string ErrnoText(int error_number);

}  // namespace approval::base
