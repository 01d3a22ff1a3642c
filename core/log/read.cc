#include "core/log/read.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <memory>
#include <system_error>
#include <thread>

#include "core/base/files.h"

namespace approval::log {
namespace {

using base::Code;
using base::Fail;
using base::Result;

// Whether a folder holds a file with this extension.
bool HoldsFile(const std::string& folder, std::string_view extension) {
  std::error_code failed;
  for (std::filesystem::directory_iterator at(folder, failed), end; !failed && at != end;
       at.increment(failed)) {
    if (at->path().extension() == extension) return true;
  }
  return false;
}

// Signs that a log lived here before: stored payloads, or keys of requesters.
bool HadALife(const std::string& log_path) {
  const std::string home = HomeOf(log_path);
  return HoldsFile(base::JoinPath(home, "payloads"), ".json") ||
         HoldsFile(base::JoinPath(home, "keys"), ".key");
}

}  // namespace

std::string HomeOf(const std::string& log_path) {
  const std::string folder = base::FolderOf(log_path);
  return base::BaseName(folder) == "log" ? base::FolderOf(folder) : folder;
}

Result<void> FeedFile(const std::string& path, Verifier& verifier) {
  const base::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.ok()) {
    if (errno == ENOENT || errno == ENOTDIR) return {};
    return Fail(Code::kIo, "cannot open the log " + path + ": " + base::ErrnoText(errno));
  }
  struct stat info {};
  if (::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode)) {
    return Fail(Code::kIo, "the log " + path + " is not a regular file");
  }
  constexpr std::size_t kBlock = std::size_t{1} << 18;
  const auto block = std::make_unique<char[]>(kBlock);
  for (;;) {
    const ssize_t got = ::read(file.get(), block.get(), kBlock);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      return Fail(Code::kIo, "cannot read the log " + path + ": " + base::ErrnoText(errno));
    }
    if (got == 0) return {};
    verifier.Feed({block.get(), static_cast<std::size_t>(got)});
  }
}

std::optional<base::Error> RefusalOf(const Verdict& verdict) {
  switch (verdict.status) {
    case Status::kClean:
      return std::nullopt;
    case Status::kTornTail:
      return base::Error{Code::kLogTornTail,
                         "the log ends in a half-written line: " + verdict.message +
                             "; look at it with `approval log tail`, a person decides what to do"};
    case Status::kCorrupt:
      break;
  }
  return base::Error{Code::kLogCorrupt,
                     "the log does not verify: " + verdict.message +
                         "; see `approval log verify`, nothing is decided until it is restored"};
}

Result<VerifiedLog> ReadVerified(const std::string& path) {
  // A reader does not lock, so it can meet a record that is just being written. While a writer
  // holds the lock, and once after it let go, a torn tail is looked at again before it is called
  // one.
  constexpr int kLooks = 40;
  constexpr auto kPause = std::chrono::milliseconds(5);
  for (int look = 1;; ++look) {
    const bool writing = base::StateOf(path + ".lock") == base::FileState::kRegular;
    Verifier verifier;
    if (auto fed = FeedFile(path, verifier); !fed) {
      return Fail(Code::kLogUnreadable, fed.error().message);
    }
    const Verdict verdict = verifier.Judge();
    if (verdict.status == Status::kTornTail && look < kLooks && (writing || look == 1)) {
      std::this_thread::sleep_for(kPause);
      continue;
    }
    if (auto refusal = RefusalOf(verdict)) return Fail(std::move(*refusal));
    if (!verifier.proved().head() && HadALife(path)) {
      return Fail(Code::kLogUnreadable,
                  "the log " + path +
                      " is missing or empty although payloads or keys of earlier requests lie "
                      "beside it; restore it from a copy");
    }
    return std::move(verifier).TakeProved();
  }
}

}  // namespace approval::log
