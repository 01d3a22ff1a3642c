#include "tests/support/fake_runtime.h"

#include <algorithm>
#include <stdexcept>
#include <thread>

#include "core/base/instant.h"

namespace approval::testing {

using channels::Outcome;
using gate::State;

void FakeRuntime::Remake() {
  auto view = std::make_shared<channels::QueueView>();
  view->requests = pending_;
  view->skipped = skipped_;
  view->stopped = stopped_;
  view->policy = policy_;
  view->head_seq = next_seq_;
  view->now_ms = clock_.NowMs();
  view_ = std::move(view);
}

void FakeRuntime::Add(gate::RequestModel request) {
  const std::lock_guard lock(mutex_);
  pending_.push_back(std::move(request));
  Remake();
}

void FakeRuntime::Close(const std::string& action_key, State state, const std::string& actor) {
  const std::lock_guard lock(mutex_);
  std::erase_if(pending_, [&](const gate::RequestModel& request) {
    if (request.action_key.value != action_key) return false;
    settled_[request.chain.value.hash] = {
        state, next_seq_++, actor, base::FormatInstant(clock_.NowMs()), {}, {}};
    return true;
  });
  Remake();
}

void FakeRuntime::Skip(const std::string& action_key, base::Code code) {
  const std::lock_guard lock(mutex_);
  skipped_.push_back({action_key, {code, "cannot be shown"}});
  Remake();
}

void FakeRuntime::SetPolicy(policy::Policy policy) {
  const std::lock_guard lock(mutex_);
  policy_ = std::move(policy);
  Remake();
}

void FakeRuntime::SetStopped(std::optional<base::Error> stopped) {
  const std::lock_guard lock(mutex_);
  stopped_ = std::move(stopped);
  Remake();
}

void FakeRuntime::AllowSenders(std::vector<std::string> ids) {
  const std::lock_guard lock(mutex_);
  allowed_ = std::move(ids);
}

void FakeRuntime::Script(Outcome outcome) {
  const std::lock_guard lock(mutex_);
  scripted_.push_back(std::move(outcome));
}

void FakeRuntime::Delay(std::chrono::milliseconds delay) {
  const std::lock_guard lock(mutex_);
  delay_ = delay;
}

void FakeRuntime::Throw() {
  const std::lock_guard lock(mutex_);
  throw_ = true;
}

void FakeRuntime::OnDecide(std::function<void()> hook) {
  const std::lock_guard lock(mutex_);
  hook_ = std::move(hook);
}

std::vector<channels::Report> FakeRuntime::reports() const {
  const std::lock_guard lock(mutex_);
  return reports_;
}

std::vector<std::pair<std::string, base::JsonObject>> FakeRuntime::said() const {
  const std::lock_guard lock(mutex_);
  return said_;
}

std::vector<std::pair<std::string, std::string>> FakeRuntime::warnings() const {
  const std::lock_guard lock(mutex_);
  return warnings_;
}

std::size_t FakeRuntime::CountWarnings(const std::string& code) const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(std::count_if(
      warnings_.begin(), warnings_.end(), [&](const auto& line) { return line.first == code; }));
}

bool FakeRuntime::Lapsed(const gate::RequestModel& request) const {
  const auto& deadline = request.waiting.value.deadline_ms;
  return deadline && !request.waiting.value.requester_waits && clock_.NowMs() > *deadline;
}

Outcome FakeRuntime::Judge(const channels::Report& report) {
  Outcome out;
  const auto refuse = [&](base::Code code) {
    out.code = code;
    out.sentence = channels::RefusalSentence(code);
    return out;
  };
  if (!allowed_.empty() && (!report.sender || std::find(allowed_.begin(), allowed_.end(),
                                                        report.sender->id) == allowed_.end())) {
    return refuse(base::Code::kSenderUnmapped);
  }
  const auto found =
      std::find_if(pending_.begin(), pending_.end(), [&](const gate::RequestModel& request) {
        return request.action_key.value == report.action_key;
      });
  if (found == pending_.end()) return refuse(base::Code::kAlreadyDecided);
  if (found->chain.value.hash != report.request_hash) return refuse(base::Code::kRequestChanged);
  if (Lapsed(*found)) return refuse(base::Code::kExpired);
  out.ok = true;
  out.state = report.gesture == channels::Gesture::kGrant ? State::kGranted : State::kRejected;
  out.seq = next_seq_++;
  out.actor = "human:alex";
  out.ts = base::FormatInstant(clock_.NowMs());
  out.token_issued = report.gesture == channels::Gesture::kGrant;
  settled_[report.request_hash] = {out.state, out.seq, out.actor, out.ts, report.note, "telegram"};
  pending_.erase(found);
  Remake();
  return out;
}

Outcome FakeRuntime::Decide(const std::string&, const channels::Report& report) {
  std::chrono::milliseconds delay{0};
  std::function<void()> hook;
  bool fail = false;
  {
    const std::lock_guard lock(mutex_);
    std::swap(delay, delay_);
    std::swap(fail, throw_);
    hook = hook_;
    reports_.push_back(report);
  }
  if (hook) hook();
  std::this_thread::sleep_for(delay);
  if (fail) throw std::runtime_error("scripted");
  const std::lock_guard lock(mutex_);
  if (!scripted_.empty()) {
    Outcome out = std::move(scripted_.front());
    scripted_.pop_front();
    return out;
  }
  return Judge(report);
}

gate::Settlement FakeRuntime::SettlementOf(const std::string& action_key,
                                           const std::string& request_hash) {
  const std::lock_guard lock(mutex_);
  const auto settled = settled_.find(request_hash);
  if (settled != settled_.end()) return settled->second;
  for (const gate::RequestModel& request : pending_) {
    if (request.action_key.value != action_key || request.chain.value.hash != request_hash) {
      continue;
    }
    return {Lapsed(request) ? State::kExpired : State::kRequested, 0, "", "", {}, {}};
  }
  return {};
}

std::shared_ptr<const channels::QueueView> FakeRuntime::View() {
  const std::lock_guard lock(mutex_);
  return view_;
}

void FakeRuntime::Say(const std::string& event, const base::JsonObject& members) {
  const std::lock_guard lock(mutex_);
  said_.emplace_back(event, members);
}

void FakeRuntime::Warn(const std::string& code, const std::string& sentence) {
  const std::lock_guard lock(mutex_);
  warnings_.emplace_back(code, sentence);
}

}  // namespace approval::testing
