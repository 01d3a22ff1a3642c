#include "channels/telegram/buttons.h"

#include <algorithm>

#include "core/base/encoding.h"
#include "core/base/sha256.h"

namespace approval::telegram {
namespace {

constexpr std::size_t kMacLength = 22;
constexpr std::size_t kRefLength = 16;

char LetterOf(ButtonVerb verb, std::size_t reason) {
  switch (verb) {
    case ButtonVerb::kGrant:
      return 'g';
    case ButtonVerb::kReject:
      return 'r';
    case ButtonVerb::kShowAgain:
      return 's';
    case ButtonVerb::kReason:
      break;
  }
  return static_cast<char>('0' + reason);
}

void AppendField(std::string& out, std::string_view field) {
  out += std::to_string(field.size()) + ":" + std::string(field);
}

std::string MacOf(std::string_view key, const ButtonTarget& target, char verb,
                  std::string_view reason_text) {
  std::string message;
  AppendField(message, std::string_view(&verb, 1));
  AppendField(message, target.action_key);
  AppendField(message, target.request_hash);
  AppendField(message, target.chat_id);
  if (verb >= '0' && verb <= '9') AppendField(message, reason_text);
  const base::Digest digest = base::HmacSha256(key, message);
  return base::Base64UrlEncode(base::AsBytes(digest).substr(0, 16));
}

bool IsMacCharacter(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_';
}

bool IsHexCharacter(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

}  // namespace

std::string ButtonRef(std::string_view action_key) {
  return base::Sha256Hex(action_key).substr(0, kRefLength);
}

std::string ButtonData(std::string_view key, const ButtonTarget& target, ButtonVerb verb,
                       std::size_t reason, std::string_view reason_text) {
  const char letter = LetterOf(verb, reason);
  return std::string(1, letter) + ":" + MacOf(key, target, letter, reason_text) + ":" +
         ButtonRef(target.action_key);
}

std::optional<ParsedButton> ParseButton(std::string_view data) {
  if (data.size() != 2 + kMacLength + 1 + kRefLength) return std::nullopt;
  if (data[1] != ':' || data[2 + kMacLength] != ':') return std::nullopt;
  ParsedButton out;
  out.mac = data.substr(2, kMacLength);
  out.ref = data.substr(3 + kMacLength);
  if (!std::all_of(out.mac.begin(), out.mac.end(), IsMacCharacter)) return std::nullopt;
  if (!std::all_of(out.ref.begin(), out.ref.end(), IsHexCharacter)) return std::nullopt;
  if (data[0] == 'g') {
    out.verb = ButtonVerb::kGrant;
  } else if (data[0] == 'r') {
    out.verb = ButtonVerb::kReject;
  } else if (data[0] == 's') {
    out.verb = ButtonVerb::kShowAgain;
  } else if (data[0] >= '0' && data[0] <= '9') {
    out.verb = ButtonVerb::kReason;
    out.reason = static_cast<std::size_t>(data[0] - '0');
  } else {
    return std::nullopt;
  }
  return out;
}

bool IsButtonOf(std::string_view key, const ButtonTarget& target, const ParsedButton& button,
                std::string_view reason_text) {
  if (ButtonRef(target.action_key) != button.ref) return false;
  return base::EqualConstantTime(
      MacOf(key, target, LetterOf(button.verb, button.reason), reason_text), button.mac);
}

}  // namespace approval::telegram
