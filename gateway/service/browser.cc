#include "gateway/service/browser.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include <array>

#include "core/base/files.h"
#include "gateway/child_environment.h"

namespace approval::gateway {

base::Result<void> OpenInBrowser(const std::string& url) {
  const ChildEnvironment environment = StripCredentials("");
  std::vector<char*> entries;
  for (const std::string& entry : environment.entries) {
    entries.push_back(const_cast<char*>(entry.c_str()));
  }
  entries.push_back(nullptr);
  std::string program = "xdg-open";
  std::string argument = url;
  std::array<char*, 3> argv = {program.data(), argument.data(), nullptr};
  posix_spawn_file_actions_t quiet;
  ::posix_spawn_file_actions_init(&quiet);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    ::posix_spawn_file_actions_addopen(&quiet, fd, "/dev/null", O_RDWR, 0);
  }
  // Nobody waits for the browser.
  struct sigaction forget {};
  forget.sa_handler = SIG_DFL;
  forget.sa_flags = SA_NOCLDWAIT;
  ::sigaction(SIGCHLD, &forget, nullptr);
  pid_t child = 0;
  const int failed = ::posix_spawnp(&child, argv[0], &quiet, nullptr, argv.data(), entries.data());
  ::posix_spawn_file_actions_destroy(&quiet);
  if (failed != 0) {
    return base::Fail(base::Code::kIo, "xdg-open cannot be started: " + base::ErrnoText(failed) +
                                           "; open the printed login link yourself");
  }
  return {};
}

}  // namespace approval::gateway
