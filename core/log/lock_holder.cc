#include "core/log/lock_holder.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>

#include "core/base/files.h"
#include "core/base/instant.h"

namespace approval::log {
namespace {

using base::Json;
using base::JsonObject;

std::string FirstLine(const std::string& path) {
  auto text = base::ReadFile(path, 4096);
  if (!text) return {};
  return text->substr(0, text->find('\n'));
}

std::string LinkText(const char* path) {
  std::array<char, 256> buffer{};
  const ssize_t length = ::readlink(path, buffer.data(), buffer.size());
  return length > 0 ? std::string(buffer.data(), static_cast<std::size_t>(length)) : "";
}

struct ProcessState {
  bool exists = false;
  char state = '?';
  std::string start;
};

// Fields 3 and 22 of /proc/<pid>/stat; the name in field 2 may hold blanks and brackets.
ProcessState StateOfProcess(const std::string& pid) {
  const std::string stat = FirstLine("/proc/" + pid + "/stat");
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos || name_end + 2 >= stat.size()) return {};
  ProcessState found{true, stat[name_end + 2], ""};
  std::size_t at = name_end + 2;
  for (int field = 3; field < 22 && at != std::string::npos; ++field) {
    at = stat.find(' ', at);
    if (at != std::string::npos) ++at;
  }
  if (at != std::string::npos) found.start = stat.substr(at, stat.find(' ', at) - at);
  return found;
}

std::string BootId() { return FirstLine("/proc/sys/kernel/random/boot_id"); }

std::string Text(const JsonObject& object, std::string_view name) {
  return std::string(base::StringMember(object, name).value_or(""));
}

}  // namespace

std::optional<HolderFile> ReadHolder(const std::string& lock_path) {
  const base::Descriptor file(
      ::open(lock_path.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
  struct stat info {};
  if (!file.ok() || ::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  auto bytes = base::ReadDescriptor(file.get(), 4096);
  if (!bytes) return std::nullopt;
  HolderFile holder;
  holder.bytes = std::move(*bytes);
  holder.inode = info.st_ino;
  holder.modified_ms = info.st_mtim.tv_sec * 1000 + info.st_mtim.tv_nsec / 1'000'000;
  holder.modified_ns = info.st_mtim.tv_sec * 1'000'000'000 + info.st_mtim.tv_nsec;
  return holder;
}

std::string DescribeSelf(std::int64_t now_ms, std::string_view op, std::string_view nonce) {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  JsonObject self;
  self["v"] = 1;
  self["pid"] = static_cast<std::int64_t>(::getpid());
  self["host"] = host.data();
  self["boot"] = BootId();
  self["created"] = base::FormatInstant(now_ms);
  self["op"] = op;
  self["nonce"] = nonce;
  if (const std::string pidns = LinkText("/proc/self/ns/pid"); !pidns.empty()) {
    self["pidns"] = pidns;
  }
  if (const ProcessState state = StateOfProcess("self"); state.exists) self["start"] = state.start;
  if (const std::string timens = LinkText("/proc/self/ns/time"); !timens.empty()) {
    self["timens"] = timens;
  }
  return base::ToText(self) + "\n";
}

HolderState JudgeHolder(const HolderFile& holder, std::int64_t now_ms) {
  if (holder.bytes.empty()) {
    return now_ms - holder.modified_ms >= kLegacyAgeMs ? HolderState::kLegacyAged
                                                       : HolderState::kAlive;
  }
  auto parsed = base::ParseJson(holder.bytes, base::kStrictJson);
  if (!parsed || !parsed->is_object()) return HolderState::kAlive;
  const JsonObject& object = parsed->get_object();
  const Json* pid_member = object.if_contains("pid");
  const std::int64_t pid = pid_member == nullptr ? 0 : base::AsInteger(*pid_member).value_or(0);
  const std::string boot = Text(object, "boot");
  const std::string pidns = Text(object, "pidns");
  if (pid < 1 || boot.empty() || boot != BootId() || pidns.empty() ||
      pidns != LinkText("/proc/self/ns/pid")) {
    return HolderState::kAlive;
  }
  // A process that /proc hides from us is not gone: only the kernel's "no such process" is proof.
  if (::kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH) return HolderState::kDead;
  const ProcessState state = StateOfProcess(std::to_string(pid));
  if (!state.exists) return HolderState::kAlive;
  if (state.state == 'Z') return HolderState::kDead;
  const std::string start = Text(object, "start");
  const std::string timens = Text(object, "timens");
  const bool comparable = !start.empty() && timens == LinkText("/proc/self/ns/time");
  return comparable && start != state.start ? HolderState::kDead : HolderState::kAlive;
}

}  // namespace approval::log
