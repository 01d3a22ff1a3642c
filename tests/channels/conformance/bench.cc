#include "tests/channels/conformance/bench.h"

#include <limits>

namespace approval::testing {
namespace {

constexpr const char* kBenchLines =
    "defaults:\n  autonomy: manual\n  approval_ttl: 1h\n"
    "channels:\n  telegram: {delivery: burst}\n"
    "classes:\n  communicate.email.external: {autonomy: manual}\n"
    "budgets:\n  all: {daily_usd: 5}\n";

}  // namespace

std::vector<RecordingRuntime::Seen> RecordingRuntime::seen() const {
  const std::lock_guard lock(mutex_);
  return seen_;
}

channels::Outcome RecordingRuntime::Decide(const std::string& channel,
                                           const channels::Report& report) {
  channels::Outcome outcome = inner_.Decide(channel, report);
  const std::lock_guard lock(mutex_);
  seen_.push_back({report, outcome});
  return outcome;
}

gate::Settlement RecordingRuntime::SettlementOf(const std::string& key, const std::string& hash) {
  return inner_.SettlementOf(key, hash);
}

std::shared_ptr<const channels::QueueView> RecordingRuntime::View() {
  auto view = inner_.View();
  if (!spoil_) return view;
  auto spoiled = std::make_shared<channels::QueueView>(*view);
  for (gate::RequestModel& request : spoiled->requests) {
    request.payload.value.value = std::numeric_limits<double>::quiet_NaN();
  }
  return spoiled;
}

void RecordingRuntime::Say(const std::string& event, const base::JsonObject& members) {
  inner_.Say(event, members);
}

void RecordingRuntime::Warn(const std::string& code, const std::string& sentence) {
  inner_.Warn(code, sentence);
}

Bench::Bench()
    : rig(kBenchLines),
      gateway({rig.gate.log_path(), rig.folder.Path("APPROVAL.md"), {}}, "human:alice", rig.clock,
              random, reporter),
      runtime(gateway) {
  gateway.SetQuiet(true);
}

bool Bench::Ask(const std::string& key, const base::Json& payload, const std::string& summary) {
  const std::string task = "task-" + std::to_string(++tasks_);
  Action action;
  action.key = key;
  action.payload = payload;
  action.summary = summary;
  action.cost = 0.02;
  // Straight onto the log: no task file could carry every hostile text.
  log::Draft registered{"task.registered", "agent:claude", task};
  registered.payload =
      base::JsonObject{{"actions", Rig::Envelope({action}).at("actions")}, {"state", "proposed"}};
  return rig.Append(registered).has_value() && rig.Request(key, payload, task).has_value();
}

std::shared_ptr<const channels::QueueView> Bench::Look() {
  gateway.Refresh();
  return runtime.View();
}

}  // namespace approval::testing
