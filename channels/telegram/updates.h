// What an update from the Bot API says, read without trusting it (channels.md 3.6).
//
// Only transport facts are taken: ids that the server attributes, the button's data, the text of a
// reply. Ids are 64-bit integers, written as numbers or as digits; anything else is no id. Accounts
// that many people share (anonymous administrators, channels) are no sender. Pure and total.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/json.h"

namespace approval::telegram {

struct Tap {
  std::string query_id;
  std::string chat_id;          // empty: none
  std::int64_t message_id = 0;  // 0: none
  std::string sender_id;        // empty: none that counts
  std::string data;
};

struct ReplyText {
  std::string chat_id;
  std::int64_t answers = 0;  // message id of the message it replies to
  std::string sender_id;
  std::string text;
};

struct Update {
  std::int64_t id = 0;
  std::variant<std::monostate, Tap, ReplyText> what;  // the first: nothing for us
};

// Nothing for a value without an update id.
std::optional<Update> ParseUpdate(const base::Json& value);

// A 64-bit integer in its shortest decimal form, else nothing.
std::optional<std::int64_t> ParseId(std::string_view text);

// The reason in a reply that begins with `no `, white space trimmed; nothing for any other text.
std::optional<std::string> RejectReason(std::string_view text);

}  // namespace approval::telegram
