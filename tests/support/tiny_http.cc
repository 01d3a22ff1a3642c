#include "tests/support/tiny_http.h"

#include <poll.h>
#include <sys/socket.h>

#include <thread>
#include <utility>

namespace approval::testing {

TinyHttp::TinyHttp(std::string answer, std::chrono::milliseconds delay)
    : answer_(std::move(answer)), delay_(delay), server_([this](int fd) { Serve(fd); }) {}

std::vector<std::string> TinyHttp::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
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
    if (server_.stopping()) return;
  }
  static_cast<void>(::send(fd, answer_.data(), answer_.size(), MSG_NOSIGNAL));
}

}  // namespace approval::testing
