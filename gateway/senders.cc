#include "gateway/senders.h"

#include <algorithm>

namespace approval::gateway {

using base::Code;
using base::Fail;

base::Result<MappedSender> MapSender(const policy::Policy& policy, const std::string& channel,
                                     const channels::Sender& sender, const std::string& own_actor) {
  std::string approver;
  bool anybody = false;
  bool keyed = false;
  for (const auto& [name, entry] : policy.approvers) {
    const auto ids = entry.senders.find(channel);
    if (ids == entry.senders.end()) continue;
    anybody = true;
    for (const std::string& id : ids->second) {
      keyed = keyed || id.rfind("hmac-sha256:", 0) == 0;
      if (id != sender.id) continue;
      if (!approver.empty() && approver != name) {
        return Fail(Code::kSenderAmbiguous, "two approvers list this account");
      }
      approver = name;
    }
  }
  if (!approver.empty()) return MappedSender{"human:" + approver, true};
  if (keyed) return Fail(Code::kSenderKeyUnavailable, "the policy's accounts are keyed digests");
  // A private chat has the id of its person.
  if (!anybody && !sender.id.empty() && sender.id == sender.chat_id) {
    return MappedSender{own_actor, false};
  }
  return Fail(Code::kSenderUnmapped, "this account may not answer");
}

}  // namespace approval::gateway
