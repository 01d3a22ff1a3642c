#include "channels/telegram/rate.h"

#include <algorithm>
#include <cmath>

namespace approval::telegram {
namespace {

constexpr std::int64_t kMinuteMs = 60'000;

}  // namespace

double ChatRate::TokensAt(std::int64_t now_ms) const {
  const auto elapsed = static_cast<double>(std::max<std::int64_t>(0, now_ms - counted_at_ms_));
  return std::min(limits_.burst, tokens_ + elapsed * limits_.per_second / 1000);
}

std::int64_t ChatRate::WaitMs(std::int64_t now_ms) const {
  std::int64_t wait = std::max<std::int64_t>(0, held_until_ms_ - now_ms);
  const double missing = 1 - TokensAt(now_ms);
  if (missing > 0) {
    const double needed = std::ceil(missing * 1000 / limits_.per_second);
    wait = std::max(wait, static_cast<std::int64_t>(needed));
  }
  if (group_ && messages_.size() >= limits_.group_per_minute) {
    const std::int64_t oldest = messages_[messages_.size() - limits_.group_per_minute];
    wait = std::max(wait, oldest + kMinuteMs - now_ms);
  }
  return wait;
}

void ChatRate::Take(std::int64_t now_ms) {
  tokens_ = TokensAt(now_ms) - 1;
  counted_at_ms_ = now_ms;
  if (!group_) return;
  messages_.push_back(now_ms);
  if (messages_.size() > limits_.group_per_minute) messages_.pop_front();
}

void ChatRate::Hold(std::int64_t now_ms, std::int64_t wait_ms) {
  held_until_ms_ = std::max(held_until_ms_, now_ms + wait_ms);
}

}  // namespace approval::telegram
