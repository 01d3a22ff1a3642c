// The Telegram channel: questions as cards in one chat, answers as authenticated taps
// (channels.md 3).
//
// Start checks the configuration, takes the listener's lock in the private folder and asks the
// server whether the token works (up to 3 s; a server out of reach is no failure). Then one thread
// polls and sends. Update and health return at once. Stop ends the thread within a second plus a
// decision that is being recorded. `runtime`, `clock` and `random` outlive the channel.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "channels/contract.h"
#include "channels/telegram/config.h"
#include "core/base/clock.h"
#include "core/base/random.h"

namespace approval::telegram {

class Engine;
class ListenerLock;

class TelegramChannel final : public channels::Channel {
 public:
  TelegramChannel(TelegramConfig config, channels::Runtime& runtime, base::Clock& clock,
                  base::Random& random);
  ~TelegramChannel() override;

  std::string name() const override { return "telegram"; }
  // `not-configured`, `telegram-group-unmapped`, `telegram-unauthorized`, `io`: not worth another
  // try. `telegram-poller-running`: later.
  tl::expected<void, StartFailure> Start() override;
  void Update(std::shared_ptr<const channels::QueueView> view) override;
  channels::Health health() const override;
  std::optional<StartFailure> failure() const override;
  void Stop() override;

 private:
  base::Result<void> CheckConfiguration() const;

  TelegramConfig config_;
  channels::Runtime& runtime_;
  base::Clock& clock_;
  base::Random& random_;
  std::unique_ptr<ListenerLock> lock_;
  std::unique_ptr<Engine> engine_;
  std::thread thread_;
};

}  // namespace approval::telegram
