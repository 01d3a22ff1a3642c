// The engine's sending side: a document, then the card, then what became of it (channels.md 3.4,
// 3.8, 3.15).
#include <algorithm>

#include "channels/telegram/engine.h"
#include "channels/telegram/wording.h"
#include "render/quote.h"

namespace approval::telegram {
namespace {

using base::Code;

constexpr int kDocumentTries = 3;
// Sends without an answer before the card counts as undelivered: each may be a copy in the chat.
constexpr int kUnknownSends = 3;
constexpr std::int64_t kUnknownWaitMs = 600'000;
constexpr std::int64_t kStartHoldMs = 60'000;
constexpr std::int64_t kLongestHoldMs = 3'600'000;
constexpr std::size_t kReasonsPerRow = 3;
constexpr std::size_t kButtonUnits = 40;

base::JsonObject Button(const std::string& text, const std::string& data) {
  return {{"text", text}, {"callback_data", data}};
}

std::int64_t MessageIdOf(const base::Json& result) {
  if (!result.is_object()) return 0;
  const base::Json* id = result.get_object().if_contains("message_id");
  return id == nullptr ? 0 : base::AsInteger(*id).value_or(0);
}

std::string AnswerersOf(const policy::Policy& policy) {
  std::string out;
  for (const auto& [name, approver] : policy.approvers) {
    if (!approver.senders.contains("telegram")) continue;
    out += (out.empty() ? "" : ", ") + render::QuoteLine(name, 60);
  }
  return out;
}

}  // namespace

Engine::Ms Engine::Backoff(Ms& wait) const {
  wait = std::clamp<Ms>(wait * 2, config_.first_backoff.count(), config_.backoff_ceiling.count());
  return SteadyMs() + Jittered(wait);
}

ButtonTarget Engine::TargetOf(const Entry& entry) const {
  return {entry.saved.action_key, entry.saved.request_hash, config_.chat_id};
}

bool Engine::Approvable(const Entry& entry) const {
  if (!entry.card || !entry.card->complete) return false;
  return !NeedsDocument(*entry.card, entry.form) || entry.saved.document_id != 0;
}

base::JsonObject Engine::KeyboardOf(const Entry& entry) const {
  const std::string_view key = key_.Reveal();
  const ButtonTarget target = TargetOf(entry);
  base::JsonArray first;
  const bool approvable = Approvable(entry);
  if (approvable) {
    first.push_back(Button("✅ Approve", ButtonData(key, target, ButtonVerb::kGrant)));
  }
  const bool minimal = entry.card && entry.card->is_minimal();
  first.push_back(
      Button(minimal ? "✋ Deny" : "🛑 Reject", ButtonData(key, target, ButtonVerb::kReject)));
  if (!approvable && entry.card && entry.card->complete) {
    first.push_back(Button("🔁 Show again", ButtonData(key, target, ButtonVerb::kShowAgain)));
  }
  base::JsonArray rows{std::move(first)};
  base::JsonArray row;
  const std::vector<std::string>& reasons = ThePolicy().channels.telegram.reject_reasons;
  for (std::size_t i = 0; i < reasons.size() && i < kMaxReasons; ++i) {
    row.push_back(Button(CutQuoted(render::QuoteLine(reasons[i]), kButtonUnits),
                         ButtonData(key, target, ButtonVerb::kReason, i, reasons[i])));
    if (row.size() == kReasonsPerRow) rows.emplace_back(std::exchange(row, {}));
  }
  if (!row.empty()) rows.emplace_back(std::move(row));
  return {{"inline_keyboard", std::move(rows)}};
}

CardText Engine::TextOf(const Entry& entry) const {
  if (!entry.card) {
    CardText bare = BareCard(render::QuoteLine(entry.saved.action_key));
    bare.form = entry.form;
    return bare;
  }
  CardLook look;
  look.form = entry.form;
  look.urgent = entry.urgent;
  if (entry.saved.document_id != 0) look.document = DocumentState::kSent;
  if (entry.document_failed) look.document = DocumentState::kFailed;
  if (group_) look.may_answer = AnswerersOf(ThePolicy());
  return ComposeCard(*entry.card, look);
}

base::JsonObject Engine::MessageOf(const Entry& entry, const std::string& text) const {
  base::JsonObject message{
      {"chat_id", config_.chat_id}, {"text", text}, {"disable_web_page_preview", true}};
  if (entry.form == CardForm::kHtml) message["parse_mode"] = "HTML";
  return message;
}

void Engine::Deliver(const std::string& id) {
  Entry& entry = entries_.at(id);
  if (entry.busy) return;
  entry.busy = true;
  const bool document = entry.card && NeedsDocument(*entry.card, entry.form) &&
                        entry.saved.document_id == 0 && !entry.document_failed;
  if (document) {
    QueueDocument(id);
  } else {
    QueueCard(id);
  }
}

void Engine::QueueDocument(const std::string& id) {
  outbox_.Push(Outbox::Kind::kMessage, [this, id] {
    Entry& entry = entries_.at(id);
    if (stopped() || entry.outcome || !entry.in_view) {
      entry.busy = false;
      pacing_.Failed(id);
      return false;
    }
    CardDocument document = DocumentOf(*entry.card);
    api_.SendDocument({config_.chat_id, std::move(document.file_name), std::move(document.bytes),
                       std::move(document.caption)},
                      config_.call_timeout,
                      [this, id](const ApiReply& reply) { OnDocument(id, reply); });
    return true;
  });
}

void Engine::OnDocument(const std::string& id, const ApiReply& reply) {
  Entry& entry = entries_.at(id);
  if (HandleFatal(reply)) {
    entry.retry_at = SteadyMs() + config_.forbidden_retry.count();
    return;
  }
  if (reply.ok()) {
    entry.saved.document_id = MessageIdOf(reply.result);
    entry.document_failed = false;
    state_dirty_ = true;
    return QueueCard(id);
  }
  if (reply.kind == ReplyKind::kTooMany) return QueueDocument(id);
  if (reply.kind != ReplyKind::kUnreachable) ++entry.document_tries;
  if (reply.kind == ReplyKind::kBadRequest || entry.document_tries >= kDocumentTries) {
    entry.document_failed = true;
    runtime_.Warn(std::string(base::Spelling(Code::kHttpAborted)),
                  "the document of " + render::QuoteLine(entry.saved.action_key, 120) +
                      " could not be sent, so its card has no Approve: " + reply.description);
    return QueueCard(id);
  }
  entry.retry_at = Backoff(entry.wait_ms);
}

void Engine::QueueCard(const std::string& id) {
  outbox_.Push(Outbox::Kind::kMessage, [this, id] {
    Entry& entry = entries_.at(id);
    if (stopped() || entry.outcome || !entry.in_view || !entry.card) {
      entry.busy = false;
      pacing_.Failed(id);
      return false;
    }
    base::JsonObject message = MessageOf(entry, TextOf(entry).Open());
    message["reply_markup"] = KeyboardOf(entry);
    api_.Call("sendMessage", message, config_.call_timeout,
              [this, id](const ApiReply& reply) { OnCard(id, reply); });
    return true;
  });
}

void Engine::OnCard(const std::string& id, const ApiReply& reply) {
  Entry& entry = entries_.at(id);
  if (HandleFatal(reply)) {
    entry.retry_at = SteadyMs() + config_.forbidden_retry.count();
    return;
  }
  const std::int64_t message_id = reply.ok() ? MessageIdOf(reply.result) : 0;
  if (message_id != 0) {
    // A copy whose send looked failed may have been tapped meanwhile and have become the card.
    if (entry.saved.message_id != 0 && entry.outcome) {
      EditCopy(message_id, TextOf(entry).Settled(*entry.outcome), entry.form == CardForm::kHtml);
    }
    entry.saved.message_id = message_id;
    entry.saved.plain = entry.form != CardForm::kHtml;
    entry.saved.retired = false;
    entry.busy = false;
    entry.undeliverable = false;
    entry.unknown_sends = 0;
    entry.wait_ms = 0;
    state_dirty_ = true;
    runtime_.Say("notified", {{"channel", "telegram"},
                              {"action_key", entry.saved.action_key},
                              {"message_id", entry.saved.message_id}});
    if (entry.outcome) QueueEdit(id);
    return;
  }
  if (reply.kind == ReplyKind::kTooMany) return QueueCard(id);
  if (reply.kind == ReplyKind::kBadRequest) return CardRefused(id, reply);
  entry.retry_at = Backoff(entry.wait_ms);
  if (reply.kind != ReplyKind::kUnknown || ++entry.unknown_sends < kUnknownSends) return;
  GiveUp(id, reply.description);
  entry.retry_at = SteadyMs() + kUnknownWaitMs;
}

// The safest form that the server takes: markup, the same without markup, our own words beside a
// document.
void Engine::CardRefused(const std::string& id, const ApiReply& reply) {
  Entry& entry = entries_.at(id);
  entry.busy = false;
  switch (entry.form) {
    case CardForm::kHtml:
      entry.form = CardForm::kPlain;
      return Deliver(id);
    case CardForm::kPlain:
      if (!entry.card->complete) return GiveUp(id, reply.description);
      entry.form = CardForm::kShort;
      return Deliver(id);
    case CardForm::kShort:
      return GiveUp(id, reply.description);
  }
}

void Engine::GiveUp(const std::string& id, const std::string& why) {
  Entry& entry = entries_.at(id);
  if (!entry.undeliverable) {
    runtime_.Warn("undeliverable", "the card of " + render::QuoteLine(entry.saved.action_key, 120) +
                                       " could not be sent; answer it elsewhere: " + why);
  }
  entry.undeliverable = true;
  pacing_.Failed(id);
}

void Engine::QueueEdit(const std::string& id) {
  Entry& entry = entries_.at(id);
  if (entry.edit_busy || entry.saved.message_id == 0) return;
  entry.edit_busy = true;
  outbox_.Push(Outbox::Kind::kEdit, [this, id] {
    const auto found = entries_.find(id);
    if (found == entries_.end()) return false;
    Entry& due = found->second;
    if (due.saved.message_id == 0 || (!due.outcome && (!due.in_view || stopped()))) {
      due.edit_busy = false;
      return false;
    }
    const CardText text = TextOf(due);
    base::JsonObject message =
        MessageOf(due, due.outcome ? text.Settled(*due.outcome) : text.Open());
    message["message_id"] = due.saved.message_id;
    if (!due.outcome) message["reply_markup"] = KeyboardOf(due);
    const bool settled = due.outcome.has_value();
    api_.Call("editMessageText", message, config_.call_timeout,
              [this, id, settled](const ApiReply& reply) {
                const auto edited = entries_.find(id);
                if (edited == entries_.end()) return;
                edited->second.edit_busy = false;
                OnEdit(id, reply);
                // Settled while the redraw of the open card was on its way.
                if (!settled && edited->second.outcome) QueueEdit(id);
              });
    return true;
  });
}

void Engine::OnEdit(const std::string& id, const ApiReply& reply) {
  Entry& entry = entries_.at(id);
  state_dirty_ = true;
  const bool settled = entry.outcome.has_value();
  if (reply.ok()) {
    entry.refresh = false;
    entry.edit_wait_ms = 0;
    entry.saved.retired = settled;
    if (settled) {
      runtime_.Say("annotated", {{"channel", "telegram"},
                                 {"action_key", entry.saved.action_key},
                                 {"message_id", entry.saved.message_id}});
    }
    return;
  }
  if (reply.kind == ReplyKind::kMessageGone && !settled) {
    // Somebody deleted the card of a request that still waits: it gets a new one.
    entry.saved.message_id = 0;
    entry.refresh = false;
    pacing_.Failed(id);
    return;
  }
  if (reply.kind == ReplyKind::kMessageGone || reply.kind == ReplyKind::kBadRequest) {
    if (reply.kind == ReplyKind::kBadRequest && entry.form != CardForm::kShort) {
      entry.form = entry.form == CardForm::kHtml ? CardForm::kPlain : CardForm::kShort;
      return QueueEdit(id);
    }
    runtime_.Warn("edit-refused", "the card of " + render::QuoteLine(entry.saved.action_key, 120) +
                                      " could not be edited: " + reply.description);
    entry.refresh = false;
    entry.saved.retired = settled;
    return;
  }
  if (HandleFatal(reply) && dead_) return;
  if (reply.kind == ReplyKind::kTooMany) return QueueEdit(id);
  entry.edit_retry_at = Backoff(entry.edit_wait_ms);
}

// Best effort: a copy is a message of ours that we only know from a tap on it.
void Engine::EditCopy(std::int64_t message_id, const std::string& text, bool html) {
  outbox_.Push(Outbox::Kind::kEdit, [this, message_id, text, html] {
    base::JsonObject message{{"chat_id", config_.chat_id},
                             {"message_id", message_id},
                             {"text", text},
                             {"disable_web_page_preview", true}};
    if (html) message["parse_mode"] = "HTML";
    api_.Call("editMessageText", message, config_.call_timeout,
              [this](const ApiReply& reply) { HandleFatal(reply); });
    return true;
  });
}

void Engine::RetryDue() {
  const Ms now = SteadyMs();
  for (const std::string& id : order_) {
    Entry& entry = entries_.at(id);
    if (entry.retry_at && *entry.retry_at <= now) {
      entry.retry_at.reset();
      entry.busy = false;
      if (entry.in_view && !entry.outcome && !stopped()) {
        Deliver(id);
      } else {
        pacing_.Failed(id);
      }
    }
    if (entry.edit_retry_at && *entry.edit_retry_at <= now) {
      entry.edit_retry_at.reset();
      QueueEdit(id);
    }
  }
}

// True when nothing more can be done with this reply than to wait: the chat or the token is dead.
bool Engine::HandleFatal(const ApiReply& reply) {
  if (reply.ok()) {
    if (!chat_trouble_.empty()) {
      runtime_.Say("recovered", {{"channel", "telegram"}, {"what", "sending"}});
    }
    chat_trouble_.clear();
    sent_once_ = true;
    return false;
  }
  switch (reply.kind) {
    case ReplyKind::kUnauthorized:
      Die(Code::kTelegramUnauthorized,
          "the Bot API refuses the bot token (" + reply.description + ")");
      return true;
    case ReplyKind::kMigrated:
      Die(Code::kTelegramChatMigrated,
          "the chat has become another one with the id " + std::to_string(reply.migrated_to) +
              "; if that is right, set " + ThePolicy().channels.telegram.chat_id_env + " to it");
      return true;
    case ReplyKind::kForbidden:
      if (chat_trouble_.empty()) {
        runtime_.Warn("telegram-forbidden",
                      "the chat does not take messages from the bot; start or unblock the bot "
                      "there, or add it to the group again: " +
                          reply.description);
      }
      chat_trouble_ = reply.description;
      return true;
    case ReplyKind::kTooMany: {
      const std::int64_t ceiling = sent_once_ ? kLongestHoldMs : kStartHoldMs;
      const std::int64_t wait = std::max<std::int64_t>(1, reply.retry_after_s) * 1000;
      outbox_.rate().Hold(SteadyMs(), std::min(wait, ceiling));
      return false;
    }
    case ReplyKind::kOk:
    case ReplyKind::kNotModified:
    case ReplyKind::kMessageGone:
    case ReplyKind::kBadRequest:
    case ReplyKind::kConflict:
    case ReplyKind::kServerError:
    case ReplyKind::kUnreachable:
    case ReplyKind::kUnknown:
      break;
  }
  return false;
}

}  // namespace approval::telegram
