// The Telegram channel's loop: one thread that owns the HTTP client, with a long poll and sends
// open at the same time (channels.md 3.4 to 3.16).
//
// Everything but Post, Stop, health and failure belongs to the thread that runs Run. Nothing in the
// loop sleeps or blocks but HttpClient::Poll; decisions run on the DecisionWorker. What it knows of
// requests is the newest view and, for one that left it, Runtime::SettlementOf.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "channels/contract.h"
#include "channels/pacing.h"
#include "channels/telegram/bot_api.h"
#include "channels/telegram/buttons.h"
#include "channels/telegram/card_text.h"
#include "channels/telegram/config.h"
#include "channels/telegram/decision_worker.h"
#include "channels/telegram/deliveries.h"
#include "channels/telegram/outbox.h"
#include "channels/telegram/updates.h"
#include "core/base/clock.h"

namespace approval::telegram {

class Engine {
 public:
  Engine(const TelegramConfig& config, base::Secret button_key, channels::Runtime& runtime,
         base::Clock& clock);

  // Whether the token works, asked once and for a few seconds; an unreachable server is no failure.
  std::optional<channels::Channel::StartFailure> CheckToken();

  // Until Stop, or until the token or the chat is dead.
  void Run();

  // Any thread: the newest view, the end.
  void Update(std::shared_ptr<const channels::QueueView> view);
  void Stop();
  channels::Health health() const;
  std::optional<channels::Channel::StartFailure> failure() const;

 private:
  using Ms = std::int64_t;

  // What this process knows of one request record, by its hash.
  struct Entry {
    Delivery saved;
    std::optional<render::Card> card;  // as last seen in a view
    std::optional<std::int64_t> deadline_ms;
    std::optional<std::int64_t> requested_ms;
    bool in_view = false;
    bool busy = false;     // a send of it is queued, open or waiting to be tried again
    bool refresh = false;  // sent by an earlier process: to be drawn again once
    bool urgent = false;
    bool undeliverable = false;
    bool document_failed = false;
    CardForm form = CardForm::kHtml;
    int document_tries = 0;
    int unknown_sends = 0;  // sends that may have arrived
    Ms wait_ms = 0;         // the last wait before trying again
    std::optional<Ms> retry_at;
    Ms next_deadline_check = 0;          // wall clock
    std::optional<std::string> outcome;  // the line of a settled one
    bool edit_busy = false;
    Ms edit_wait_ms = 0;
    std::optional<Ms> edit_retry_at;
  };

  // An update whose decision is being made.
  struct Deciding {
    std::int64_t update_id = 0;
    std::string request_hash;
    std::string query_id;  // empty: a reply, which gets no toast
    std::int64_t message_id = 0;
    channels::Gesture gesture = channels::Gesture::kReject;
    bool answered = false;
    Ms heard_at = 0;
  };

  // engine.cc: the loop
  void TakeInbox();
  void Post(std::function<void()> job);
  void Cycle();
  void WatchClocks();
  std::chrono::milliseconds NextWait() const;
  void StartPoll();
  void OnPoll(const ApiReply& reply);
  void PollFailed(const ApiReply& reply);
  void Die(base::Code code, const std::string& message);
  void PublishHealth();
  void SaveState();
  Ms SteadyMs() const;
  Ms Jittered(Ms wait) const;

  // engine_view.cc: what is pending, what was settled
  void SyncView();
  void NoticeStop();
  void SettleMissing();
  void Settle(Entry& entry, const gate::Settlement& settlement);
  void CheckDeadlines();
  void Remind(Entry& entry);
  void PlanSends();
  void Announce(std::size_t pending, std::function<void()> then);
  void SayNewSkips();
  void Trim();

  // engine_cards.cc: sending and editing
  void Deliver(const std::string& id);
  void QueueDocument(const std::string& id);
  void OnDocument(const std::string& id, const ApiReply& reply);
  void QueueCard(const std::string& id);
  void OnCard(const std::string& id, const ApiReply& reply);
  void CardRefused(const std::string& id, const ApiReply& reply);
  void GiveUp(const std::string& id, const std::string& why);
  void QueueEdit(const std::string& id);
  void OnEdit(const std::string& id, const ApiReply& reply);
  void EditCopy(std::int64_t message_id, const std::string& text, bool html);
  void RetryDue();
  bool HandleFatal(const ApiReply& reply);  // the common part of every reply to a send
  Ms Backoff(Ms& wait) const;
  CardText TextOf(const Entry& entry) const;
  base::JsonObject MessageOf(const Entry& entry, const std::string& text) const;
  base::JsonObject KeyboardOf(const Entry& entry) const;
  bool Approvable(const Entry& entry) const;
  ButtonTarget TargetOf(const Entry& entry) const;

  // engine_taps.cc: what people do
  void HandleUpdates();
  bool HandleTap(std::int64_t update_id, const Tap& tap);  // true: handled; false: deciding
  bool HandleReply(std::int64_t update_id, const ReplyText& text);
  bool HandleButton(std::int64_t update_id, const Tap& tap, const ParsedButton& button,
                    Entry& entry, const std::string& reason);
  void BeginDecision(Deciding deciding, channels::Report report);
  void OnDecision(const DecisionResult& result);
  void ApplyOutcome(const Deciding& deciding, const DecisionResult& result);
  void NotRecorded(Entry& entry);
  void SayHeard();
  void FinishUpdate(std::int64_t update_id);
  void Answer(const std::string& query_id, const std::string& text);
  void Anomaly(const std::string& kind, const std::string& sentence);
  bool MaySeeOutcomes(const std::string& sender_id) const;
  bool HasMapping() const;

  const policy::Policy& ThePolicy() const;
  bool stopped() const { return view_ == nullptr || view_->stopped.has_value(); }
  std::optional<render::LocalTime> Local() const;  // of whoever reads the chat

  const TelegramConfig& config_;
  const base::Secret key_;
  channels::Runtime& runtime_;
  base::Clock& clock_;
  const bool group_;
  const std::string state_path_;
  net::HttpClient http_;
  BotApi api_;
  Outbox outbox_;
  channels::Pacing pacing_;

  std::shared_ptr<const channels::QueueView> view_;
  std::map<std::string, Entry> entries_;
  std::vector<std::string> order_;  // ids of entries_, oldest first
  std::set<std::string> skips_said_;
  DeliveryState state_;
  bool state_dirty_ = false;
  bool stop_noticed_ = false;
  bool announcing_ = false;

  std::deque<telegram::Update> updates_;
  std::optional<Deciding> deciding_;
  std::optional<net::HttpClient::Id> poll_;
  Ms next_poll_at_ = 0;
  Ms poll_wait_ms_ = 0;
  std::string poll_trouble_;  // empty: polls work
  bool conflict_ = false;
  std::string chat_trouble_;  // 403: nobody gets anything
  bool sent_once_ = false;
  Ms last_steady_ms_ = 0;
  std::int64_t last_wall_ms_ = 0;
  bool dead_ = false;

  mutable std::mutex mutex_;  // of the members below
  std::shared_ptr<const channels::QueueView> inbox_view_;
  std::vector<std::function<void()>> inbox_jobs_;
  bool stop_ = false;
  channels::Health health_;
  std::optional<channels::Channel::StartFailure> failure_;

  DecisionWorker worker_;  // last: its jobs use what stands above
};

}  // namespace approval::telegram
