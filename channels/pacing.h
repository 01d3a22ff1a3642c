// What a push channel shows next: one question at a time (paced), or all at once (burst)
// (channels.md 3.10, 3.11).
//
// A pure state machine over the pending list; it sends nothing and knows no time but what it is
// told. One owner. Ids are request record hashes. Losing it costs a repeated summary at most.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/gate/request_model.h"

namespace approval::channels {

// One pending request as pacing sees it.
struct PacingItem {
  std::string id;
  std::optional<std::int64_t> window_ms;  // from the request to its deadline; nothing: none
  bool requester_waits = false;           // a tool call blocks on the answer
  bool delivered = false;                 // a card of it is in the chat
  bool undeliverable = false;             // given up on for now; never current
};

PacingItem ItemOf(const gate::RequestModel& request);

struct PacingPick {
  std::string id;
  std::size_t index = 0;  // in the pending list, from 1
  bool urgent = false;    // a second card beside the current one
};

struct PacingPlan {
  bool announce = false;  // the summary (paced) or the banner (burst) goes first
  std::size_t pending = 0;
  std::vector<PacingPick> picks;  // to send now, in this order
};

enum class PacingMode { kPaced, kBurst };

class Pacing {
 public:
  // The plan for this pending list, oldest first. A picked id counts as on its way until Failed, or
  // until it is no longer pending.
  PacingPlan Next(const std::vector<PacingItem>& pending, PacingMode mode);

  // The send of a picked id came to nothing; the next plan may pick it again.
  void Failed(const std::string& id);

  const std::optional<std::string>& current() const { return current_; }
  const std::optional<std::string>& urgent() const { return urgent_; }

 private:
  PacingPlan NextPaced(const std::vector<PacingItem>& pending);
  PacingPlan NextBurst(const std::vector<PacingItem>& pending);
  const PacingItem* FirstUnsent(const std::vector<PacingItem>& pending) const;

  std::optional<std::string> current_;
  std::optional<std::string> urgent_;
  std::set<std::string> on_the_way_;  // picked and not delivered yet
  bool announced_once_ = false;
  std::size_t announced_ = 0;  // the last count told
};

}  // namespace approval::channels
