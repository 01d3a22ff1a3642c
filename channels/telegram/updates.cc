#include "channels/telegram/updates.h"

#include <array>
#include <charconv>

#include "core/base/utf8.h"

namespace approval::telegram {
namespace {

// Telegram itself, the anonymous administrator of groups, posts of channels.
constexpr std::array<std::int64_t, 3> kSharedAccounts = {777000, 1087968824, 136817688};

const base::JsonObject* Object(const base::JsonObject& in, std::string_view name) {
  const base::Json* value = in.if_contains(name);
  return value != nullptr && value->is_object() ? &value->get_object() : nullptr;
}

std::optional<std::int64_t> Id(const base::JsonObject& in, std::string_view name) {
  const base::Json* value = in.if_contains(name);
  if (value == nullptr) return std::nullopt;
  if (value->is_string()) return ParseId(value->get_string());
  return base::AsInteger(*value);
}

std::string IdText(const std::optional<std::int64_t>& id) { return id ? std::to_string(*id) : ""; }

std::string SenderOf(const base::JsonObject& in) {
  const base::JsonObject* from = Object(in, "from");
  if (from == nullptr) return "";
  const std::optional<std::int64_t> id = Id(*from, "id");
  if (!id || *id <= 0) return "";
  for (const std::int64_t shared : kSharedAccounts) {
    if (*id == shared) return "";
  }
  return std::to_string(*id);
}

std::string ChatOf(const base::JsonObject& message) {
  const base::JsonObject* chat = Object(message, "chat");
  return chat == nullptr ? "" : IdText(Id(*chat, "id"));
}

Tap TapFrom(const base::JsonObject& query) {
  Tap tap;
  tap.query_id = std::string(base::StringMember(query, "id").value_or(""));
  tap.data = std::string(base::StringMember(query, "data").value_or(""));
  tap.sender_id = SenderOf(query);
  if (const base::JsonObject* message = Object(query, "message")) {
    tap.chat_id = ChatOf(*message);
    tap.message_id = Id(*message, "message_id").value_or(0);
  }
  return tap;
}

}  // namespace

std::optional<std::int64_t> ParseId(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (std::to_string(value) != text) return std::nullopt;
  return value;
}

std::optional<std::string> RejectReason(std::string_view text) {
  if (text.size() < 4 || (text[0] != 'n' && text[0] != 'N')) return std::nullopt;
  if ((text[1] != 'o' && text[1] != 'O') || text[2] != ' ') return std::nullopt;
  const std::string_view rest = base::TrimEcma(text.substr(3));
  if (rest.empty()) return std::nullopt;
  return std::string(rest);
}

std::optional<Update> ParseUpdate(const base::Json& value) {
  if (!value.is_object()) return std::nullopt;
  const base::JsonObject& object = value.get_object();
  const std::optional<std::int64_t> id = Id(object, "update_id");
  if (!id) return std::nullopt;
  Update update{*id, {}};
  if (const base::JsonObject* query = Object(object, "callback_query")) {
    update.what = TapFrom(*query);
  } else if (const base::JsonObject* message = Object(object, "message")) {
    const base::JsonObject* answered = Object(*message, "reply_to_message");
    if (answered != nullptr) {
      update.what =
          ReplyText{ChatOf(*message), Id(*answered, "message_id").value_or(0), SenderOf(*message),
                    std::string(base::StringMember(*message, "text").value_or(""))};
    }
  }
  return update;
}

}  // namespace approval::telegram
