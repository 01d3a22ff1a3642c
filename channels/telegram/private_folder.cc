#include "channels/telegram/private_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

#include "core/base/private_folder.h"

namespace approval::telegram {
using base::Code;
using base::ErrnoText;

base::Result<void> PreparePrivateFolder(const std::string& folder) {
  return base::PreparePrivateFolder(folder);
}

base::Result<base::Secret> ButtonKey(const std::string& folder, base::Random& random) {
  return base::PrivateKey(folder, "telegram-buttons.key", random);
}

base::Result<ListenerLock> ListenerLock::Take(const std::string& folder) {
  const std::string path = base::JoinPath(folder, "telegram-listener.lock");
  base::Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!file.ok()) return base::Fail(Code::kIo, "cannot open " + path + ": " + ErrnoText(errno));
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    std::string holder = base::ReadFile(path, 64).value_or("");
    std::erase_if(holder, [](char c) { return c < '0' || c > '9'; });
    return base::Fail(Code::kTelegramPollerRunning,
                      "another Telegram listener of this gateway runs already, process " + holder +
                          "; stop it first");
  }
  if (::ftruncate(file.get(), 0) != 0 ||
      base::WriteAll(file.get(), std::to_string(::getpid()) + "\n") != 0) {
    return base::Fail(Code::kIo, "cannot write " + path);
  }
  return ListenerLock(std::move(file));
}

}  // namespace approval::telegram
