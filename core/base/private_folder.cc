#include "core/base/private_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "core/base/files.h"

namespace approval::base {
namespace {

constexpr std::size_t kKeyBytes = 32;

Result<Secret> ReadKey(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0 && (info.st_mode & 077) != 0) {
    return Fail(Code::kIo, "others may read " + path +
                               ": chmod 600 it, or delete it to get "
                               "a new key (what was made with the old one then stops working)");
  }
  Result<std::string> bytes = ReadFile(path, 4096);
  if (!bytes) return Fail(std::move(bytes.error()));
  Secret key(std::move(*bytes));
  if (key.Reveal().size() != kKeyBytes) {
    return Fail(Code::kIo, path +
                               " is not a key of 32 bytes; delete it to get a new "
                               "one (what was made with the old one then stops working)");
  }
  return key;
}

}  // namespace

Result<void> PreparePrivateFolder(const std::string& folder) {
  if (auto made = MakeFolders(folder, 0700); !made) return made;
  struct stat info {};
  if (::stat(folder.c_str(), &info) != 0) {
    return Fail(Code::kIo, "cannot look at " + folder + ": " + ErrnoText(errno));
  }
  if ((info.st_mode & 077) != 0 && ::chmod(folder.c_str(), 0700) != 0) {
    return Fail(Code::kIo, "cannot close " + folder + " to others: " + ErrnoText(errno));
  }
  const std::string ignore = JoinPath(folder, ".gitignore");
  if (StateOf(ignore) != FileState::kMissing) return {};
  return ReplaceFile(ignore, "*\n", {0600, false, false});
}

Result<Secret> PrivateKey(const std::string& folder, const std::string& name, Random& random) {
  const std::string path = JoinPath(folder, name);
  if (StateOf(path) != FileState::kMissing) return ReadKey(path);
  const Secret fresh(random.Bytes(kKeyBytes));
  // Written aside and linked, so that nobody ever reads half a key and the first writer wins.
  const std::string aside = path + ".new-" + std::to_string(::getpid());
  if (auto put = ReplaceFile(aside, fresh.Reveal(), {0600, true, true}); !put) {
    return Fail(std::move(put.error()));
  }
  const int linked = ::link(aside.c_str(), path.c_str());
  const int reason = errno;
  ::unlink(aside.c_str());
  if (linked != 0 && reason != EEXIST) {
    return Fail(Code::kIo, "cannot make " + path + ": " + ErrnoText(reason));
  }
  return ReadKey(path);
}

}  // namespace approval::base
