// One channel under supervision: started, told of every view, restarted with back-off
// (surfaces.md 14.1).
//
// All methods on the service thread; starting, which may wait for a network, happens on `pool`.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>

#include "channels/contract.h"
#include "gateway/reporter.h"

namespace approval::gateway {

class Part {
 public:
  // What `part_started` says beside its name, asked once the channel runs.
  using Detail = std::function<base::JsonObject()>;
  using Make = std::function<std::unique_ptr<channels::Channel>()>;

  Part(std::string name, Make make, Detail detail, std::chrono::milliseconds first_backoff,
       bool required, boost::asio::io_context& io, boost::asio::thread_pool& pool,
       Reporter& reporter);

  // `newest` gives the view to show once the channel runs; `ended` is called when the part cannot
  // run any more: an error that no restart mends, or for a required part a failed first start.
  void Start(std::function<std::shared_ptr<const channels::QueueView>()> newest,
             std::function<void(const base::Error&)> ended);
  void Update(const std::shared_ptr<const channels::QueueView>& view);
  // Looks whether the channel ended by itself.
  void Check();
  void Stop();

  const std::string& name() const { return name_; }
  bool running() const { return running_; }
  // Whether the first start has ended, well or not.
  bool tried() const { return tried_; }
  channels::Channel* channel() const { return channel_.get(); }

 private:
  void Try();
  void Failed(const channels::Channel::StartFailure& failure);

  const std::string name_;
  Make make_;
  Detail detail_;
  const std::chrono::milliseconds first_backoff_;
  const bool required_;
  boost::asio::io_context& io_;
  boost::asio::thread_pool& pool_;
  Reporter& reporter_;
  boost::asio::steady_timer retry_;
  std::unique_ptr<channels::Channel> channel_;
  std::function<std::shared_ptr<const channels::QueueView>()> newest_;
  std::function<void(const base::Error&)> ended_;
  std::chrono::milliseconds backoff_;
  std::chrono::steady_clock::time_point started_at_;
  int attempt_ = 0;
  bool running_ = false;
  bool tried_ = false;
  bool stopped_ = false;
};

}  // namespace approval::gateway
