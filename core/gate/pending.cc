#include "core/gate/pending.h"

#include <algorithm>

#include "core/base/sha256.h"
#include "core/classify/breakdown.h"
#include "core/classify/protected_path.h"
#include "core/policy/attestation.h"
#include "core/policy/budgets.h"
#include "core/policy/resolve.h"

namespace approval::gate {
namespace {

using base::Code;
using base::Fail;
using base::Result;

AttestationView ViewOf(const policy::Attestation& attestation) {
  AttestationView view;
  view.seq = attestation.seq;
  switch (attestation.status) {
    case policy::AttestationStatus::kAttested:
      view.status = AttestationView::Status::kAttested;
      break;
    case policy::AttestationStatus::kNotAttested:
      view.status = AttestationView::Status::kNotAttested;
      break;
    case policy::AttestationStatus::kHashMismatch:
      view.status = AttestationView::Status::kHashMismatch;
      break;
    case policy::AttestationStatus::kUnreadable:
      view.status = AttestationView::Status::kUnreadable;
      break;
  }
  return view;
}

WaitingView WaitingOf(const KeyFold& fold, std::optional<std::int64_t> ttl_ms) {
  WaitingView view;
  view.requested_ts = fold.request->ts;
  view.requested_ms = fold.request->instant;
  if (ttl_ms && view.requested_ms) view.deadline_ms = *view.requested_ms + *ttl_ms;
  if (fold.declared.wait_until_ms) {
    view.requester_waits = true;
    view.deadline_ms = view.deadline_ms ? std::min(*view.deadline_ms, *fold.declared.wait_until_ms)
                                        : *fold.declared.wait_until_ms;
  }
  return view;
}

Result<BoundPayload> PayloadOf(const PayloadStore& store, const std::string& hash) {
  auto stored = store.Get(hash);
  if (stored) return BoundPayload{std::move(stored->value), std::move(stored->text), hash};
  if (stored.error().code == Code::kHashMismatch) {
    return Fail(Code::kPayloadMismatch,
                "the stored payload is not what was requested; it is not shown");
  }
  return Fail(Code::kPayloadUnavailable,
              "the payload's bytes are not here (" + stored.error().message +
                  "); the asker must pass them with `approval request --payload`");
}

}  // namespace

Result<RequestModel> BuildRequest(const log::VerifiedLog& log, const StateTable& states,
                                  const policy::LoadResult& load, const PayloadStore& store,
                                  std::string_view action_key, std::int64_t now_ms) {
  const KeyFold& fold = states.Of(action_key);
  const auto ttl_ms = load.OrDefaults().defaults.approval_ttl_ms;
  const State state = StateAt(fold, ttl_ms, now_ms);
  if (state == State::kNone) return Fail(Code::kNotRequested, "nobody requested this key");
  if (state != State::kRequested) {
    return Fail(Code::kNotAwaiting, "the request is " + std::string(Spelling(state)));
  }
  const Declared& declared = fold.declared;
  if (!declared.action_class) return Fail(Code::kClassMissing, "the request names no class");
  if (!declared.payload_hash) {
    return Fail(Code::kPayloadHashMissing, "the request binds no payload");
  }
  auto payload = PayloadOf(store, *declared.payload_hash);
  if (!payload) return tl::unexpected(payload.error());

  const policy::Resolution resolution =
      policy::Resolve(load, *declared.action_class, declared.reversible);
  const std::string& author = fold.request->actor;
  RequestModel model;
  model.action_key = {std::string(action_key), "log"};
  model.task = {fold.task, "log"};
  model.action_class = {*declared.action_class, "log"};
  model.command_breakdown = {classify::BreakdownOf(payload->value), "classifier"};
  model.protected_path = {
      classify::ProtectedPathOf(payload->value, load.OrDefaults().protected_paths), "classifier"};
  model.autonomy = {std::string(policy::Spelling(resolution.autonomy)), "policy-match"};
  model.provenance = {std::string(policy::Spelling(resolution.provenance)), "policy-match"};
  model.state = {std::string(Spelling(state)), "log"};
  model.requester = {author, "log"};
  model.waiting = {WaitingOf(fold, ttl_ms), "clock"};
  model.ttl_remaining_ms.source = "clock";
  if (model.waiting.value.deadline_ms) {
    model.ttl_remaining_ms.value = *model.waiting.value.deadline_ms - now_ms;
  }
  model.payload_hash = {*declared.payload_hash, "log"};
  model.display_hash = {PayloadText(fold.request, "display_hash"), "log"};
  model.attestation = {ViewOf(policy::CheckAttestation(log.records(), load)), "attestation"};
  model.budgets = {policy::EvaluateBudgets(log.records(), load.OrDefaults(), resolution,
                                           {declared.est_cost.value_or(0), fold.task, now_ms})
                       .verdicts,
                   "budgets"};
  model.chain = {{fold.request->seq, fold.request->hash, log.head() ? log.head()->seq : 0}, "log"};
  model.token_delivery.source = "log";
  if (const auto key = PayloadText(fold.request, "token_recipient_key")) {
    model.token_delivery.value = base::Sha256Hex(*key).substr(0, 16);
  }
  model.reversible = {declared.reversible, "log"};
  model.payload = {std::move(*payload), "payload-binding"};
  model.summary = {declared.summary, author};
  model.est_cost = {declared.est_cost, author};
  model.rationale.author = author;
  model.confidence.author = author;
  return model;
}

PendingQueue BuildPendingQueue(const log::VerifiedLog& log, const policy::LoadResult& load,
                               const PayloadStore& store, std::int64_t now_ms) {
  PendingQueue queue;
  const StateTable states = StateTable::Fold(log);
  const auto ttl_ms = load.OrDefaults().defaults.approval_ttl_ms;
  std::vector<std::string> keys;
  for (const std::string& key : states.requested_keys()) {
    if (StateAt(states.Of(key), ttl_ms, now_ms) == State::kRequested) keys.push_back(key);
  }
  std::sort(keys.begin(), keys.end(), [&](const std::string& a, const std::string& b) {
    return states.Of(a).request->seq < states.Of(b).request->seq;
  });
  for (const std::string& key : keys) {
    auto model = BuildRequest(log, states, load, store, key, now_ms);
    if (model) {
      queue.requests.push_back(std::move(*model));
    } else {
      queue.skipped.push_back({key, model.error()});
    }
  }
  return queue;
}

Settlement SettlementOf(const log::VerifiedLog& log, std::string_view action_key,
                        std::string_view request_hash, std::optional<std::int64_t> ttl_ms,
                        std::int64_t now_ms) {
  Settlement found;
  const log::Record* request = nullptr;
  bool replaced = false;
  for (const log::Record& record : log.records()) {
    if (record.action_key != action_key) continue;
    if (record.event == "approval.requested") {
      if (request != nullptr) {
        replaced = true;
        break;
      }
      if (record.hash == request_hash) request = &record;
      continue;
    }
    if (request == nullptr || (found.seq != 0 && record.event != "approval.revoked")) continue;
    State state = State::kNone;
    if (record.event == "approval.granted") state = State::kGranted;
    if (record.event == "approval.rejected") state = State::kRejected;
    if (record.event == "approval.revoked") state = State::kRevoked;
    if (record.event == "approval.expired") state = State::kExpired;
    if (record.event == "approval.withdrawn") state = State::kWithdrawn;
    if (state == State::kNone) continue;
    found = {state,         record.seq, record.actor, record.ts, PayloadText(&record, "note"),
             record.channel};
  }
  if (request == nullptr || found.seq != 0) return found;
  KeyFold fold;
  fold.request = request;
  const bool over = replaced || Lapsed(fold, ttl_ms, now_ms);
  found.state = over ? State::kExpired : State::kRequested;
  return found;
}

}  // namespace approval::gate
