// A server on 127.0.0.1 that answers every connection with the same bytes and closes it.
//
// Waits `delay` before it answers. Keeps what each connection sent. Any thread.
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace approval::testing {

class TinyHttp {
 public:
  explicit TinyHttp(std::string answer, std::chrono::milliseconds delay = {});
  ~TinyHttp();
  TinyHttp(const TinyHttp&) = delete;
  TinyHttp& operator=(const TinyHttp&) = delete;

  std::string url(const std::string& path) const {
    return "http://127.0.0.1:" + std::to_string(port_) + path;
  }
  std::vector<std::string> requests() const;

 private:
  void Run();
  void Serve(int fd);

  const std::string answer_;
  const std::chrono::milliseconds delay_;
  int listener_ = -1;
  int port_ = 0;
  mutable std::mutex mutex_;
  bool stop_ = false;
  std::vector<std::string> requests_;
  std::thread thread_;
};

}  // namespace approval::testing
