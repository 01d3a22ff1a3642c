#include "vault/adapters/program_run.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "core/net/pipe_guard.h"

namespace approval::adapters {
namespace {

using base::Descriptor;
using Clock = std::chrono::steady_clock;

struct Pipe {
  Descriptor read, write;
};

bool MakePipe(Pipe& pipe) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
  pipe.read = Descriptor(ends[0]);
  pipe.write = Descriptor(ends[1]);
  return true;
}

void DoNotBlock(const Descriptor& end) {
  ::fcntl(end.get(), F_SETFL, ::fcntl(end.get(), F_GETFL) | O_NONBLOCK);
}

// What the child needs, prepared before the fork: behind it only plain system calls are safe.
struct Launch {
  int in = -1, out = -1, err = -1, program = -1, report = -1;
  bool script = false;
  pid_t parent = 0;
  char* const* argv = nullptr;
  char* const* environment = nullptr;
};

constexpr int kMaxLastBlocks = 80;  // more than the output may have

constexpr int kProgramFd = 3;
constexpr int kReportFd = 4;
constexpr int kHighFd = 64;  // out of the way of the final numbers

[[noreturn]] void GiveUp(int report) {
  const int why = errno;
  static_cast<void>(!::write(report, &why, sizeof why));
  ::_exit(127);
}

[[noreturn]] void BecomeProgram(const Launch& launch) {
  std::array<int, 5> wanted = {launch.in, launch.out, launch.err, launch.program, launch.report};
  for (int& fd : wanted) {
    const int high = ::fcntl(fd, F_DUPFD_CLOEXEC, kHighFd);
    if (high < 0) GiveUp(launch.report);
    fd = high;
  }
  for (std::size_t at = 0; at < wanted.size(); ++at) {
    if (::dup2(wanted[at], static_cast<int>(at)) < 0) GiveUp(wanted.back());
  }
  ::fcntl(kReportFd, F_SETFD, FD_CLOEXEC);
  if (!launch.script) ::fcntl(kProgramFd, F_SETFD, FD_CLOEXEC);
  if (::close_range(kReportFd + 1, ~0U, 0) != 0) GiveUp(kReportFd);
  if (::setsid() < 0 || ::chdir("/") != 0) GiveUp(kReportFd);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (::getppid() != launch.parent) GiveUp(kReportFd);
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);
  sigset_t nothing;
  ::sigemptyset(&nothing);
  ::sigprocmask(SIG_SETMASK, &nothing, nullptr);
  ::execveat(kProgramFd, "", launch.argv, launch.environment, AT_EMPTY_PATH);
  GiveUp(kReportFd);
}

// Takes one block of what is there and closes the end when there will be no more; whether there may
// be more at once. Keeps at most `bound` bytes.
bool Take(Descriptor& end, std::string& into, std::size_t bound) {
  std::array<char, 16384> block{};
  const ssize_t got = ::read(end.get(), block.data(), block.size());
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (got <= 0) {
    end.Reset();
    return false;
  }
  const std::size_t room = bound > into.size() ? bound - into.size() : 0;
  into.append(block.data(), std::min(room, static_cast<std::size_t>(got)));
  return true;
}

// What an ended program left in a pipe; a descendant that goes on writing is not waited for.
void Drain(Descriptor& end, std::string& into, std::size_t bound) {
  for (int blocks = 0; blocks < kMaxLastBlocks && end.ok() && Take(end, into, bound); ++blocks) {
  }
}

void Give(Descriptor& end, std::string_view& left) {
  while (!left.empty()) {
    const ssize_t put = ::write(end.get(), left.data(), left.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0 && errno == EAGAIN) return;
    if (put <= 0) break;
    left.remove_prefix(static_cast<std::size_t>(put));
  }
  end.Reset();
}

// A program under way; stops it and its group on destruction, whatever happened.
class Child {
 public:
  Child(pid_t pid, Descriptor handle) : pid_(pid), handle_(std::move(handle)) {}
  ~Child() {
    if (pid_ > 0) static_cast<void>(Stop());
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // The group goes while the leader still holds its number.
  int Stop() {
    ::kill(-pid_, SIGKILL);
    ::kill(pid_, SIGKILL);
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = 0;
    return status;
  }

  int handle() const { return handle_.get(); }

 private:
  pid_t pid_;
  Descriptor handle_;
};

struct Ends {
  Descriptor in, out, err;
};

// Moves bytes until the program ended, wrote too much or ran out of time.
ProgramEnd Converse(Child& child, Ends ends, std::string_view input, Clock::time_point until) {
  ProgramEnd end;
  end.kind = ProgramEnd::Kind::kTimedOut;  // it runs: whatever goes wrong here, it was stopped
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
    if (left <= 0) break;
    std::array<pollfd, 4> waits = {
        pollfd{child.handle(), POLLIN, 0}, pollfd{ends.in.get(), POLLOUT, 0},
        pollfd{ends.out.get(), POLLIN, 0}, pollfd{ends.err.get(), POLLIN, 0}};
    const int ready =
        ::poll(waits.data(), waits.size(), static_cast<int>(std::min<long>(left, 60'000)));
    if (ready < 0 && errno != EINTR) break;
    if (ready <= 0) continue;
    if (waits[1].revents != 0) Give(ends.in, input);
    if (waits[2].revents != 0) Take(ends.out, end.out, kMaxProgramOutput + 1);
    if (waits[3].revents != 0) Take(ends.err, end.err, kMaxProgramErrors);
    if (end.out.size() > kMaxProgramOutput) {
      end.kind = ProgramEnd::Kind::kTooMuch;
      break;
    }
    if (waits[0].revents == 0) continue;
    // It is over; what it wrote last is still in the pipes.
    Drain(ends.out, end.out, kMaxProgramOutput + 1);
    Drain(ends.err, end.err, kMaxProgramErrors);
    end.kind =
        end.out.size() > kMaxProgramOutput ? ProgramEnd::Kind::kTooMuch : ProgramEnd::Kind::kExited;
    break;
  }
  const int status = child.Stop();
  if (end.kind == ProgramEnd::Kind::kExited) {
    if (WIFSIGNALED(status)) end.kind = ProgramEnd::Kind::kSignalled;
    end.value = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  }
  return end;
}

ProgramEnd NotStarted(std::string why) {
  ProgramEnd end;
  end.why = std::move(why);
  return end;
}

}  // namespace

ProgramEnd RunSealedProgram(const SealedProgram& program, const std::string& shown_as,
                            std::string_view input, std::chrono::milliseconds deadline) {
  const net::PipeGuard guard;  // a program that does not read must not end this one
  const auto until = Clock::now() + deadline;
  Pipe in, out, err, report;
  if (!MakePipe(in) || !MakePipe(out) || !MakePipe(err) || !MakePipe(report)) {
    return NotStarted("this machine gives no more descriptors");
  }
  std::string name = shown_as;
  std::string path = "PATH=/usr/local/bin:/usr/bin:/bin";
  std::string language = "LANG=C.UTF-8";
  std::array<char*, 2> argv = {name.data(), nullptr};
  std::array<char*, 3> environment = {path.data(), language.data(), nullptr};
  Launch launch{in.read.get(), out.write.get(), err.write.get(), program.fd(), report.write.get()};
  launch.script = program.script();
  launch.parent = ::getpid();
  launch.argv = argv.data();
  launch.environment = environment.data();
  const pid_t pid = ::fork();
  if (pid < 0) return NotStarted("this machine starts no more processes");
  if (pid == 0) BecomeProgram(launch);
  in.read.Reset();
  out.write.Reset();
  err.write.Reset();
  report.write.Reset();
  Child child(pid, Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))));
  // Nothing comes when the program took the child's place.
  int why = 0;
  ssize_t got = 0;
  while ((got = ::read(report.read.get(), &why, sizeof why)) < 0 && errno == EINTR) {
  }
  if (got == static_cast<ssize_t>(sizeof why)) {
    return NotStarted("it cannot be executed: " + base::ErrnoText(why));
  }
  if (child.handle() < 0) {
    // It may have begun; it is stopped, and nobody knows what it did.
    ProgramEnd lost;
    lost.kind = ProgramEnd::Kind::kTimedOut;
    return lost;
  }
  for (const Descriptor* end : {&in.write, &out.read, &err.read}) DoNotBlock(*end);
  return Converse(child, {std::move(in.write), std::move(out.read), std::move(err.read)}, input,
                  until);
}

}  // namespace approval::adapters
