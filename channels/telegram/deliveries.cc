#include "channels/telegram/deliveries.h"

#include <algorithm>
#include <optional>

#include "core/base/encoding.h"
#include "core/base/files.h"
#include "core/base/json.h"

namespace approval::telegram {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{8} << 20;

std::int64_t Number(const base::JsonObject& object, std::string_view name) {
  const base::Json* value = object.if_contains(name);
  return value == nullptr ? 0 : std::max<std::int64_t>(0, base::AsInteger(*value).value_or(0));
}

bool Flag(const base::JsonObject& object, std::string_view name) {
  const base::Json* value = object.if_contains(name);
  return value != nullptr && value->is_bool() && value->get_bool();
}

std::string Text(const base::JsonObject& object, std::string_view name) {
  return std::string(base::StringMember(object, name).value_or(""));
}

std::optional<Delivery> DeliveryFrom(const base::Json& value) {
  if (!value.is_object()) return std::nullopt;
  const base::JsonObject& object = value.get_object();
  Delivery out;
  out.action_key = Text(object, "action_key");
  out.request_hash = Text(object, "request_hash");
  out.request_seq = Number(object, "request_seq");
  out.message_id = Number(object, "message_id");
  out.document_id = Number(object, "document_id");
  out.plain = Flag(object, "plain");
  out.reminded = Flag(object, "reminded");
  out.retired = Flag(object, "retired");
  if (out.action_key.empty() || !base::IsHex64(out.request_hash)) return std::nullopt;
  return out;
}

base::JsonObject JsonOf(const Delivery& delivery) {
  return {{"action_key", delivery.action_key},   {"request_hash", delivery.request_hash},
          {"request_seq", delivery.request_seq}, {"message_id", delivery.message_id},
          {"document_id", delivery.document_id}, {"plain", delivery.plain},
          {"reminded", delivery.reminded},       {"retired", delivery.retired}};
}

}  // namespace

DeliveryState LoadDeliveries(const std::string& path, const std::string& bot_id,
                             const std::string& chat_id) {
  DeliveryState empty{bot_id, chat_id, 0, 0, {}};
  const base::Result<std::string> bytes = base::ReadFile(path, kMaxBytes);
  if (!bytes) return empty;
  const auto parsed = base::ParseJson(*bytes, base::kStrictJson);
  if (!parsed || !parsed->is_object()) return empty;
  const base::JsonObject& object = parsed->get_object();
  if (Text(object, "bot_id") != bot_id || Text(object, "chat_id") != chat_id) return empty;
  DeliveryState state = empty;
  state.offset = Number(object, "offset");
  state.offset_ms = Number(object, "offset_ms");
  const base::Json* list = object.if_contains("deliveries");
  if (list == nullptr || !list->is_array()) return state;
  for (const base::Json& value : list->get_array()) {
    if (auto delivery = DeliveryFrom(value)) state.deliveries.push_back(std::move(*delivery));
  }
  return state;
}

base::Result<void> SaveDeliveries(const std::string& path, const DeliveryState& state) {
  base::JsonArray list;
  for (const Delivery& delivery : state.deliveries) list.emplace_back(JsonOf(delivery));
  const base::JsonObject object{
      {"version", 1},           {"bot_id", state.bot_id},       {"chat_id", state.chat_id},
      {"offset", state.offset}, {"offset_ms", state.offset_ms}, {"deliveries", std::move(list)}};
  return base::ReplaceFile(path, base::ToText(object) + "\n", {0600, true, false});
}

}  // namespace approval::telegram
