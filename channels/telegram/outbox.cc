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
  while (!edits_.empty() && !rate_.held(now_ms)) {
    const Job start = std::move(edits_.front());
    edits_.pop_front();
    static_cast<void>(start());
  }
  for (std::deque<Job>* queue : {&notices_, &messages_}) {
    while (!queue->empty() && rate_.WaitMs(now_ms) == 0) {
      const Job start = std::move(queue->front());
      queue->pop_front();
      if (start()) rate_.Take(now_ms);
    }
  }
}

std::optional<std::int64_t> Outbox::NextMs(std::int64_t now_ms) const {
  std::optional<std::int64_t> next;
  if (!edits_.empty()) next = std::max<std::int64_t>(0, rate_.held_until_ms() - now_ms);
  if (!notices_.empty() || !messages_.empty()) {
    const std::int64_t wait = rate_.WaitMs(now_ms);
    next = next ? std::min(*next, wait) : wait;
  }
  return next;
}

}  // namespace approval::telegram
