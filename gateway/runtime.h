// The runtime behind every channel: one verified view of the log, one function from gesture to
// event (channels.md 1.7, DESIGN 3).
//
// Safe from any thread: the page decides on the service thread's pool, Telegram on its own thread.
// One mutex guards gate and follower; calls take the milliseconds of a read and an append.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "channels/contract.h"
#include "core/base/clock.h"
#include "core/base/random.h"
#include "core/gate/gate.h"
#include "core/log/follower.h"
#include "gateway/reporter.h"

namespace approval::gateway {

class GatewayRuntime final : public channels::Runtime {
 public:
  GatewayRuntime(gate::GateOptions options, std::string actor, const base::Clock& clock,
                 base::Random& random, Reporter& reporter);

  channels::Outcome Decide(const std::string& channel, const channels::Report& report) override;
  gate::Settlement SettlementOf(const std::string& action_key,
                                const std::string& request_hash) override;
  std::shared_ptr<const channels::QueueView> View() override;
  void Say(const std::string& event, const base::JsonObject& members) override;
  void Warn(const std::string& code, const std::string& sentence) override;

  // Reads log and policy again and makes a fresh view. A log that does not verify makes a view that
  // is stopped, and says so once.
  void Refresh();

  // Appends `approval.expired` for every request whose window is over; returns how many.
  int ExpireLapsed();

  // The next instant at which a pending request lapses; nothing when none does.
  std::optional<std::int64_t> NextDeadlineMs();

  // Called after a decision, from the thread that made it.
  void OnChange(std::function<void()> changed) { changed_ = std::move(changed); }

  void ReproveLog();

  // At a terminal the channel itself says what became of an answer; tokens are still shown.
  void SetQuiet(bool quiet) { quiet_ = quiet; }

  const std::string& actor() const { return actor_; }

 private:
  channels::Outcome Refused(const std::string& channel, const channels::Report& report,
                            const base::Error& error);
  void RefreshLocked();

  const std::string actor_;
  const base::Clock& clock_;
  Reporter& reporter_;
  std::mutex mutex_;
  gate::Gate gate_;
  log::LogFollower follower_;
  std::shared_ptr<const channels::QueueView> view_;
  std::optional<base::Code> said_stopped_;
  std::function<void()> changed_;
  bool quiet_ = false;
};

}  // namespace approval::gateway
