// What this channel sent where, kept beside the gateway so that a restart edits cards instead of
// repeating them (channels.md 3.14, 3.16).
//
// A cache: nothing in it decides anything, and a missing, foreign or broken file is an empty state.
// Written whole, mode 0600, replaced in one step; a failed write changes nothing that counts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace approval::telegram {

struct Delivery {
  std::string action_key;
  std::string request_hash;
  std::int64_t request_seq = 0;
  std::int64_t message_id = 0;   // 0: not sent yet
  std::int64_t document_id = 0;  // 0: none
  bool plain = false;            // sent without parse_mode
  bool reminded = false;
  bool retired = false;  // the outcome is on it
};

struct DeliveryState {
  std::string bot_id;   // of another bot: the whole state means nothing
  std::string chat_id;  // of another chat: the same
  std::int64_t offset = 0;
  std::int64_t offset_ms = 0;  // when it last moved; old ones are not used (update ids start anew)
  std::vector<Delivery> deliveries;  // oldest first
};

inline constexpr std::size_t kMostRetired = 256;

// The state of this bot and chat, or an empty one that names them.
DeliveryState LoadDeliveries(const std::string& path, const std::string& bot_id,
                             const std::string& chat_id);

base::Result<void> SaveDeliveries(const std::string& path, const DeliveryState& state);

}  // namespace approval::telegram
