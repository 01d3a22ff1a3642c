// What the verified log says of each action key: the fold over its records (core.md 5.6).
//
// A StateTable refers to records of the log it was folded from and must not outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/money.h"
#include "core/log/record.h"

namespace approval::gate {

enum class State { kNone, kRequested, kGranted, kRejected, kRevoked, kExpired, kWithdrawn };

std::string_view Spelling(State state);

// What a request record declares; absent where the record says nothing usable.
struct Declared {
  std::optional<std::string> action_class;
  std::optional<base::Micros> est_cost;
  std::optional<bool> reversible;
  std::optional<std::string> summary;
  std::optional<std::string> payload_hash;
  bool harness = false;
  std::optional<std::int64_t> wait_until_ms;
};

// Everything about one key that does not depend on the present instant.
struct KeyFold {
  const log::Record* request = nullptr;   // of the current cycle
  const log::Record* decision = nullptr;  // that settled the cycle
  State decided = State::kNone;           // what `decision` made of it
  std::optional<std::string> task;
  Declared declared;
  const log::Record* last_grant = nullptr;  // of any cycle
  std::vector<const log::Record*> starts;
  const log::Record* completed = nullptr;  // the last one, across cycles
  const log::Record* failed = nullptr;
  const log::Record* indeterminate = nullptr;
  const log::Record* reconciled = nullptr;

  const log::Record* last_start() const { return starts.empty() ? nullptr : starts.back(); }
  // The last start without a later outcome.
  bool dangling() const;
};

class StateTable {
 public:
  static StateTable Fold(const log::VerifiedLog& log);

  // The fold of a key; an empty one for a key nobody mentioned.
  const KeyFold& Of(std::string_view key) const;

  // Keys that have an `approval.requested`, in the order of the first one.
  const std::vector<std::string>& requested_keys() const { return requested_keys_; }
  // All keys with any record, in the order of the first one.
  const std::vector<std::string>& keys() const { return keys_; }

 private:
  std::unordered_map<std::string, KeyFold> folds_;
  std::vector<std::string> requested_keys_;
  std::vector<std::string> keys_;
};

// The state at an instant. `ttl_ms` nothing: requests never lapse. Exactly at the limit is live.
State StateAt(const KeyFold& fold, std::optional<std::int64_t> ttl_ms, std::int64_t now_ms);

// Whether the request's window is over: request time unknown, or now later than it plus the TTL.
bool Lapsed(const KeyFold& fold, std::optional<std::int64_t> ttl_ms, std::int64_t now_ms);

// The hash that a grant binds: the grant's own, else its request's.
std::optional<std::string> BindingHash(const KeyFold& fold);

// A string member of a record's payload.
std::optional<std::string> PayloadText(const log::Record* record, std::string_view name);

// Tasks whose executions failed three times or more in a row; read classes count neither way.
int ConsecutiveFailures(const log::VerifiedLog& log, std::string_view task);
inline constexpr int kLoopLimit = 3;

}  // namespace approval::gate
