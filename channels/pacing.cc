#include "channels/pacing.h"

#include <algorithm>

namespace approval::channels {
namespace {

constexpr std::int64_t kHourMs = 3'600'000;

const PacingItem* Find(const std::vector<PacingItem>& pending, const std::string& id) {
  const auto found =
      std::find_if(pending.begin(), pending.end(), [&](const auto& item) { return item.id == id; });
  return found == pending.end() ? nullptr : &*found;
}

PacingPick PickOf(const std::vector<PacingItem>& pending, const PacingItem& item, bool urgent) {
  return {item.id, static_cast<std::size_t>(&item - pending.data()) + 1, urgent};
}

// A deadline in minutes with somebody blocked on it.
bool IsUrgent(const PacingItem& item) {
  return item.requester_waits && item.window_ms && *item.window_ms < kHourMs;
}

// A card that may stay up for hours.
bool IsSlow(const PacingItem& item) { return !item.window_ms || *item.window_ms >= kHourMs; }

}  // namespace

PacingItem ItemOf(const gate::RequestModel& request) {
  const gate::WaitingView& waiting = request.waiting.value;
  PacingItem item;
  item.id = request.chain.value.hash;
  if (waiting.deadline_ms && waiting.requested_ms) {
    item.window_ms = *waiting.deadline_ms - *waiting.requested_ms;
  }
  item.requester_waits = waiting.requester_waits;
  return item;
}

PacingPlan Pacing::Next(const std::vector<PacingItem>& pending, PacingMode mode) {
  std::erase_if(on_the_way_, [&](const std::string& id) {
    const PacingItem* item = Find(pending, id);
    return item == nullptr || item->delivered || item->undeliverable;
  });
  const auto gone = [&](const std::optional<std::string>& id) {
    if (!id) return false;
    const PacingItem* item = Find(pending, *id);
    return item == nullptr || item->undeliverable;
  };
  if (gone(current_)) current_.reset();
  if (gone(urgent_)) urgent_.reset();
  announced_ = std::min(announced_, pending.size());
  return mode == PacingMode::kPaced ? NextPaced(pending) : NextBurst(pending);
}

const PacingItem* Pacing::FirstUnsent(const std::vector<PacingItem>& pending) const {
  const auto found = std::find_if(pending.begin(), pending.end(), [&](const PacingItem& item) {
    return !item.delivered && !item.undeliverable && !on_the_way_.contains(item.id);
  });
  return found == pending.end() ? nullptr : &*found;
}

PacingPlan Pacing::NextPaced(const std::vector<PacingItem>& pending) {
  PacingPlan plan;
  plan.pending = pending.size();
  // After a restart the cards that are in the chat already are the ones being asked.
  if (!current_) {
    for (const PacingItem& item : pending) {
      if (!item.delivered || item.undeliverable || item.id == urgent_) continue;
      current_ = item.id;
      break;
    }
  }
  if (!current_) {
    const PacingItem* next = FirstUnsent(pending);
    if (next == nullptr) return plan;
    plan.announce = !announced_once_ || pending.size() > announced_;
    announced_once_ = true;
    if (plan.announce) announced_ = pending.size();
    current_ = next->id;
    on_the_way_.insert(next->id);
    plan.picks.push_back(PickOf(pending, *next, false));
  }
  const PacingItem* open = Find(pending, *current_);
  if (urgent_ || open == nullptr || !IsSlow(*open)) return plan;
  for (const PacingItem& item : pending) {
    if (item.delivered || item.undeliverable || on_the_way_.contains(item.id)) continue;
    if (!IsUrgent(item)) continue;
    urgent_ = item.id;
    on_the_way_.insert(item.id);
    plan.picks.push_back(PickOf(pending, item, true));
    break;
  }
  return plan;
}

PacingPlan Pacing::NextBurst(const std::vector<PacingItem>& pending) {
  PacingPlan plan;
  plan.pending = pending.size();
  while (const PacingItem* next = FirstUnsent(pending)) {
    on_the_way_.insert(next->id);
    plan.picks.push_back(PickOf(pending, *next, false));
  }
  plan.announce = !announced_once_ && !plan.picks.empty();
  announced_once_ = announced_once_ || plan.announce;
  return plan;
}

void Pacing::Failed(const std::string& id) {
  on_the_way_.erase(id);
  if (current_ == id) current_.reset();
  if (urgent_ == id) urgent_.reset();
}

}  // namespace approval::channels
