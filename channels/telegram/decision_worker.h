// One thread that asks the gate, so that a slow lock never holds up the chat
// (channels.md 3.6, 3.8).
//
// Jobs run in order, one at a time, each calls back from the worker's thread. An exception of the
// runtime becomes `threw`; nothing is known of the decision then. Destruction waits for the running
// job and drops the rest.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "channels/contract.h"

namespace approval::telegram {

struct DecisionResult {
  bool threw = false;
  channels::Outcome outcome;
  gate::Settlement settlement;  // read back after the commit
};

class DecisionWorker {
 public:
  explicit DecisionWorker(channels::Runtime& runtime);
  ~DecisionWorker();
  DecisionWorker(const DecisionWorker&) = delete;
  DecisionWorker& operator=(const DecisionWorker&) = delete;

  void Decide(channels::Report report, std::function<void(DecisionResult)> done);

 private:
  struct Job {
    channels::Report report;
    std::function<void(DecisionResult)> done;
  };
  void Run();
  DecisionResult Ask(const channels::Report& report);

  channels::Runtime& runtime_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace approval::telegram
