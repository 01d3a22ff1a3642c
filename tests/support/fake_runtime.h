// A channels::Runtime for tests: a queue in memory with a gate that decides as the real one does
// for plain cases.
//
// Keeps what was reported and said. Add and Close change the queue and make a new view; Publish
// hands it to a channel. A decision settles its request unless an outcome was scripted.
// Thread-safe.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "channels/contract.h"
#include "core/base/clock.h"

namespace approval::testing {

class FakeRuntime final : public channels::Runtime {
 public:
  explicit FakeRuntime(const base::Clock& clock) : clock_(clock) {}

  // The queue. The new view replaces the old one; View() returns it at once.
  void Add(gate::RequestModel request);
  void Close(const std::string& action_key, gate::State state,
             const std::string& actor = "human:sam");
  void Skip(const std::string& action_key, base::Code code);
  void SetPolicy(policy::Policy policy);
  void SetStopped(std::optional<base::Error> stopped);

  // The only accounts whose decisions count; empty: any.
  void AllowSenders(std::vector<std::string> ids);
  // The next decisions end like this instead, in order.
  void Script(channels::Outcome outcome);
  // The next decision takes this long, or throws.
  void Delay(std::chrono::milliseconds delay);
  void Throw();
  // Called inside every decision, before it is made.
  void OnDecide(std::function<void()> hook);

  std::vector<channels::Report> reports() const;
  std::vector<std::pair<std::string, base::JsonObject>> said() const;
  std::vector<std::pair<std::string, std::string>> warnings() const;
  std::size_t CountWarnings(const std::string& code) const;

  channels::Outcome Decide(const std::string& channel, const channels::Report& report) override;
  gate::Settlement SettlementOf(const std::string& action_key,
                                const std::string& request_hash) override;
  std::shared_ptr<const channels::QueueView> View() override;
  void Say(const std::string& event, const base::JsonObject& members) override;
  void Warn(const std::string& code, const std::string& sentence) override;

 private:
  void Remake();  // the view from the queue
  channels::Outcome Judge(const channels::Report& report);
  bool Lapsed(const gate::RequestModel& request) const;

  const base::Clock& clock_;
  mutable std::mutex mutex_;
  std::vector<gate::RequestModel> pending_;
  std::vector<gate::Skip> skipped_;
  policy::Policy policy_;
  std::optional<base::Error> stopped_;
  std::shared_ptr<const channels::QueueView> view_ = std::make_shared<channels::QueueView>();
  std::map<std::string, gate::Settlement> settled_;  // by record hash
  std::vector<std::string> allowed_;
  std::deque<channels::Outcome> scripted_;
  std::chrono::milliseconds delay_{0};
  bool throw_ = false;
  std::function<void()> hook_;
  std::vector<channels::Report> reports_;
  std::vector<std::pair<std::string, base::JsonObject>> said_;
  std::vector<std::pair<std::string, std::string>> warnings_;
  std::int64_t next_seq_ = 100;
};

}  // namespace approval::testing
