#pragma GCC diagnostic ignored "-Wnull-dereference"  // see channels/web/server.cc

#include "gateway/service/part.h"

#include <algorithm>

#include <boost/asio/post.hpp>

namespace approval::gateway {
namespace {

constexpr std::chrono::milliseconds kCeiling{60'000};
// A run as long as this forgives earlier failures.
constexpr std::chrono::seconds kGoodRun{60};

}  // namespace

Part::Part(std::string name, Make make, Detail detail, std::chrono::milliseconds first_backoff,
           bool required, boost::asio::io_context& io, boost::asio::thread_pool& pool,
           Reporter& reporter)
    : name_(std::move(name)),
      make_(std::move(make)),
      detail_(std::move(detail)),
      first_backoff_(first_backoff),
      required_(required),
      io_(io),
      pool_(pool),
      reporter_(reporter),
      retry_(io),
      backoff_(first_backoff) {}

void Part::Start(std::function<std::shared_ptr<const channels::QueueView>()> newest,
                 std::function<void(const base::Error&)> ended) {
  newest_ = std::move(newest);
  ended_ = std::move(ended);
  Try();
}

void Part::Try() {
  if (stopped_) return;
  ++attempt_;
  channel_ = make_();
  boost::asio::post(pool_, [this, channel = channel_.get()] {
    auto started = channel->Start();
    boost::asio::post(io_, [this, started = std::move(started)] {
      tried_ = true;
      if (stopped_) return;
      if (!started) return Failed(started.error());
      running_ = true;
      started_at_ = std::chrono::steady_clock::now();
      base::JsonObject members{{"part", name_}};
      if (const std::string detail = channel_->health().detail; !detail.empty()) {
        members["detail"] = detail;
      }
      for (const auto& member : detail_()) members[member.key()] = member.value();
      reporter_.Say(attempt_ == 1 ? "part_started" : "part_restarted", members);
      channel_->Update(newest_());
    });
  });
}

void Part::Failed(const channels::Channel::StartFailure& failure) {
  if (running_ && std::chrono::steady_clock::now() - started_at_ >= kGoodRun) {
    backoff_ = first_backoff_;
  }
  running_ = false;
  base::JsonObject members{{"part", name_},
                           {"attempt", attempt_},
                           {"code", base::Spelling(failure.error.code)},
                           {"message", failure.error.message}};
  const bool again = failure.retry && !(required_ && attempt_ == 1);
  if (again) members["restart_in_ms"] = static_cast<std::int64_t>(backoff_.count());
  reporter_.Complain("part_failed", members);
  channel_->Stop();
  if (!again) return ended_(failure.error);
  retry_.expires_after(backoff_);
  backoff_ = std::min(backoff_ * 2, kCeiling);
  retry_.async_wait([this](boost::system::error_code cancelled) {
    if (!cancelled) Try();
  });
}

void Part::Update(const std::shared_ptr<const channels::QueueView>& view) {
  if (running_) channel_->Update(view);
}

void Part::Check() {
  if (!running_) return;
  if (const auto failure = channel_->failure()) Failed(*failure);
}

void Part::Stop() {
  if (stopped_) return;
  stopped_ = true;
  retry_.cancel();
  if (channel_) channel_->Stop();
  if (running_) reporter_.Say("part_stopped", {{"part", name_}, {"reason", "stop"}});
  running_ = false;
}

}  // namespace approval::gateway
