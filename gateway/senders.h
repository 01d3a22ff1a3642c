// Which approver an account is (channels.md 1.7, spec README item 15).
#pragma once

#include <string>

#include "channels/contract.h"
#include "core/base/error.h"
#include "core/policy/policy.h"

namespace approval::gateway {

struct MappedSender {
  std::string actor;    // human:<id>
  bool mapped = false;  // by the policy, so that the record names the account
};

// The person behind a gesture. An account that some approver's `senders` lists for this channel is
// that approver; when the policy maps nobody on the channel, only the account whose private chat it
// is may act, as `own_actor`. Else `sender-unmapped`, or `sender-ambiguous` when two approvers list
// the account, or `sender-key-unavailable` when the policy holds keyed digests only.
base::Result<MappedSender> MapSender(const policy::Policy& policy, const std::string& channel,
                                     const channels::Sender& sender, const std::string& own_actor);

}  // namespace approval::gateway
