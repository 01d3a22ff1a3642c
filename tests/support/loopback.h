// Servers of tests on 127.0.0.1.
#pragma once

#include <functional>
#include <mutex>
#include <thread>

namespace approval::testing {

struct Listener {
  int socket = -1;
  int port = 0;
};

// Listens on this port, 0 for any free one. Ends the program when it cannot; the caller closes the
// socket.
Listener ListenOnLoopback(int port = 0);

// Serves connections one after another, on a thread of its own in which SIGPIPE is blocked.
//
// `serve` gets each connection and returns when it is done with it; the server closes it.
// Destruction shuts the open connection down and waits for `serve`, which has to notice the end of
// the connection or to ask `stopping()`. What `serve` uses must live longer: in a class the server
// is the last member.
class LoopbackServer {
 public:
  explicit LoopbackServer(std::function<void(int socket)> serve);
  ~LoopbackServer();
  LoopbackServer(const LoopbackServer&) = delete;
  LoopbackServer& operator=(const LoopbackServer&) = delete;

  int port() const { return listener_.port; }
  // From any thread.
  bool stopping() const;

 private:
  void Run();

  const std::function<void(int)> serve_;
  const Listener listener_;
  mutable std::mutex mutex_;
  bool stopping_ = false;
  int open_ = -1;
  std::thread thread_;
};

}  // namespace approval::testing
