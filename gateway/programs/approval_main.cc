// The fast program: verbs that agents and scripts call often. Others are handed to
// approval-gateway, so that a user sees one command.
#include <unistd.h>

#include <array>
#include <cerrno>

#include "core/base/files.h"
#include "gateway/program.h"
#include "gateway/verbs/handlers.h"

namespace {

std::string OwnFolder() {
  std::array<char, 4096> path{};
  const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size());
  if (length <= 0) return ".";
  return approval::base::FolderOf(std::string(path.data(), static_cast<std::size_t>(length)));
}

// Beside this program in a build folder, else where `cmake --install` puts it.
int HandOver(const approval::gateway::VerbSpec&, char** argv) {
  const std::string folder = OwnFolder();
  for (const std::string& path :
       {folder + "/approval-gateway", folder + "/../libexec/approval/approval-gateway"}) {
    ::execv(path.c_str(), argv);
  }
  approval::gateway::SayLine(stderr, "✗ io  approval-gateway cannot be started from " + folder +
                                         ": " + approval::base::ErrnoText(errno) +
                                         "; reinstall approval");
  return 4;
}

}  // namespace

int main(int argc, char** argv) {
  return approval::gateway::RunProgram(argc, argv, approval::gateway::FastHandlers(), HandOver);
}
