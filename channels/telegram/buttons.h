// Buttons that prove themselves: what a tap means is authenticated by its own 41 bytes
// (channels.md 3.5).
//
// `<verb>:<22 characters>:<16 hex>`: the middle is the first 16 bytes, base64url, of
// HMAC-SHA-256(key, verb, action key, request record hash, chat id), the end the first 16 hex
// digits of SHA-256(action key). Verifying needs the candidates and the key, no memory of what was
// sent. Fields are length-prefixed inside the MAC, so no two lists of fields read alike. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace approval::telegram {

// What a button is bound to.
struct ButtonTarget {
  std::string action_key;
  std::string request_hash;
  std::string chat_id;
};

enum class ButtonVerb { kGrant, kReject, kReason, kShowAgain };

struct ParsedButton {
  ButtonVerb verb = ButtonVerb::kReject;
  std::size_t reason = 0;  // of kReason: index into the policy's list
  std::string mac;         // 22 characters, not proved
  std::string ref;         // 16 hex digits, not proved
};

inline constexpr std::size_t kMaxReasons = 10;

// The data of a button. Of kReason, `reason_text` is inside the MAC, so that a button never rejects
// with another text than it showed; it is ignored for the other verbs.
std::string ButtonData(std::string_view key, const ButtonTarget& target, ButtonVerb verb,
                       std::size_t reason = 0, std::string_view reason_text = {});

// Nothing for what has not exactly this shape.
std::optional<ParsedButton> ParseButton(std::string_view data);

// Whether the button was made with this key for this target; constant time in the MAC.
bool IsButtonOf(std::string_view key, const ButtonTarget& target, const ParsedButton& button,
                std::string_view reason_text = {});

// 16 hex digits of an action key.
std::string ButtonRef(std::string_view action_key);

}  // namespace approval::telegram
