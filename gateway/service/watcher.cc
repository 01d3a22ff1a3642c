#pragma GCC diagnostic ignored "-Wnull-dereference"  // see channels/web/server.cc

#include "gateway/service/watcher.h"

#include <sys/inotify.h>
#include <unistd.h>

#include <boost/asio/buffer.hpp>

namespace approval::gateway {
namespace {

constexpr std::uint32_t kMask = IN_MODIFY | IN_CLOSE_WRITE | IN_CREATE | IN_MOVED_TO |
                                IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF;

}  // namespace

Watcher::Watcher(boost::asio::io_context& io, std::vector<std::string> folders,
                 std::function<void()> changed)
    : events_(io),
      folders_(std::move(folders)),
      watches_(folders_.size(), -1),
      changed_(std::move(changed)) {
  const int fd = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (fd < 0) return;
  events_.assign(fd);
  Wait();
}

bool Watcher::Attach() {
  if (!events_.is_open()) return false;
  bool all = true;
  for (std::size_t i = 0; i < folders_.size(); ++i) {
    // Adding a watch that is there already only refreshes it; a folder made anew gets a new one.
    watches_[i] = ::inotify_add_watch(events_.native_handle(), folders_[i].c_str(), kMask);
    all = all && watches_[i] >= 0;
  }
  return all;
}

void Watcher::Wait() {
  events_.async_read_some(boost::asio::buffer(buffer_),
                          [this](boost::system::error_code failed, std::size_t) {
                            if (failed) return;
                            changed_();
                            Wait();
                          });
}

void Watcher::Stop() {
  boost::system::error_code ignored;
  events_.close(ignored);
}

}  // namespace approval::gateway
