// Keeps SIGPIPE away from the calling thread for the life of this object.
//
// OpenSSL writes to sockets in a way that raises it when the server went away, and that must not
// end a process, whatever its program set up. A SIGPIPE that was pending before stays pending.
#pragma once

#include <signal.h>

namespace approval::net {

class PipeGuard {
 public:
  PipeGuard();
  ~PipeGuard();
  PipeGuard(const PipeGuard&) = delete;
  PipeGuard& operator=(const PipeGuard&) = delete;

 private:
  sigset_t pipe_;
  sigset_t before_;
  bool was_pending_ = false;
};

}  // namespace approval::net
