#include "tests/support/pty.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <thread>

#include "tests/support/process.h"
#include "tests/support/raw_scan.h"

namespace approval::testing {

using Clock = std::chrono::steady_clock;

Pty::Pty(const std::vector<std::string>& argv, const std::string& folder,
         const std::map<std::string, std::string>& environment, const PtyOptions& options) {
  ours_ = argv.at(0) == ApprovalProgram();
  RunOptions child;
  child.environment = environment;
  child.environment["TERM"] = options.term;
  const std::vector<std::string> entries = ChildEnvironment(child);
  std::vector<char*> argv_pointers = Pointers(argv);
  std::vector<char*> env_pointers = Pointers(entries);
  struct winsize size {
    options.rows, options.columns, 0, 0
  };
  pid_ = ::forkpty(&master_, nullptr, nullptr, &size);
  if (pid_ == 0) {
    if (::chdir(folder.c_str()) != 0) ::_exit(126);
    ::execvpe(argv_pointers[0], argv_pointers.data(), env_pointers.data());
    ::_exit(127);
  }
}

Pty::~Pty() {
  if (!waited_) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  HangUp();
  const std::string fault = ours_ ? RawFaultOfTerminal(screen_) : "";
  if (!fault.empty()) ADD_FAILURE() << "raw bytes at the terminal: " << fault;
}

void Pty::HangUp() {
  if (master_ >= 0) ::close(master_);
  master_ = -1;
}

void Pty::Resize(unsigned short columns, unsigned short rows) {
  const struct winsize size { rows, columns, 0, 0 };
  ::ioctl(master_, TIOCSWINSZ, &size);
}

void Pty::Signal(int number) { ::kill(pid_, number); }

bool Pty::WaitStopped() {
  const auto deadline = Clock::now() + std::chrono::seconds(15);
  while (Clock::now() < deadline) {
    Read(std::chrono::milliseconds(20));
    int status = 0;
    if (::waitpid(pid_, &status, WNOHANG | WUNTRACED) == pid_) return WIFSTOPPED(status);
  }
  return false;
}

termios Pty::Settings() const {
  termios found{};
  ::tcgetattr(master_, &found);
  return found;
}

bool Pty::Read(std::chrono::milliseconds limit) {
  if (master_ < 0) {
    std::this_thread::sleep_for(limit);
    return false;
  }
  pollfd wait{master_, POLLIN, 0};
  if (::poll(&wait, 1, static_cast<int>(limit.count())) <= 0) return true;
  std::array<char, 4096> block{};
  const ssize_t got = ::read(master_, block.data(), block.size());
  if (got > 0) screen_.append(block.data(), static_cast<std::size_t>(got));
  return got > 0 || (got < 0 && errno == EINTR);
}

bool Pty::WaitFor(const std::string& text, std::chrono::milliseconds limit) {
  const auto deadline = Clock::now() + limit;
  for (;;) {
    if (const std::size_t at = screen_.find(text, found_); at != std::string::npos) {
      found_ = at + text.size();
      return true;
    }
    if (Clock::now() >= deadline) return false;
    if (!Read(std::chrono::milliseconds(50)))
      return screen_.find(text, found_) != std::string::npos;
  }
}

void Pty::Type(const std::string& keys) {
  [[maybe_unused]] const ssize_t put = ::write(master_, keys.data(), keys.size());
}

void Pty::TypeLater(const std::string& keys) {
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  Type(keys);
}

int Pty::Wait() {
  const auto deadline = Clock::now() + std::chrono::seconds(15);
  int status = 0;
  while (!waited_) {
    Read(std::chrono::milliseconds(20));
    if (::waitpid(pid_, &status, WNOHANG) == pid_) waited_ = true;
    if (!waited_ && Clock::now() >= deadline) return -1;
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace approval::testing
