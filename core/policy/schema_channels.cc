#include <algorithm>

#include "core/base/time_zone.h"
#include "core/base/utf8.h"
#include "core/policy/schema_parts.h"

namespace approval::policy {
namespace {

constexpr std::size_t kMaxReasons = 8;
constexpr std::size_t kMaxReasonLength = 40;

bool HasControl(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
  });
}

void ReadReasons(const Field& field, TelegramChannel& out) {
  const auto reasons = field.Texts(true);
  if (!reasons) return;
  if (reasons->size() > kMaxReasons) field.Report("maxItems", "may hold at most 8 reasons");
  for (std::size_t i = 0; i < reasons->size(); ++i) {
    const std::string& reason = (*reasons)[i];
    if (base::CountCodePoints(reason) > kMaxReasonLength) {
      field.At(i).Report("maxLength", "may have at most 40 characters, to fit a button");
    }
    if (HasControl(reason) || base::IsEcmaBlank(reason)) {
      field.At(i).Report("pattern", "must be one visible line");
    }
  }
  out.reject_reasons = *reasons;
}

void ReadTelegram(const Field& field, TelegramChannel& out) {
  if (field.Map({"token_env", "chat_id_env", "delivery", "reject_reasons", "prompt", "timezone"}) ==
      nullptr) {
    return;
  }
  if (auto name = field.At("token_env").Text()) out.token_env = std::move(*name);
  if (auto name = field.At("chat_id_env").Text()) out.chat_id_env = std::move(*name);
  if (const auto choice = field.At("delivery").Choice({"paced", "burst"})) {
    out.delivery = *choice == 0 ? TelegramDelivery::kPaced : TelegramDelivery::kBurst;
  }
  ReadReasons(field.At("reject_reasons"), out);
}

}  // namespace

void ReadChannels(const Field& root, Policy& policy) {
  const Field channels = root.At("channels");
  const base::JsonObject* map = channels.OpenMap();
  if (map == nullptr) return;
  for (const auto& member : *map) {
    const std::string name(member.key());
    const Field channel = channels.At(name);
    if (name == "telegram") {
      ReadTelegram(channel, policy.channels.telegram);
    } else if (name == "web") {
      channel.Map({"port", "prompt", "timezone"});
      if (const auto port = channel.At("port").Integer(1, 65535)) {
        policy.channels.web_port = static_cast<int>(*port);
      }
    } else {
      channel.OpenMap();
    }
    const Field prompt = channel.At("prompt");
    if (prompt.present()) policy.channels.prompts[name] = ReadPrompt(prompt);
    if (const auto zone = channel.At("timezone").Text()) {
      if (!base::IsZoneName(*zone)) {
        channel.At("timezone").Report("pattern", "must name a time zone, as in Europe/Madrid");
      }
      policy.channels.zones[name] = *zone;
    }
  }
}

}  // namespace approval::policy
