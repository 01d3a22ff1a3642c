// How fast this program may write to one chat: a token bucket, a window for groups, and what the
// server asked for (channels.md 3.15).
//
// Times are steady milliseconds that the caller passes in; nothing here reads a clock. One owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

namespace approval::telegram {

// What one chat takes. The defaults are the Bot API's; a Bot API server of one's own may take more.
struct RateLimits {
  double per_second = 1;
  double burst = 3;
  std::size_t group_per_minute = 20;
};

class ChatRate {
 public:
  explicit ChatRate(bool group, RateLimits limits = {})
      : group_(group), limits_(limits), tokens_(limits.burst) {}

  // Milliseconds until one more message may be sent; 0: now. Edits add nothing to a chat and only
  // wait for what the server asked for.
  std::int64_t WaitMs(std::int64_t now_ms) const;

  // One message is sent now.
  void Take(std::int64_t now_ms);

  // Nothing is called before `now_ms + wait_ms`.
  void Hold(std::int64_t now_ms, std::int64_t wait_ms);

  bool held(std::int64_t now_ms) const { return now_ms < held_until_ms_; }
  std::int64_t held_until_ms() const { return held_until_ms_; }

 private:
  double TokensAt(std::int64_t now_ms) const;

  bool group_;
  RateLimits limits_;
  double tokens_;
  std::int64_t counted_at_ms_ = 0;
  std::int64_t held_until_ms_ = 0;
  std::deque<std::int64_t> messages_;  // starts within the last minute
};

}  // namespace approval::telegram
