#include "tests/support/background.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <thread>

namespace approval::testing {

using Clock = std::chrono::steady_clock;

Background::Background(const std::vector<std::string>& argv, const RunOptions& options) {
  const std::vector<std::string> environment = ChildEnvironment(options);
  std::vector<char*> argv_pointers = Pointers(argv);
  std::vector<char*> env_pointers = Pointers(environment);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) ::abort();
  pid_ = ::fork();
  if (pid_ == 0) {
    const int null = ::open("/dev/null", O_RDONLY);
    ::dup2(null, STDIN_FILENO);
    ::dup2(ends[1], STDOUT_FILENO);
    if (::chdir(options.folder.c_str()) != 0) ::_exit(126);
    if (options.folder != ".") {
      const int err = ::open("background.err", O_WRONLY | O_CREAT | O_APPEND, 0600);
      if (err >= 0) ::dup2(err, STDERR_FILENO);
    }
    ::execvpe(argv_pointers[0], argv_pointers.data(), env_pointers.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  out_ = ends[0];
}

Background::~Background() {
  if (!exit_) {
    Signal(SIGTERM);
    if (Wait(std::chrono::seconds(5)) < 0) {
      Signal(SIGKILL);
      Wait();
    }
  }
  ::close(out_);
}

void Background::Signal(int number) {
  if (!exit_) ::kill(pid_, number);
}

int Background::Wait(std::chrono::milliseconds limit) {
  const auto deadline = Clock::now() + limit;
  while (!exit_) {
    int status = 0;
    const pid_t ended = ::waitpid(pid_, &status, WNOHANG);
    if (ended == pid_) {
      exit_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    } else if (Clock::now() >= deadline) {
      return -1;
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
  return *exit_;
}

std::optional<std::string> Background::Line(std::chrono::milliseconds limit) {
  const auto deadline = Clock::now() + limit;
  for (;;) {
    if (const std::size_t end = pending_.find('\n'); end != std::string::npos) {
      std::string line = pending_.substr(0, end);
      pending_.erase(0, end + 1);
      return line;
    }
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return std::nullopt;
    pollfd wait{out_, POLLIN, 0};
    if (::poll(&wait, 1, static_cast<int>(left)) <= 0) continue;
    std::array<char, 4096> block{};
    const ssize_t got = ::read(out_, block.data(), block.size());
    if (got <= 0) return std::nullopt;
    pending_.append(block.data(), static_cast<std::size_t>(got));
  }
}

std::optional<base::JsonObject> Background::Event(const std::string& event,
                                                  std::chrono::milliseconds limit) {
  const auto deadline = Clock::now() + limit;
  for (;;) {
    const auto line =
        Line(std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()));
    if (!line) return std::nullopt;
    const auto parsed = base::ParseJson(*line, base::kLenientJson);
    if (!parsed || !parsed->is_object()) continue;
    if (base::StringMember(parsed->get_object(), "event") == event) return parsed->get_object();
  }
}

}  // namespace approval::testing
