// The engine's view side: which requests are pending, settled, due (channels.md 3.9 to 3.11).
#include <algorithm>

#include "channels/prompt.h"
#include "channels/telegram/engine.h"
#include "channels/telegram/wording.h"
#include "render/quote.h"
#include "render/words.h"

namespace approval::telegram {
namespace {

constexpr std::int64_t kReminderFloorMs = 120'000;
constexpr std::chrono::milliseconds kAnnounceDeadline{3'000};

render::CardOptions OptionsOf(const policy::Policy& policy, std::size_t index, std::size_t total) {
  render::CardOptions options;
  options.surface = render::Surface::kTelegram;
  options.index = index;
  options.total = total;
  options.prompt = channels::PromptFor(policy, "telegram");
  options.minimal = channels::MinimalFor(policy, "telegram");
  return options;
}

}  // namespace

std::optional<render::LocalTime> Engine::Local() const {
  return channels::LocalTimeFor(ThePolicy(), "telegram");
}

void Engine::SyncView() {
  NoticeStop();
  if (stopped()) return;
  for (auto& [id, entry] : entries_) entry.in_view = false;
  std::size_t index = 0;
  for (const gate::RequestModel& request : view_->requests) {
    ++index;
    const std::string& id = request.chain.value.hash;
    auto [found, fresh] = entries_.try_emplace(id);
    Entry& entry = found->second;
    if (fresh) order_.push_back(id);
    entry.saved.action_key = request.action_key.value;
    entry.saved.request_hash = id;
    entry.saved.request_seq = request.chain.value.seq;
    entry.in_view = true;
    entry.deadline_ms = request.waiting.value.deadline_ms;
    entry.requested_ms = request.waiting.value.requested_ms;
    // Drawn when it is sent; a card that an earlier process sent is drawn again now.
    if (entry.refresh && !entry.card) {
      entry.card = render::BuildCard(request, clock_.NowMs(),
                                     OptionsOf(view_->policy, index, view_->requests.size()));
      QueueEdit(id);
    }
  }
  SayNewSkips();
  SettleMissing();
}

void Engine::NoticeStop() {
  if (!view_->stopped) {
    if (stop_noticed_) runtime_.Say("recovered", {{"channel", "telegram"}, {"what", "log"}});
    stop_noticed_ = false;
    return;
  }
  if (stop_noticed_) return;
  stop_noticed_ = true;
  const std::string text = "⛔ The log does not verify (" +
                           std::string(base::Spelling(view_->stopped->code)) +
                           "). Until it does, no question is sent and no answer is recorded.";
  outbox_.Push(Outbox::Kind::kNotice, [this, text] {
    api_.Call("sendMessage", {{"chat_id", config_.chat_id}, {"text", text}}, config_.call_timeout,
              [this](const ApiReply& reply) { HandleFatal(reply); });
    return true;
  });
}

void Engine::SettleMissing() {
  for (const std::string& id : order_) {
    Entry& entry = entries_.at(id);
    if (entry.in_view || entry.outcome || entry.saved.retired) continue;
    Settle(entry, runtime_.SettlementOf(entry.saved.action_key, id));
  }
}

void Engine::Settle(Entry& entry, const gate::Settlement& settlement) {
  // A request that is open but cannot be shown (its payload is gone) keeps its card.
  if (settlement.state == gate::State::kRequested || entry.outcome) return;
  entry.outcome = OutcomeLine(settlement, clock_.NowMs(), Local());
  entry.undeliverable = false;
  if (entry.saved.message_id == 0) {
    entry.saved.retired = true;
  } else {
    QueueEdit(entry.saved.request_hash);
  }
  state_dirty_ = true;
}

void Engine::CheckDeadlines() {
  if (stopped()) return;
  const std::int64_t now = clock_.NowMs();
  for (const std::string& id : order_) {
    Entry& entry = entries_.at(id);
    if (!entry.in_view || !entry.deadline_ms || entry.outcome || entry.saved.message_id == 0) {
      continue;
    }
    if (now <= *entry.deadline_ms) {
      Remind(entry);
      continue;
    }
    if (now < entry.next_deadline_check) continue;
    Settle(entry, runtime_.SettlementOf(entry.saved.action_key, id));
    // The requester's own wait may end before the window does; look again now and then.
    entry.next_deadline_check =
        now + std::clamp<std::int64_t>(now - *entry.deadline_ms, 250, 60'000);
  }
}

void Engine::Remind(Entry& entry) {
  const std::string& id = entry.saved.request_hash;
  if (entry.saved.reminded || !entry.requested_ms) return;
  if (pacing_.current() != id && pacing_.urgent() != id) return;
  const std::int64_t left = *entry.deadline_ms - clock_.NowMs();
  if (left * 4 >= *entry.deadline_ms - *entry.requested_ms || left < kReminderFloorMs) return;
  entry.saved.reminded = true;
  state_dirty_ = true;
  outbox_.Push(Outbox::Kind::kMessage, [this, id] {
    const auto found = entries_.find(id);
    if (found == entries_.end() || found->second.outcome || stopped()) return false;
    const Entry& due = found->second;
    const std::string text =
        "⏰ still open: " + render::PlainDuration(*due.deadline_ms - clock_.NowMs()) +
        " left, until " + render::ClockWords(*due.deadline_ms, clock_.NowMs(), Local());
    api_.Call("sendMessage",
              {{"chat_id", config_.chat_id},
               {"text", text},
               {"reply_parameters", base::JsonObject{{"message_id", due.saved.message_id},
                                                     {"allow_sending_without_reply", true}}}},
              config_.call_timeout, [this](const ApiReply& reply) { HandleFatal(reply); });
    return true;
  });
}

void Engine::PlanSends() {
  if (stopped() || announcing_) return;
  std::vector<channels::PacingItem> pending;
  for (const gate::RequestModel& request : view_->requests) {
    const Entry& entry = entries_.at(request.chain.value.hash);
    if (entry.outcome) continue;
    pending.push_back(channels::ItemOf(request));
    pending.back().delivered = entry.saved.message_id != 0;
    pending.back().undeliverable = entry.undeliverable;
  }
  const bool paced = ThePolicy().channels.telegram.delivery == policy::TelegramDelivery::kPaced;
  const channels::PacingPlan plan =
      pacing_.Next(pending, paced ? channels::PacingMode::kPaced : channels::PacingMode::kBurst);
  for (const channels::PacingPick& pick : plan.picks) {
    Entry& entry = entries_.at(pick.id);
    entry.urgent = pick.urgent;
    entry.busy = true;  // keeps it from being forgotten until its turn
    const auto model =
        std::find_if(view_->requests.begin(), view_->requests.end(),
                     [&](const auto& request) { return request.chain.value.hash == pick.id; });
    entry.card = render::BuildCard(*model, clock_.NowMs(),
                                   OptionsOf(view_->policy, pick.index, plan.pending));
  }
  const auto deliver = [this, picks = plan.picks] {
    for (const channels::PacingPick& pick : picks) {
      entries_.at(pick.id).busy = false;
      Deliver(pick.id);
    }
  };
  if (plan.announce) {
    Announce(plan.pending, deliver);
  } else {
    deliver();
  }
}

// The cards follow whatever becomes of the announcement.
void Engine::Announce(std::size_t pending, std::function<void()> then) {
  const bool paced = ThePolicy().channels.telegram.delivery == policy::TelegramDelivery::kPaced;
  Marked text;
  if (paced) {
    Append(text, Style::kText, "📥 ");
    Append(text, Style::kCode, SummaryText(view_->requests, clock_.NowMs()));
  } else {
    Append(text, Style::kText,
           "▶️ approval is listening; " + std::to_string(pending) +
               " to answer follow. Older cards here still decide.");
  }
  announcing_ = true;
  outbox_.Push(Outbox::Kind::kNotice, [this, text, then = std::move(then)] {
    api_.Call("sendMessage",
              {{"chat_id", config_.chat_id},
               {"text", ToHtml(text)},
               {"parse_mode", "HTML"},
               {"disable_web_page_preview", true},
               {"disable_notification", true}},
              kAnnounceDeadline, [this, then](const ApiReply& reply) {
                announcing_ = false;
                HandleFatal(reply);
                then();
              });
    return true;
  });
}

void Engine::SayNewSkips() {
  std::set<std::string> now;
  for (const gate::Skip& skip : view_->skipped) {
    const std::string code(base::Spelling(skip.error.code));
    now.insert(skip.action_key + "\n" + code);
    if (skips_said_.contains(skip.action_key + "\n" + code)) continue;
    runtime_.Warn(
        code, "no card for " + render::QuoteLine(skip.action_key, 120) + ": " + skip.error.message);
  }
  skips_said_ = std::move(now);
}

// Settled cards are forgotten, the oldest first; those that still need an edit stay.
void Engine::Trim() {
  std::size_t retired = 0;
  for (const std::string& id : order_) {
    if (entries_.at(id).saved.retired) ++retired;
  }
  std::erase_if(order_, [&](const std::string& id) {
    const Entry& entry = entries_.at(id);
    if (!entry.saved.retired || entry.in_view || entry.busy) return false;
    if (entry.saved.message_id != 0 && retired <= kMostRetired) return false;
    --retired;
    entries_.erase(id);
    return true;
  });
}

}  // namespace approval::telegram
