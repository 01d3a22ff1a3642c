#include "core/gate/state.h"

#include <cmath>

#include "core/base/encoding.h"
#include "core/base/instant.h"

namespace approval::gate {
namespace {

using log::Record;

Declared DeclaredBy(const Record& request) {
  Declared declared;
  declared.action_class = PayloadText(&request, "class");
  declared.summary = PayloadText(&request, "summary");
  if (const base::Json* cost = request.payload.if_contains("est_cost_usd")) {
    declared.est_cost = base::MoneyFromJson(*cost);
  }
  if (const base::Json* reversible = request.payload.if_contains("reversible");
      reversible != nullptr && reversible->is_bool()) {
    declared.reversible = reversible->get_bool();
  }
  if (auto hash = PayloadText(&request, "payload_hash"); hash && base::IsHex64(*hash)) {
    declared.payload_hash = std::move(hash);
  }
  declared.harness = PayloadText(&request, "execution") == "harness";
  if (const auto wait = PayloadText(&request, "wait_until")) {
    declared.wait_until_ms = base::ParseInstant(*wait);
  }
  return declared;
}

State DecisionOf(std::string_view event) {
  if (event == "approval.granted") return State::kGranted;
  if (event == "approval.rejected") return State::kRejected;
  if (event == "approval.revoked") return State::kRevoked;
  if (event == "approval.expired") return State::kExpired;
  if (event == "approval.withdrawn") return State::kWithdrawn;
  return State::kNone;
}

void Take(KeyFold& fold, const Record& record) {
  if (record.event == "approval.requested") {
    fold.request = &record;
    fold.decision = nullptr;
    fold.decided = State::kNone;
    if (record.task) fold.task = record.task;
    fold.declared = DeclaredBy(record);
    return;
  }
  if (record.event == "approval.granted") fold.last_grant = &record;
  if (const State decided = DecisionOf(record.event); decided != State::kNone) {
    if (fold.request == nullptr) return;
    if (fold.decision == nullptr || decided == State::kRevoked) {
      fold.decision = &record;
      fold.decided = decided;
    }
    return;
  }
  if (record.event == "execution.started") {
    fold.starts.push_back(&record);
    if (record.task) fold.task = record.task;
  } else if (record.event == "execution.completed") {
    fold.completed = &record;
  } else if (record.event == "execution.failed") {
    fold.failed = &record;
  } else if (record.event == "execution.indeterminate") {
    fold.indeterminate = &record;
  } else if (record.event == "execution.reconciled") {
    fold.reconciled = &record;
  }
}

bool IsReadClass(std::string_view action_class) {
  return action_class == "read" || action_class.substr(0, 5) == "read.";
}

}  // namespace

std::string_view Spelling(State state) {
  switch (state) {
    case State::kNone:
      return "none";
    case State::kRequested:
      return "requested";
    case State::kGranted:
      return "granted";
    case State::kRejected:
      return "rejected";
    case State::kRevoked:
      return "revoked";
    case State::kExpired:
      return "expired";
    case State::kWithdrawn:
      return "withdrawn";
  }
  return "none";
}

std::optional<std::string> PayloadText(const Record* record, std::string_view name) {
  if (record == nullptr) return std::nullopt;
  const auto text = base::StringMember(record->payload, name);
  if (!text) return std::nullopt;
  return std::string(*text);
}

bool KeyFold::dangling() const {
  const Record* start = last_start();
  if (start == nullptr) return false;
  for (const Record* outcome : {completed, failed, indeterminate}) {
    if (outcome != nullptr && outcome->seq > start->seq) return false;
  }
  return true;
}

StateTable StateTable::Fold(const log::VerifiedLog& log) {
  StateTable table;
  for (const Record& record : log.records()) {
    if (!record.action_key) continue;
    auto [at, fresh] = table.folds_.try_emplace(*record.action_key);
    if (fresh) table.keys_.push_back(*record.action_key);
    const bool first_request = at->second.request == nullptr;
    Take(at->second, record);
    if (first_request && at->second.request != nullptr) {
      table.requested_keys_.push_back(*record.action_key);
    }
  }
  return table;
}

const KeyFold& StateTable::Of(std::string_view key) const {
  static const KeyFold empty;
  const auto found = folds_.find(std::string(key));
  return found == folds_.end() ? empty : found->second;
}

bool Lapsed(const KeyFold& fold, std::optional<std::int64_t> ttl_ms, std::int64_t now_ms) {
  if (!ttl_ms || fold.request == nullptr) return false;
  if (!fold.request->instant) return true;
  // Subtracting from now cannot overflow for a saturated TTL.
  return now_ms - *fold.request->instant > *ttl_ms;
}

State StateAt(const KeyFold& fold, std::optional<std::int64_t> ttl_ms, std::int64_t now_ms) {
  if (fold.request == nullptr) return State::kNone;
  if (fold.decision != nullptr) return fold.decided;
  return Lapsed(fold, ttl_ms, now_ms) ? State::kExpired : State::kRequested;
}

std::optional<std::string> BindingHash(const KeyFold& fold) {
  if (auto hash = PayloadText(fold.last_grant, "payload_hash"); hash && base::IsHex64(*hash)) {
    return hash;
  }
  return fold.declared.payload_hash;
}

int ConsecutiveFailures(const log::VerifiedLog& log, std::string_view task) {
  std::unordered_map<std::string, std::string> class_of;  // by key, from its last start
  int failures = 0;
  for (const Record& record : log.records()) {
    if (record.task != task || !record.action_key) continue;
    if (record.event == "execution.started") {
      class_of[*record.action_key] = PayloadText(&record, "class").value_or("");
    }
    const bool failed = record.event == "execution.failed";
    if (!failed && record.event != "execution.completed") continue;
    if (IsReadClass(class_of[*record.action_key])) continue;
    failures = failed ? failures + 1 : 0;
  }
  return failures;
}

}  // namespace approval::gate
