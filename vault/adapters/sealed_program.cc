#include "vault/adapters/sealed_program.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "core/base/sha256.h"

namespace approval::adapters {
namespace {

using Failure = tl::unexpected<std::string>;

// Newer kernels want to be told that the copy will be executed; older ones do not know the word.
constexpr unsigned kMemfdExec = 0x0010U;

int MakeMemory() {
  const unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  const int fd = ::memfd_create("approval-adapter", flags | kMemfdExec);
  return fd >= 0 || errno != EINVAL ? fd : ::memfd_create("approval-adapter", flags);
}

// All bytes of the sealed copy, as they will run.
std::string ReadBack(int fd, std::size_t size) {
  std::string bytes(size, '\0');
  std::size_t at = 0;
  while (at < size) {
    const ssize_t got = ::pread(fd, bytes.data() + at, size - at, static_cast<off_t>(at));
    if (got <= 0) break;
    at += static_cast<std::size_t>(got);
  }
  bytes.resize(at);
  return bytes;
}

}  // namespace

tl::expected<SealedProgram, std::string> SealedProgram::Copy(const std::string& path) {
  if (path.empty() || path.front() != '/') return Failure("its path is not absolute");
  if (base::StateOf(path) != base::FileState::kRegular) return Failure("it is no regular file");
  const auto bytes = base::ReadFile(path, kMaxProgramBytes);
  if (!bytes) return Failure(bytes.error().message);
  if (bytes->empty()) return Failure("it is empty");
  SealedProgram program;
  program.memory_ = base::Descriptor(MakeMemory());
  const int fd = program.memory_.get();
  if (!program.memory_.ok() || base::WriteAll(fd, *bytes) != 0) {
    return Failure("this machine gives no memory to copy it to");
  }
  if (::fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    return Failure("its copy cannot be sealed");
  }
  const std::string sealed = ReadBack(fd, bytes->size());
  program.sha256_ = base::Sha256Hex(sealed);
  program.script_ = sealed.rfind("#!", 0) == 0;
  return program;
}

}  // namespace approval::adapters
