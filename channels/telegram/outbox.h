// The calls to the chat that wait for their turn: new messages within the
// rate, edits before them (channels.md 3.15).
//
// A job only starts a call and says whether it did (one that found itself needless costs nothing);
// several calls may be open at once. One owner thread; jobs run inside Pump and may Push.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>

#include "channels/telegram/rate.h"

namespace approval::telegram {

class Outbox {
 public:
  using Job = std::function<bool()>;

  enum class Kind {
    kEdit,     // changes a message that is there
    kNotice,   // a new message about the channel itself
    kMessage,  // a new question, or what belongs to one
  };

  explicit Outbox(bool group, RateLimits limits = {}) : rate_(group, limits) {}

  void Push(Kind kind, Job start);

  // Starts what may start now.
  void Pump(std::int64_t now_ms);

  // Milliseconds until the next waiting job may start; nothing when none waits.
  std::optional<std::int64_t> NextMs(std::int64_t now_ms) const;

  ChatRate& rate() { return rate_; }

 private:
  ChatRate rate_;
  std::deque<Job> edits_;
  std::deque<Job> notices_;
  std::deque<Job> messages_;
};

}  // namespace approval::telegram
