#include "channels/telegram/outbox.h"

#include <algorithm>
#include <utility>

namespace approval::telegram {

void Outbox::Push(Kind kind, Job start) {
  switch (kind) {
    case Kind::kEdit:
      edits_.push_back(std::move(start));
      return;
    case Kind::kMessage:
      messages_.push_back(std::move(start));
      return;
    case Kind::kNotice:
      notices_.push_back(std::move(start));
      return;
  }
}

void Outbox::Pump(std::int64_t now_ms) {
  const auto run = [&](std::deque<Job>& queue, bool is_message) {
    while (!queue.empty() && rate_.WaitMs(now_ms, is_message) == 0) {
      const Job start = std::move(queue.front());
      queue.pop_front();
      if (start()) rate_.Take(now_ms, is_message);
    }
  };
  run(edits_, false);
  run(notices_, true);
  run(messages_, true);
}

std::optional<std::int64_t> Outbox::NextMs(std::int64_t now_ms) const {
  std::optional<std::int64_t> next;
  if (!edits_.empty()) next = rate_.WaitMs(now_ms, false);
  if (!notices_.empty() || !messages_.empty()) {
    const std::int64_t wait = rate_.WaitMs(now_ms, true);
    next = next ? std::min(*next, wait) : wait;
  }
  return next;
}

}  // namespace approval::telegram
