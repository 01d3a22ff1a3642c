// The pending queue as channels receive it: built from one verified log and one policy at one
// instant (channels.md 1.5).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/gate/payload_store.h"
#include "core/gate/request_model.h"
#include "core/gate/state.h"
#include "core/log/record.h"
#include "core/policy/load.h"

namespace approval::gate {

// A pending request that cannot be shown, and why; never dropped silently.
struct Skip {
  std::string action_key;
  base::Error error;
};

struct PendingQueue {
  std::vector<RequestModel> requests;  // oldest first
  std::vector<Skip> skipped;
};

// One request by its key. `not-requested`, `not-awaiting`, `class-missing`,
// `payload-hash-missing`, `payload-mismatch`, `payload-unavailable`, `payload-unrenderable`.
base::Result<RequestModel> BuildRequest(const log::VerifiedLog& log, const StateTable& states,
                                        const policy::LoadResult& load, const PayloadStore& store,
                                        std::string_view action_key, std::int64_t now_ms);

PendingQueue BuildPendingQueue(const log::VerifiedLog& log, const policy::LoadResult& load,
                               const PayloadStore& store, std::int64_t now_ms);

// How a request stands, for a surface that shows one it delivered earlier.
struct Settlement {
  State state = State::kNone;  // kRequested: still open
  std::int64_t seq = 0;        // of the deciding record
  std::string actor;           // who decided
  std::string ts;
  std::optional<std::string> note;
  std::optional<std::string> channel;
};

// `request_hash` names the cycle: when a later request replaced it, the state is that of what ended
// it, or kExpired when it only lapsed (seq 0 then).
Settlement SettlementOf(const log::VerifiedLog& log, std::string_view action_key,
                        std::string_view request_hash, std::optional<std::int64_t> ttl_ms,
                        std::int64_t now_ms);

}  // namespace approval::gate
