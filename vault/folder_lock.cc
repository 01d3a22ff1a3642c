#include "vault/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <chrono>
#include <thread>

namespace approval::vault {

base::Result<FolderLock> FolderLock::Take(const std::string& folder, int wait_ms) {
  using std::chrono::milliseconds;
  using std::chrono::steady_clock;
  base::Descriptor held(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!held.ok()) {
    return base::Fail(base::Code::kIo,
                      "cannot open the folder " + folder + ": " + base::ErrnoText(errno));
  }
  const auto deadline = steady_clock::now() + milliseconds(wait_ms);
  while (::flock(held.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK || steady_clock::now() >= deadline) {
      return base::Fail(base::Code::kIo, "cannot lock the folder " + folder + ": " +
                                             (errno == EWOULDBLOCK ? "another program holds it"
                                                                   : base::ErrnoText(errno)));
    }
    std::this_thread::sleep_for(milliseconds(5));
  }
  return FolderLock(std::move(held));
}

}  // namespace approval::vault
