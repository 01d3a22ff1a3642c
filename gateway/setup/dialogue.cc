#include "gateway/setup/dialogue.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "core/base/files.h"
#include "core/base/utf8.h"

namespace approval::gateway::setup {
namespace {

constexpr int kTries = 5;
constexpr std::size_t kMaxLine = std::size_t{1} << 16;

constexpr char kInterrupt = 0x03;
constexpr char kEndOfInput = 0x04;
constexpr char kBackspace = 0x08;
constexpr char kDelete = 0x7f;

// One byte; nothing at the end of input.
std::optional<char> ReadByte(int fd) {
  char c = 0;
  for (;;) {
    const ssize_t count = ::read(fd, &c, 1);
    if (count == 1) return c;
    if (count < 0 && errno == EINTR) continue;
    return std::nullopt;
  }
}

// A terminal that shows nothing while this lives. Signals that would end the program wait until the
// terminal is as it was.
class Hidden {
 public:
  explicit Hidden(int fd) : fd_(fd) {
    ::sigemptyset(&ending_);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP}) {
      ::sigaddset(&ending_, number);
    }
    ::pthread_sigmask(SIG_BLOCK, &ending_, &masked_before_);
    signals_ = base::Descriptor(::signalfd(-1, &ending_, SFD_CLOEXEC));
    changed_ = ::tcgetattr(fd_, &before_) == 0;
    if (!changed_) return;
    termios raw = before_;
    raw.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON | ISIG | IEXTEN);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    // What was typed before the question stood there answers nothing.
    ::tcsetattr(fd_, TCSAFLUSH, &raw);
  }
  ~Hidden() {
    if (changed_) ::tcsetattr(fd_, TCSAFLUSH, &before_);
    ::pthread_sigmask(SIG_SETMASK, &masked_before_, nullptr);
  }
  Hidden(const Hidden&) = delete;
  Hidden& operator=(const Hidden&) = delete;

  // The next byte; nothing at the end of input or when a signal waits.
  std::optional<char> Next() {
    for (;;) {
      std::array<pollfd, 2> ready{{{fd_, POLLIN, 0}, {signals_.get(), POLLIN, 0}}};
      if (::poll(ready.data(), ready.size(), -1) < 0 && errno != EINTR) return std::nullopt;
      if ((ready[1].revents & POLLIN) != 0) return std::nullopt;
      if (ready[0].revents != 0) return ReadByte(fd_);
    }
  }

 private:
  int fd_;
  bool changed_ = false;
  termios before_{};
  sigset_t ending_{};
  sigset_t masked_before_{};
  base::Descriptor signals_;
};

void DropLastCharacter(std::string& text) {
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0) == 0x80) text.pop_back();
  if (!text.empty()) text.pop_back();
}

std::optional<bool> YesOrNo(std::string_view answer) {
  answer = base::TrimEcma(answer);
  if (answer == "y" || answer == "Y" || answer == "yes" || answer == "Yes") return true;
  if (answer == "n" || answer == "N" || answer == "no" || answer == "No") return false;
  return std::nullopt;
}

std::string Choice(std::string_view question, bool fallback) {
  return std::string(question) + (fallback ? " [Y/n] " : " [y/N] ");
}

}  // namespace

void Dialogue::Write(std::string_view text) { static_cast<void>(base::WriteAll(out_, text)); }

void Dialogue::DropTypeAhead() {
  if (::isatty(in_) != 0) ::tcflush(in_, TCIFLUSH);
}

void Dialogue::Say(std::string_view line) { Write(std::string(line) + "\n"); }

std::optional<std::string> Dialogue::Line(std::string_view prompt) {
  Write(prompt);
  std::string line;
  for (;;) {
    const auto byte = ReadByte(in_);
    if (!byte) {
      if (line.empty()) {
        Write("\n");
        return std::nullopt;
      }
      return line;
    }
    if (*byte == '\n') return line;
    if (*byte != '\r' && line.size() < kMaxLine) line.push_back(*byte);
  }
}

std::optional<base::Secret> Dialogue::Secret(std::string_view prompt) {
  Write(prompt);
  std::string typed;
  typed.reserve(kMaxLine);
  bool aborted = false;
  {
    Hidden hidden(in_);
    for (;;) {
      const auto byte = hidden.Next();
      if (!byte || *byte == kInterrupt || (*byte == kEndOfInput && typed.empty())) {
        aborted = true;
        break;
      }
      if (*byte == '\n' || *byte == '\r') break;
      if (*byte == kBackspace || *byte == kDelete) {
        DropLastCharacter(typed);
      } else if (*byte != kEndOfInput && typed.size() < kMaxLine) {
        typed.push_back(*byte);
      }
    }
  }
  Write("\n");
  base::Secret secret(std::move(typed));
  if (aborted) return std::nullopt;
  return secret;
}

std::optional<bool> Dialogue::YesNo(std::string_view question, bool fallback) {
  DropTypeAhead();
  const auto answer = Line(Choice(question, fallback));
  if (!answer) return std::nullopt;
  return YesOrNo(*answer).value_or(fallback);
}

std::optional<bool> Dialogue::YesNoUntilClear(std::string_view question, bool fallback) {
  for (;;) {
    DropTypeAhead();
    const auto answer = Line(Choice(question, fallback));
    if (!answer) return std::nullopt;
    if (base::TrimEcma(*answer).empty()) return fallback;
    if (const auto clear = YesOrNo(*answer)) return clear;
    Say("please answer yes or no");
  }
}

std::optional<bool> Dialogue::WholeYes(std::string_view question) {
  DropTypeAhead();
  const auto answer = Line(std::string(question) + " Type yes to do that: ");
  if (!answer) return std::nullopt;
  return *answer == "yes";
}

std::optional<std::string> Dialogue::Ask(
    std::string_view prompt,
    const std::function<std::optional<std::string>(const std::string&)>& why_not) {
  for (int i = 0; i < kTries; ++i) {
    auto answer = Line(prompt);
    if (!answer) return std::nullopt;
    const std::string trimmed(base::TrimEcma(*answer));
    const auto reason = why_not(trimmed);
    if (!reason) return trimmed;
    Say("  " + *reason);
  }
  Say("  that was the fifth try; nothing was changed");
  return std::nullopt;
}

}  // namespace approval::gateway::setup
