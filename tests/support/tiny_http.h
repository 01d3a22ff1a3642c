// A server on 127.0.0.1 that answers every connection with the same bytes and closes it.
//
// Waits `delay` before it answers. Keeps what each connection sent. Any thread.
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <vector>

#include "tests/support/loopback.h"

namespace approval::testing {

class TinyHttp {
 public:
  explicit TinyHttp(std::string answer, std::chrono::milliseconds delay = {});

  std::string url(const std::string& path) const {
    return "http://127.0.0.1:" + std::to_string(server_.port()) + path;
  }
  std::vector<std::string> requests() const;

 private:
  void Serve(int fd);

  const std::string answer_;
  const std::chrono::milliseconds delay_;
  mutable std::mutex mutex_;
  std::vector<std::string> requests_;
  LoopbackServer server_;
};

}  // namespace approval::testing
