// The page as a channel: a queue on 127.0.0.1 that a person opens with a login link (channels.md
// 4).
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "channels/contract.h"
#include "channels/web/router.h"
#include "channels/web/server.h"

namespace approval::channels::web {

struct WebConfig {
  unsigned short port = 4680;
  std::string actor;      // whom decisions are recorded as
  base::Secret link_key;  // 32 bytes; whoever has it can make login links
};

class WebChannel final : public Channel {
 public:
  WebChannel(boost::asio::io_context& io, Runtime& runtime, WebConfig config,
             const base::Clock& clock, base::Random& random);

  std::string name() const override { return "web"; }
  tl::expected<void, StartFailure> Start() override;
  void Update(std::shared_ptr<const QueueView> view) override;
  Health health() const override;
  std::optional<StartFailure> failure() const override { return std::nullopt; }
  void Stop() override;

  // After Start.
  unsigned short port() const { return port_; }
  std::string NewLoginLink();

 private:
  WebConfig config_;
  std::mutex mutex_;  // Route on the worker, links from the service thread
  Router router_;
  Server server_;
  unsigned short port_ = 0;
  std::string last_seen_;  // what the last event stood for
};

}  // namespace approval::channels::web
