#include "tests/support/loopback.h"

#include <arpa/inet.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <utility>

namespace approval::testing {

Listener ListenOnLoopback(int port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int yes = 1;
  // Connections of the server that had a named port before may still hold it.
  if (port != 0) ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  auto* raw = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  if (::bind(socket, raw, size) != 0 || ::listen(socket, 64) != 0) std::abort();
  ::getsockname(socket, raw, &size);
  return {socket, ntohs(address.sin_port)};
}

LoopbackServer::LoopbackServer(std::function<void(int socket)> serve)
    : serve_(std::move(serve)), listener_(ListenOnLoopback()) {
  thread_ = std::thread([this] { Run(); });
}

LoopbackServer::~LoopbackServer() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    if (open_ >= 0) ::shutdown(open_, SHUT_RDWR);
  }
  ::shutdown(listener_.socket, SHUT_RDWR);
  thread_.join();
  ::close(listener_.socket);
}

bool LoopbackServer::stopping() const {
  const std::lock_guard lock(mutex_);
  return stopping_;
}

void LoopbackServer::Run() {
  // A client that hung up is no reason for the test to die.
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
  for (;;) {
    const int socket = ::accept4(listener_.socket, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) return;
    bool serving = false;
    {
      const std::lock_guard lock(mutex_);
      serving = !stopping_;
      if (serving) open_ = socket;
    }
    if (serving) serve_(socket);
    const std::lock_guard lock(mutex_);
    open_ = -1;
    ::close(socket);
  }
}

}  // namespace approval::testing
