// Where a channel under test works: a real log, the real gate and the real runtime in a folder of
// their own, with a runtime in between that remembers what was reported.
//
// One test thread drives it; a channel may call the runtime from threads of its own.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gateway/reporter.h"
#include "gateway/runtime.h"
#include "tests/gate/rig.h"

namespace approval::testing {

// Passes everything on, keeps reports with their outcomes, and can spoil a payload in the view.
class RecordingRuntime final : public channels::Runtime {
 public:
  explicit RecordingRuntime(gateway::GatewayRuntime& inner) : inner_(inner) {}

  struct Seen {
    channels::Report report;
    channels::Outcome outcome;
  };
  std::vector<Seen> seen() const;

  // Views from now on hold payloads that have no canonical form, so that no surface can show them.
  void SpoilPayloads() { spoil_ = true; }

  channels::Outcome Decide(const std::string& channel, const channels::Report& report) override;
  gate::Settlement SettlementOf(const std::string& key, const std::string& hash) override;
  std::shared_ptr<const channels::QueueView> View() override;
  void Say(const std::string& event, const base::JsonObject& members) override;
  void Warn(const std::string& code, const std::string& sentence) override;

 private:
  gateway::GatewayRuntime& inner_;
  mutable std::mutex mutex_;
  std::vector<Seen> seen_;
  bool spoil_ = false;
};

class Bench {
 public:
  Bench();

  // Registers and requests one action under a task of its own.
  bool Ask(const std::string& key, const base::Json& payload = Letter(),
           const std::string& summary = "Send the chaser");

  // The newest view, after a look at log and policy.
  std::shared_ptr<const channels::QueueView> Look();

  Rig rig;
  gateway::Reporter reporter{true};
  FakeRandom random;
  gateway::GatewayRuntime gateway;
  RecordingRuntime runtime;

 private:
  int tasks_ = 0;
};

}  // namespace approval::testing
