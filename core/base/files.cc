#include "core/base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace approval::base {

Descriptor::~Descriptor() { Reset(); }

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    Reset();
    fd_ = other.fd_;
    other.fd_ = -1;
  }
  return *this;
}

void Descriptor::Reset() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

std::string ErrnoText(int error_number) {
  return std::error_code(error_number, std::generic_category()).message();
}

FileState StateOf(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) {
    return errno == ENOENT || errno == ENOTDIR ? FileState::kMissing : FileState::kUnreachable;
  }
  if (S_ISREG(info.st_mode)) return FileState::kRegular;
  return S_ISDIR(info.st_mode) ? FileState::kFolder : FileState::kOther;
}

Result<std::string> ReadDescriptor(int fd, std::size_t max_bytes) {
  std::string out;
  char block[65536];
  for (;;) {
    const ssize_t got = ::read(fd, block, sizeof block);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Fail(Code::kIo, "cannot read: " + ErrnoText(errno));
    if (got == 0) return out;
    out.append(block, static_cast<std::size_t>(got));
    if (out.size() > max_bytes) {
      return Fail(Code::kIo, "the input is larger than " + std::to_string(max_bytes) + " bytes");
    }
  }
}

Result<std::string> ReadFile(const std::string& path, std::size_t max_bytes) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.ok()) {
    const bool missing = errno == ENOENT || errno == ENOTDIR;
    return Fail(missing ? Code::kAbsent : Code::kIo,
                "cannot open " + path + ": " + ErrnoText(errno));
  }
  Result<std::string> bytes = ReadDescriptor(file.get(), max_bytes);
  if (!bytes) return Fail(Code::kIo, path + ": " + bytes.error().message);
  return bytes;
}

int WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(fd, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return 0;
}

Result<void> SyncFolder(const std::string& path) {
  const Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.ok()) return Fail(Code::kIo, "cannot open " + path + ": " + ErrnoText(errno));
  if (::fsync(folder.get()) == 0) return {};
  if (errno == EINVAL || errno == EBADF || errno == ENOTSUP || errno == EOPNOTSUPP) return {};
  return Fail(Code::kIo, "cannot sync the folder " + path + ": " + ErrnoText(errno));
}

Result<void> ReplaceFile(const std::string& path, std::string_view bytes,
                         const WriteOptions& options) {
  static std::atomic<unsigned> counter{0};
  const std::string folder = FolderOf(path);
  const std::string temp =
      JoinPath(folder, "." + BaseName(path) + ".tmp-" + std::to_string(::getpid()) + "-" +
                           std::to_string(counter++));
  Descriptor file(::open(temp.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, options.mode));
  if (!file.ok()) return Fail(Code::kIo, "cannot create " + temp + ": " + ErrnoText(errno));
  int failed = WriteAll(file.get(), bytes);
  if (failed == 0 && options.sync && ::fdatasync(file.get()) != 0) failed = errno;
  if (failed == 0 && options.exact_mode && ::fchmod(file.get(), options.mode) != 0) failed = errno;
  file.Reset();
  if (failed == 0 && ::rename(temp.c_str(), path.c_str()) != 0) failed = errno;
  if (failed != 0) {
    ::unlink(temp.c_str());
    return Fail(Code::kIo, "cannot write " + path + ": " + ErrnoText(failed));
  }
  if (options.sync) return SyncFolder(folder);
  return {};
}

Result<void> MakeFolders(const std::string& path, mode_t mode) {
  if (path.empty() || StateOf(path) == FileState::kFolder) return {};
  const std::string parent = FolderOf(path);
  if (parent != path) {
    if (auto made = MakeFolders(parent, mode); !made) return made;
  }
  if (::mkdir(path.c_str(), mode) == 0 ||
      (errno == EEXIST && StateOf(path) == FileState::kFolder)) {
    return {};
  }
  return Fail(Code::kIo, "cannot create the folder " + path + ": " + ErrnoText(errno));
}

std::string FolderOf(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

std::string BaseName(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

std::string JoinPath(const std::string& folder, std::string_view name) {
  return (std::filesystem::path(folder) / std::filesystem::path(name)).string();
}

std::string AbsolutePath(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path absolute = std::filesystem::absolute(path, failed);
  if (failed) return path;
  std::string normal = absolute.lexically_normal().string();
  if (normal.size() > 1 && normal.back() == '/') normal.pop_back();
  return normal;
}

}  // namespace approval::base
