#include "gateway/verbs/terminal_input.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <thread>

#include "gateway/invocation.h"

namespace approval::gateway {
namespace {

constexpr int kAskEveryMs = 250;
// What arrives within this time after the prompt was drawn was not meant for it.
constexpr auto kGuard = std::chrono::milliseconds(250);

}  // namespace

bool MayPaint(const Invocation& call) {
  return ::isatty(STDOUT_FILENO) != 0 && !call.environment()("NO_COLOR");
}

std::size_t TerminalColumns() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return std::max<std::size_t>(size.ws_col, 10);
}

TerminalInput::TerminalInput(int fd) : fd_(fd), terminal_(::isatty(fd) != 0) {}

void TerminalInput::DropTypeAhead() {
  if (!terminal_) return;
  std::this_thread::sleep_for(kGuard);
  ::tcflush(fd_, TCIFLUSH);
  pending_.clear();
}

std::optional<channels::cli::Typed> TerminalInput::Read(const std::string& prompt,
                                                        const std::function<bool()>& over) {
  std::fputs(prompt.c_str(), stdout);
  std::fflush(stdout);
  DropTypeAhead();
  for (;;) {
    if (const std::size_t end = pending_.find('\n'); end != std::string::npos) {
      channels::cli::Typed typed{pending_.substr(0, end)};
      pending_.erase(0, end + 1);
      return typed;
    }
    if (ended_) return std::nullopt;
    pollfd wait{fd_, POLLIN, 0};
    const int ready = ::poll(&wait, 1, kAskEveryMs);
    if (ready == 0 && over()) {
      std::fputc('\n', stdout);
      return channels::cli::Typed{"", true};
    }
    if (ready <= 0) continue;
    std::array<char, 4096> block{};
    const ssize_t got = ::read(fd_, block.data(), block.size());
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (got <= 0) {
      ended_ = true;
      continue;
    }
    pending_.append(block.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace approval::gateway
