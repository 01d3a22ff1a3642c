// Wakes the service when the log or the policy changes (DESIGN 3).
//
// inotify on the folders that hold them, since both are replaced or created as files come and go. A
// watch that cannot be set or is lost is said once and set again later; the service also looks by
// itself every second, so a lost watch costs latency only. Runs on the io_context's thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

namespace approval::gateway {

class Watcher {
 public:
  Watcher(boost::asio::io_context& io, std::vector<std::string> folders,
          std::function<void()> changed);

  // Sets the watches that are not set; returns whether all folders are watched.
  bool Attach();
  void Stop();

 private:
  void Wait();

  boost::asio::posix::stream_descriptor events_;
  std::vector<std::string> folders_;
  std::vector<int> watches_;
  std::function<void()> changed_;
  char buffer_[8192]{};
};

}  // namespace approval::gateway
