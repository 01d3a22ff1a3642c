#include "tests/support/loopback.h"

#include <arpa/inet.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <utility>

namespace approval::testing {

namespace {

// Whether the socket listens on the port now.
bool Listens(int socket, sockaddr_in address) {
  const auto* raw = reinterpret_cast<const sockaddr*>(&address);
  const int yes = 1;
  const bool named = address.sin_port != 0;
  // Connections of the server that had a named port before may still hold it; they give way when
  // both sides say so. A free port is chosen without the mark, or two tests could be given one.
  if (named) ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (::bind(socket, raw, sizeof address) != 0) return false;
  if (!named) ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  return ::listen(socket, 64) == 0;
}

}  // namespace

Listener ListenOnLoopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  // A connection of another test may hold a named port for a moment.
  for (int tries = 0; tries < 100; ++tries) {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (Listens(socket, address)) {
      socklen_t size = sizeof address;
      ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
      return {socket, ntohs(address.sin_port)};
    }
    ::close(socket);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  std::abort();
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
