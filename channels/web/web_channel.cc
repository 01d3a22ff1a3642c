#include "channels/web/web_channel.h"

namespace approval::channels::web {
namespace {

// Changes exactly when a page would look different: which requests wait, what is skipped, a stop.
std::string Fingerprint(const QueueView& view) {
  std::string out = view.stopped ? "stopped" : "open";
  for (const gate::RequestModel& request : view.requests) out += " " + request.chain.value.hash;
  for (const gate::Skip& skip : view.skipped) out += " !" + skip.action_key;
  return out;
}

}  // namespace

WebChannel::WebChannel(boost::asio::io_context& io, Runtime& runtime, WebConfig config,
                       const base::Clock& clock, base::Random& random)
    : config_(std::move(config)),
      router_(runtime, config_.actor, config_.link_key.Copy(), clock, random),
      server_(io, [this](const WebRequest& request) {
        const std::lock_guard lock(mutex_);
        return router_.Route(request);
      }) {}

tl::expected<void, Channel::StartFailure> WebChannel::Start() {
  auto port = server_.Listen(config_.port);
  if (!port) return tl::unexpected(StartFailure{port.error(), true});
  port_ = *port;
  const std::lock_guard lock(mutex_);
  router_.SetPort(port_);
  return {};
}

void WebChannel::Update(std::shared_ptr<const QueueView> view) {
  std::string seen = Fingerprint(*view);
  if (seen == last_seen_) return;
  last_seen_ = std::move(seen);
  server_.Push("queue", std::to_string(view->head_seq));
}

Health WebChannel::health() const {
  if (port_ == 0) return {false, "not listening"};
  return {true, "listening on 127.0.0.1:" + std::to_string(port_)};
}

std::string WebChannel::NewLoginLink() {
  const std::lock_guard lock(mutex_);
  return router_.NewLoginLink();
}

void WebChannel::Stop() { server_.Stop(); }

}  // namespace approval::channels::web
