#include "channels/cli/screen.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

namespace approval::channels::cli {
namespace {

constexpr std::string_view kEnterBytes = "\x1b[?1049h\x1b[?2004h\x1b[?25l\x1b[2J";
constexpr std::string_view kLeaveBytes = "\x1b[0m\x1b[?25h\x1b[?2004l\x1b[?1049l";
// What arrives within this time after something new was drawn was not meant for it.
constexpr auto kGuard = std::chrono::milliseconds(250);
// An escape key and an escape sequence differ by the pause behind them.
constexpr int kEscapePauseMs = 50;
constexpr std::array kHeld = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGWINCH};
constexpr std::array kCrashes = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

// What a crash handler needs to give the terminal back; it can reach nothing else.
struct Rescue {
  volatile sig_atomic_t active = 0;
  int in = -1;
  int out = -1;
  termios before{};
};
Rescue rescue;

extern "C" void GiveBackAndCrash(int number) {
  if (rescue.active != 0) {
    rescue.active = 0;
    [[maybe_unused]] const ssize_t put =
        ::write(rescue.out, kLeaveBytes.data(), kLeaveBytes.size());
    ::tcsetattr(rescue.in, TCSANOW, &rescue.before);
  }
  // The handler was for one time; this one does what it would have done without us.
  ::raise(number);
}

void CatchCrashes(bool on) {
  struct sigaction action {};
  sigemptyset(&action.sa_mask);
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  if (on) {
    action.sa_handler = GiveBackAndCrash;
  } else {
    action.sa_handler = SIG_DFL;
  }
  for (const int number : kCrashes) ::sigaction(number, &action, nullptr);
}

}  // namespace

Screen::Screen(int in, int out) : in_(in), out_(out) {
  sigset_t held;
  sigemptyset(&held);
  for (const int number : kHeld) sigaddset(&held, number);
  ::pthread_sigmask(SIG_BLOCK, &held, &masked_before_);
  signals_ = base::Descriptor(::signalfd(-1, &held, SFD_CLOEXEC | SFD_NONBLOCK));
}

Screen::~Screen() {
  Leave();
  ::pthread_sigmask(SIG_SETMASK, &masked_before_, nullptr);
}

void Screen::Enter() {
  if (entered_ || ::tcgetattr(in_, &before_) != 0) return;
  rescue.in = in_;
  rescue.out = out_;
  rescue.before = before_;
  rescue.active = 1;
  CatchCrashes(true);
  termios raw = before_;
  // Signals of keys stay: they are held and read.
  raw.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON | IEXTEN);
  raw.c_iflag &= ~static_cast<tcflag_t>(ICRNL | INLCR | IXON);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  ::tcsetattr(in_, TCSAFLUSH, &raw);
  entered_ = true;
  drawn_.clear();
  decoder_.Reset();
  Write(std::string(kEnterBytes));
}

void Screen::Leave() {
  if (!entered_) return;
  entered_ = false;
  Write(std::string(kLeaveBytes));
  ::tcsetattr(in_, TCSAFLUSH, &before_);
  rescue.active = 0;
  CatchCrashes(false);
}

Screen::Size Screen::size() const {
  winsize found{};
  if (::ioctl(out_, TIOCGWINSZ, &found) != 0 || found.ws_col == 0 || found.ws_row == 0) return {};
  return {found.ws_col, found.ws_row};
}

void Screen::Draw(const std::vector<std::string>& rows, bool cursor) {
  std::string frame = "\x1b[?25l\x1b[H";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i != 0) frame += "\r\n";
    frame += rows[i] + "\x1b[K";
  }
  frame += "\x1b[J";
  if (cursor) frame += "\x1b[?25h";
  if (frame == drawn_) return;
  Write(frame);
  drawn_ = std::move(frame);
}

void Screen::Ring() { Write("\a"); }

void Screen::Write(const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t put = ::write(out_, bytes.data() + done, bytes.size() - done);
    if (put > 0) {
      done += static_cast<std::size_t>(put);
    } else if (put < 0 && errno == EAGAIN) {
      pollfd wait{out_, POLLOUT, 0};
      ::poll(&wait, 1, 100);
    } else if (put == 0 || errno != EINTR) {
      ended_ = true;
      return;
    }
  }
}

void Screen::Stop() {
  Leave();
  ::kill(::getpid(), SIGSTOP);
  // Here again after SIGCONT.
  Enter();
}

Screen::Event Screen::ReadSignal() {
  signalfd_siginfo info{};
  if (::read(signals_.get(), &info, sizeof info) != static_cast<ssize_t>(sizeof info)) return {};
  const int number = static_cast<int>(info.ssi_signo);
  if (number == SIGTSTP) {
    Stop();
    return {Event::Kind::kChanged};
  }
  if (number == SIGWINCH) {
    drawn_.clear();
    return {Event::Kind::kChanged};
  }
  signal_ = number;
  ended_ = true;
  return {Event::Kind::kEnded};
}

Screen::Event Screen::ReadKeys() {
  std::array<char, 4096> block{};
  const ssize_t got = ::read(in_, block.data(), block.size());
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return {};
  if (got <= 0) {
    ended_ = true;
    return {Event::Kind::kEnded};
  }
  return {Event::Kind::kKeys,
          decoder_.Feed(std::string_view(block.data(), static_cast<std::size_t>(got)))};
}

Screen::Event Screen::Next(std::chrono::milliseconds limit) {
  if (ended_) return {Event::Kind::kEnded};
  std::array<pollfd, 2> ready{{{signals_.get(), POLLIN, 0}, {in_, POLLIN, 0}}};
  const int wait = decoder_.waits() ? kEscapePauseMs : static_cast<int>(limit.count());
  const int count = ::poll(ready.data(), ready.size(), wait);
  if (count < 0) return {};
  if (count == 0) {
    std::vector<Key> keys = decoder_.Pause();
    if (keys.empty()) return {};
    return {Event::Kind::kKeys, std::move(keys)};
  }
  if (ready[0].revents != 0) return ReadSignal();
  return ReadKeys();
}

void Screen::DropTypeAhead() {
  std::this_thread::sleep_for(kGuard);
  ::tcflush(in_, TCIFLUSH);
  decoder_.Reset();
}

void EndBySignal(int number) {
  std::signal(number, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  ::pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  ::raise(number);
}

}  // namespace approval::channels::cli
