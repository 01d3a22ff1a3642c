#include "gateway/own_program.h"

#include <unistd.h>

#include <array>
#include <initializer_list>

#include "core/base/files.h"

namespace approval::gateway {
namespace {

std::string FirstOf(std::initializer_list<const char*> places) {
  const std::string folder = OwnFolder();
  for (const char* place : places) {
    const std::string path = base::JoinPath(folder, place);
    if (base::StateOf(path) == base::FileState::kRegular) return path;
  }
  return {};
}

}  // namespace

std::string OwnFolder() {
  std::array<char, 4096> path{};
  const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size());
  if (length <= 0) return ".";
  return base::FolderOf(std::string(path.data(), static_cast<std::size_t>(length)));
}

std::string OwnApproval() { return FirstOf({"approval", "../../bin/approval"}); }

std::string OwnGateway() {
  return FirstOf({"approval-gateway", "../libexec/approval/approval-gateway"});
}

}  // namespace approval::gateway
