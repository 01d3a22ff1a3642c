// The engine's receiving side: a tap or a reply becomes one report and one answer (channels.md 3.6
// to 3.8).
#include <algorithm>

#include "channels/telegram/engine.h"
#include "channels/telegram/wording.h"
#include "render/quote.h"

namespace approval::telegram {
namespace {

constexpr std::int64_t kHeardMs = 1'500;
constexpr std::chrono::milliseconds kAnswerDeadline{10'000};

}  // namespace

void Engine::HandleUpdates() {
  while (!deciding_ && !updates_.empty() && !dead_) {
    const telegram::Update update = std::move(updates_.front());
    updates_.pop_front();
    if (update.id < state_.offset) continue;
    bool handled = true;
    if (const Tap* tap = std::get_if<Tap>(&update.what)) {
      handled = HandleTap(update.id, *tap);
    } else if (const ReplyText* reply = std::get_if<ReplyText>(&update.what)) {
      handled = HandleReply(update.id, *reply);
    }
    if (handled) FinishUpdate(update.id);
  }
}

// The decision is in the log by now, so the server may forget the update.
void Engine::FinishUpdate(std::int64_t update_id) {
  state_.offset = update_id + 1;
  state_.offset_ms = clock_.NowMs();
  SaveState();
}

void Engine::Answer(const std::string& query_id, const std::string& text) {
  if (query_id.empty()) return;
  api_.Call("answerCallbackQuery", {{"callback_query_id", query_id}, {"text", Toast(text)}},
            kAnswerDeadline, [this](const ApiReply& reply) {
              if (reply.ok()) return;
              runtime_.Warn("answer-refused", "a toast was not shown: " + reply.description);
              if (reply.kind == ReplyKind::kUnauthorized) HandleFatal(reply);
            });
}

void Engine::Anomaly(const std::string& kind, const std::string& sentence) {
  runtime_.Warn(kind, sentence);
}

bool Engine::HasMapping() const {
  const auto& approvers = ThePolicy().approvers;
  return std::any_of(approvers.begin(), approvers.end(), [](const auto& approver) {
    const auto found = approver.second.senders.find("telegram");
    return found != approver.second.senders.end() && !found->second.empty();
  });
}

bool Engine::MaySeeOutcomes(const std::string& sender_id) const {
  for (const auto& [name, approver] : ThePolicy().approvers) {
    const auto found = approver.senders.find("telegram");
    if (found == approver.senders.end()) continue;
    if (std::find(found->second.begin(), found->second.end(), sender_id) != found->second.end()) {
      return true;
    }
  }
  return !group_ && sender_id == config_.chat_id;
}

bool Engine::HandleTap(std::int64_t update_id, const Tap& tap) {
  if (tap.chat_id != config_.chat_id) {
    Answer(tap.query_id, "This answers only in the chat that it was set up for.");
    Anomaly("foreign-chat", "a tap from another chat was refused");
    return true;
  }
  if (view_ == nullptr) {
    Answer(tap.query_id, "Not ready yet, nothing was recorded. Tap again in a moment.");
    return true;
  }
  const std::optional<ParsedButton> button = ParseButton(tap.data);
  if (!button) {
    Answer(tap.query_id, "This button is not one of ours; nothing was recorded.");
    Anomaly("malformed-callback", "a tap on a button that this gateway never made was refused");
    return true;
  }
  if (stopped()) {
    Answer(tap.query_id, channels::RefusalSentence(view_->stopped->code));
    return true;
  }
  const std::vector<std::string>& reasons = ThePolicy().channels.telegram.reject_reasons;
  std::string reason;
  if (button->verb == ButtonVerb::kReason && button->reason < reasons.size()) {
    reason = reasons[button->reason];
  }
  bool same_key = false;
  for (auto at = order_.rbegin(); at != order_.rend(); ++at) {
    Entry& entry = entries_.at(*at);
    same_key = same_key || ButtonRef(entry.saved.action_key) == button->ref;
    if (!IsButtonOf(key_.Reveal(), TargetOf(entry), *button, reason)) continue;
    if (button->verb == ButtonVerb::kReason && reason.empty()) continue;
    return HandleButton(update_id, tap, *button, entry, reason);
  }
  if (same_key) {
    Answer(tap.query_id,
           "This button does not belong to what is asked now; nothing was recorded. Use the newest "
           "card.");
    Anomaly("key-mismatch", "a tap on a button of another request of the same key was refused");
  } else {
    Answer(tap.query_id, "This card is not known here any more; nothing was recorded.");
    Anomaly("unknown-callback", "a tap on a card that is not known here was refused");
  }
  return true;
}

bool Engine::HandleButton(std::int64_t update_id, const Tap& tap, const ParsedButton& button,
                          Entry& entry, const std::string& reason) {
  const std::string& id = entry.saved.request_hash;
  if (tap.sender_id.empty() || (group_ && !HasMapping())) {
    Answer(tap.query_id, channels::RefusalSentence(base::Code::kSenderUnmapped));
    Anomaly("sender-unmapped", "a tap without an account that may answer was refused");
    return true;
  }
  // A copy whose send looked failed is the card from now on.
  if (entry.saved.message_id == 0 && tap.message_id != 0 && !entry.outcome) {
    entry.saved.message_id = tap.message_id;
    state_dirty_ = true;
  }
  const gate::Settlement settlement = runtime_.SettlementOf(entry.saved.action_key, id);
  if (settlement.state != gate::State::kRequested) {
    Answer(tap.query_id, MaySeeOutcomes(tap.sender_id)
                             ? SettledToast(settlement, clock_.NowMs(), Local())
                             : channels::RefusalSentence(base::Code::kAlreadyDecided));
    Settle(entry, settlement);
    if (tap.message_id != entry.saved.message_id && entry.outcome) {
      EditCopy(tap.message_id, TextOf(entry).Settled(*entry.outcome),
               entry.form == CardForm::kHtml);
    }
    return true;
  }
  if (button.verb == ButtonVerb::kShowAgain) {
    Answer(tap.query_id, "Sending it again.");
    entry.saved.message_id = 0;
    entry.document_failed = false;
    entry.document_tries = 0;
    entry.undeliverable = false;
    if (entry.in_view && entry.card) Deliver(id);
    return true;
  }
  // An Approve that proves itself was drawn on a card that showed every byte of this very record.
  channels::Report report;
  report.action_key = entry.saved.action_key;
  report.request_hash = id;
  report.delivery_id = "tg-" + std::to_string(tap.message_id);
  report.sender = channels::Sender{tap.sender_id, tap.chat_id};
  if (entry.card) report.rendering = entry.card->rendering;
  if (button.verb == ButtonVerb::kGrant) {
    report.gesture = channels::Gesture::kGrant;
  } else {
    report.note = button.verb == ButtonVerb::kReason
                      ? reason
                      : "rejected with a tap in Telegram, no reason given";
  }
  BeginDecision({update_id, id, tap.query_id, tap.message_id, report.gesture, false, 0},
                std::move(report));
  return false;
}

bool Engine::HandleReply(std::int64_t update_id, const ReplyText& text) {
  if (text.chat_id != config_.chat_id || text.answers == 0 || stopped()) return true;
  const std::optional<std::string> reason = RejectReason(text.text);
  if (!reason || text.sender_id.empty() || (group_ && !HasMapping())) return true;
  for (const std::string& id : order_) {
    const Entry& entry = entries_.at(id);
    if (entry.saved.message_id != text.answers || entry.outcome || !entry.in_view) continue;
    channels::Report report;
    report.action_key = entry.saved.action_key;
    report.request_hash = id;
    report.delivery_id = "tg-" + std::to_string(text.answers);
    report.sender = channels::Sender{text.sender_id, text.chat_id};
    if (entry.card) report.rendering = entry.card->rendering;
    report.note = *reason;
    BeginDecision({update_id, id, "", text.answers, report.gesture, true, 0}, std::move(report));
    return false;
  }
  return true;
}

void Engine::BeginDecision(Deciding deciding, channels::Report report) {
  deciding.heard_at = SteadyMs() + kHeardMs;
  deciding_ = std::move(deciding);
  worker_.Decide(std::move(report), [this](DecisionResult result) {
    Post([this, result = std::move(result)] { OnDecision(result); });
  });
}

// The gate takes long: the person learns at least that the tap arrived.
void Engine::SayHeard() {
  if (!deciding_ || deciding_->answered || SteadyMs() < deciding_->heard_at) return;
  deciding_->answered = true;
  Answer(deciding_->query_id, "Heard, still recording it. The card will say what came of it.");
}

void Engine::OnDecision(const DecisionResult& result) {
  const Deciding deciding = *std::exchange(deciding_, std::nullopt);
  ApplyOutcome(deciding, result);
  FinishUpdate(deciding.update_id);
}

void Engine::ApplyOutcome(const Deciding& deciding, const DecisionResult& result) {
  const auto answer = [&](const std::string& text) {
    if (!deciding.answered) Answer(deciding.query_id, text);
  };
  const auto found = entries_.find(deciding.request_hash);
  if (found == entries_.end()) {
    answer(result.outcome.ok ? RecordedToast(deciding.gesture, result.outcome)
                             : channels::RefusalSentence(result.outcome.code));
    return;
  }
  Entry& entry = found->second;
  if (result.threw) {
    answer("Not recorded, something went wrong here. You will be asked again.");
    return NotRecorded(entry);
  }
  const channels::Outcome& outcome = result.outcome;
  gate::Settlement settlement = result.settlement;
  if (outcome.ok) {
    if (settlement.state == gate::State::kRequested || settlement.state == gate::State::kNone) {
      settlement = {outcome.state, outcome.seq, outcome.actor, outcome.ts, {}, {}};
    }
    answer(RecordedToast(deciding.gesture, outcome));
  } else if (IsSenderRefusal(outcome.code)) {
    // The card stays for the right person.
    answer(channels::RefusalSentence(outcome.code));
    return;
  } else {
    const bool settled = settlement.state != gate::State::kRequested;
    const bool already = outcome.code == base::Code::kAlreadyDecided && settled;
    answer(already ? SettledToast(settlement, clock_.NowMs(), Local())
                   : (outcome.sentence.empty() ? channels::RefusalSentence(outcome.code)
                                               : outcome.sentence));
  }
  Settle(entry, settlement);
  if (entry.outcome && deciding.message_id != entry.saved.message_id) {
    EditCopy(deciding.message_id, TextOf(entry).Settled(*entry.outcome),
             entry.form == CardForm::kHtml);
  }
}

void Engine::NotRecorded(Entry& entry) {
  runtime_.Warn("not-recorded", "an answer to " + render::QuoteLine(entry.saved.action_key, 120) +
                                    " was not recorded; it is asked again");
  if (entry.saved.message_id == 0) return;
  EditCopy(entry.saved.message_id, TextOf(entry).Settled("✗ Not recorded; asked again below"),
           entry.form == CardForm::kHtml);
  entry.saved.message_id = 0;
  state_dirty_ = true;
  pacing_.Failed(entry.saved.request_hash);
}

}  // namespace approval::telegram
