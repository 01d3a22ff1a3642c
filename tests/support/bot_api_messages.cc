// The methods of the Bot API server that make, change and answer messages, each under its lock.
#include <utility>

#include "core/base/utf8.h"
#include "tests/support/bot_api_bodies.h"
#include "tests/support/bot_api_server.h"
#include "tests/support/bot_html.h"

namespace approval::testing {

using Json = base::Json;
using Object = base::JsonObject;

std::string BotMessage::Data(const std::string& button_text) const {
  for (const BotButton& button : buttons) {
    if (button.text == button_text) return button.data;
  }
  return "";
}

std::optional<BotApiServer::Answer> BotApiServer::CheckText(const Object& body,
                                                            BotMessage& message) const {
  if (BotText(body, "chat_id") != std::to_string(chat_id_)) {
    return Answer{400, BotError(400, "Bad Request: chat not found")};
  }
  message.raw = BotText(body, "text");
  message.parse_mode = BotText(body, "parse_mode");
  message.text = message.raw;
  if (message.parse_mode == "HTML") {
    const auto parsed = ParseBotHtml(message.raw);
    if (!parsed) {
      return Answer{400, BotError(400, "Bad Request: can't parse entities: " + parsed.error())};
    }
    message.text = *parsed;
  }
  if (base::TrimEcma(message.text).empty()) {
    return Answer{400, BotError(400, "Bad Request: message text is empty")};
  }
  if (!base::IsValidUtf8(message.text)) {
    return Answer{400, BotError(400, "Bad Request: strings must be encoded in UTF-8")};
  }
  if (base::CountUtf16Units(message.text) > 4096) {
    return Answer{400, BotError(400, "Bad Request: message is too long")};
  }
  return CheckKeyboard(body, message);
}

std::optional<BotApiServer::Answer> BotApiServer::CheckKeyboard(const Object& body,
                                                                BotMessage& message) {
  const Json* markup = body.if_contains("reply_markup");
  if (markup == nullptr) return std::nullopt;
  const Json* rows = markup->get_object().if_contains("inline_keyboard");
  if (rows == nullptr) return std::nullopt;
  for (const Json& row : rows->get_array()) {
    ++message.rows;
    for (const Json& button : row.get_array()) {
      BotButton out{BotText(button.get_object(), "text"),
                    BotText(button.get_object(), "callback_data")};
      if (out.text.empty() || out.data.empty() || out.data.size() > 64) {
        return Answer{400, BotError(400, "Bad Request: BUTTON_DATA_INVALID")};
      }
      message.buttons.push_back(std::move(out));
    }
  }
  return std::nullopt;
}

BotApiServer::Answer BotApiServer::SendMessage(const Object& body) {
  BotMessage message;
  if (auto refused = CheckText(body, message)) return *refused;
  message.id = next_message_++;
  message.silent = BotText(body, "disable_notification") == "true";
  if (const Json* reply = body.if_contains("reply_parameters")) {
    message.reply_to = BotNumber(reply->get_object(), "message_id");
  }
  messages_.push_back(message);
  return {200, BotOk(Object{{"message_id", message.id}, {"text", message.text}})};
}

BotApiServer::Answer BotApiServer::SendDocument(const Object& body) {
  if (BotText(body, "chat_id") != std::to_string(chat_id_)) {
    return {400, BotError(400, "Bad Request: chat not found")};
  }
  BotMessage message;
  message.text = BotText(body, "caption");
  message.document = BotText(body, "document");
  message.document_name = BotText(body, "document.name");
  message.silent = BotText(body, "disable_notification") == "true";
  if (message.document.empty() || base::CountUtf16Units(message.text) > 1024) {
    return {400, BotError(400, "Bad Request: file must be non-empty, caption short")};
  }
  message.id = next_message_++;
  messages_.push_back(message);
  return {200, BotOk(Object{{"message_id", message.id}})};
}

BotApiServer::Answer BotApiServer::EditMessage(const Object& body) {
  BotMessage edited;
  if (auto refused = CheckText(body, edited)) return *refused;
  for (BotMessage& message : messages_) {
    if (message.id != BotNumber(body, "message_id") || message.deleted) continue;
    const bool same_buttons = message.buttons.size() == edited.buttons.size();
    if (message.text == edited.text && message.raw == edited.raw && same_buttons) {
      return {400, BotError(400, "Bad Request: message is not modified")};
    }
    message.text = edited.text;
    message.raw = edited.raw;
    message.parse_mode = edited.parse_mode;
    message.buttons = edited.buttons;
    message.rows = edited.rows;
    ++message.edits;
    return {200, BotOk(Object{{"message_id", message.id}})};
  }
  return {400, BotError(400, "Bad Request: message to edit not found")};
}

BotApiServer::Answer BotApiServer::AnswerQuery(const Object& body) {
  std::vector<std::string>& answers = answers_[BotText(body, "callback_query_id")];
  const std::string text = BotText(body, "text");
  answers.push_back(text);
  if (answers.size() > 1) {
    return {400, BotError(400, "Bad Request: query is too old and response timeout expired")};
  }
  if (base::CountUtf16Units(text) > 200) {
    return {400, BotError(400, "Bad Request: MESSAGE_TOO_LONG")};
  }
  return {200, BotOk(true)};
}

std::vector<BotMessage> BotApiServer::Messages() const {
  const std::lock_guard lock(mutex_);
  return messages_;
}

std::optional<BotMessage> BotApiServer::Message(std::int64_t id) const {
  const std::lock_guard lock(mutex_);
  for (const BotMessage& message : messages_) {
    if (message.id == id) return message;
  }
  return std::nullopt;
}

std::vector<std::string> BotApiServer::Answers(const std::string& query_id) const {
  const std::lock_guard lock(mutex_);
  const auto found = answers_.find(query_id);
  return found == answers_.end() ? std::vector<std::string>{} : found->second;
}

void BotApiServer::Delete(std::int64_t message_id) {
  const std::lock_guard lock(mutex_);
  for (BotMessage& message : messages_) message.deleted |= message.id == message_id;
}

}  // namespace approval::testing
