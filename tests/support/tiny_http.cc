#include "tests/support/tiny_http.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>

namespace approval::testing {

TinyHttp::TinyHttp(std::string answer, std::chrono::milliseconds delay)
    : answer_(std::move(answer)), delay_(delay) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* raw = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  if (::bind(listener_, raw, size) != 0 || ::listen(listener_, 16) != 0) std::abort();
  ::getsockname(listener_, raw, &size);
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { Run(); });
}

TinyHttp::~TinyHttp() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  ::shutdown(listener_, SHUT_RDWR);
  thread_.join();
  ::close(listener_);
}

std::vector<std::string> TinyHttp::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

void TinyHttp::Run() {
  for (;;) {
    const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) return;
    Serve(fd);
    ::close(fd);
  }
}

// Reads until the client is quiet, which is enough for requests of a test.
void TinyHttp::Serve(int fd) {
  std::string request;
  char block[4096];
  pollfd waiting{fd, POLLIN, 0};
  while (::poll(&waiting, 1, request.empty() ? 2'000 : 30) > 0) {
    const ssize_t got = ::recv(fd, block, sizeof block, 0);
    if (got <= 0) break;
    request.append(block, static_cast<std::size_t>(got));
  }
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back(request);
  }
  const auto end = std::chrono::steady_clock::now() + delay_;
  while (std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const std::lock_guard lock(mutex_);
    if (stop_) return;
  }
  static_cast<void>(::send(fd, answer_.data(), answer_.size(), MSG_NOSIGNAL));
}

}  // namespace approval::testing
