#include "core/net/pipe_guard.h"

#include <ctime>

namespace approval::net {

PipeGuard::PipeGuard() {
  sigemptyset(&pipe_);
  sigaddset(&pipe_, SIGPIPE);
  sigset_t pending;
  sigpending(&pending);
  was_pending_ = sigismember(&pending, SIGPIPE) == 1;
  pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
}

PipeGuard::~PipeGuard() {
  const timespec now{0, 0};
  if (!was_pending_) sigtimedwait(&pipe_, nullptr, &now);
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace approval::net
