#include "channels/telegram/private_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

namespace approval::telegram {
namespace {

using base::Code;
using base::ErrnoText;

constexpr std::size_t kKeyBytes = 32;

base::Result<base::Secret> ReadKey(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0 && (info.st_mode & 077) != 0) {
    return base::Fail(Code::kIo, "others may read " + path +
                                     ": chmod 600 it, or delete it to get "
                                     "a new key (open cards then need to be sent again)");
  }
  base::Result<std::string> bytes = base::ReadFile(path, 4096);
  if (!bytes) return base::Fail(std::move(bytes.error()));
  if (bytes->size() != kKeyBytes) {
    return base::Fail(Code::kIo, path +
                                     " is not a button key of 32 bytes; delete it to get a new "
                                     "one (open cards then need to be sent again)");
  }
  return base::Secret(std::move(*bytes));
}

}  // namespace

base::Result<void> PreparePrivateFolder(const std::string& folder) {
  if (auto made = base::MakeFolders(folder, 0700); !made) return made;
  struct stat info {};
  if (::stat(folder.c_str(), &info) != 0) {
    return base::Fail(Code::kIo, "cannot look at " + folder + ": " + ErrnoText(errno));
  }
  if ((info.st_mode & 077) != 0 && ::chmod(folder.c_str(), 0700) != 0) {
    return base::Fail(Code::kIo, "cannot close " + folder + " to others: " + ErrnoText(errno));
  }
  const std::string ignore = base::JoinPath(folder, ".gitignore");
  if (base::StateOf(ignore) != base::FileState::kMissing) return {};
  return base::ReplaceFile(ignore, "*\n", {0600, false, false});
}

base::Result<base::Secret> ButtonKey(const std::string& folder, base::Random& random) {
  const std::string path = base::JoinPath(folder, "telegram-buttons.key");
  if (base::StateOf(path) != base::FileState::kMissing) return ReadKey(path);
  const base::Secret fresh(random.Bytes(kKeyBytes));
  // Written aside and linked, so that nobody ever reads half a key and the first writer wins.
  const std::string aside = path + ".new-" + std::to_string(::getpid());
  if (auto put = base::ReplaceFile(aside, fresh.Reveal(), {0600, true, true}); !put) {
    return base::Fail(std::move(put.error()));
  }
  const int linked = ::link(aside.c_str(), path.c_str());
  const int reason = errno;
  ::unlink(aside.c_str());
  if (linked != 0 && reason != EEXIST) {
    return base::Fail(Code::kIo, "cannot make " + path + ": " + ErrnoText(reason));
  }
  return ReadKey(path);
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
