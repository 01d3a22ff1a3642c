#include "channels/telegram/decision_worker.h"

#include <exception>
#include <utility>

namespace approval::telegram {

DecisionWorker::DecisionWorker(channels::Runtime& runtime)
    : runtime_(runtime), thread_([this] { Run(); }) {}

DecisionWorker::~DecisionWorker() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void DecisionWorker::Decide(channels::Report report, std::function<void(DecisionResult)> done) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back({std::move(report), std::move(done)});
  }
  changed_.notify_all();
}

DecisionResult DecisionWorker::Ask(const channels::Report& report) {
  DecisionResult result;
  try {
    result.outcome = runtime_.Decide("telegram", report);
    result.settlement = runtime_.SettlementOf(report.action_key, report.request_hash);
  } catch (const std::exception&) {
    result.threw = true;
  }
  return result;
}

void DecisionWorker::Run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stop_ || !jobs_.empty(); });
    if (stop_) return;
    const Job job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    job.done(Ask(job.report));
    lock.lock();
  }
}

}  // namespace approval::telegram
