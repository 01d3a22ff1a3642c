// Withdrawal, expiry, attestation, and the views that change nothing.
#include <algorithm>

#include "core/base/files.h"
#include "core/base/names.h"
#include "core/base/sha256.h"
#include "core/gate/facts.h"
#include "core/gate/token.h"

namespace approval::gate {

using base::Code;
using base::Error;
using base::Fail;
using base::JsonObject;
using base::Result;

Gate::Gate(GateOptions options, const base::Clock& clock, base::Random& random)
    : options_(std::move(options)),
      clock_(clock),
      random_(random),
      log_(options_.log_path, clock, random),
      store_(options_.log_path),
      keys_(options_.log_path) {}

Result<Withdrawn> Gate::Withdraw(const std::string& task, const std::string& action_key,
                                 const std::string& actor, const std::string& reason,
                                 const std::optional<std::string>& note) {
  if (!base::IsHumanOrAgent(actor)) {
    return Fail(Code::kActorInvalid, "an actor is human: or agent: and a name");
  }
  return log_.Transact<Withdrawn>([&](log::Session& session) -> Result<Withdrawn> {
    const Facts facts = Look(session);
    const KeyFold& fold = facts.states.Of(action_key);
    const State state = facts.StateOf(fold);
    if (state == State::kNone) {
      return RefuseIn(Code::kNotRequested, state, "nobody requested this key");
    }
    if (state == State::kWithdrawn) {
      return RefuseIn(Code::kRequestWithdrawn, state, "the request was withdrawn already");
    }
    if (state == State::kExpired) return Fail(Lapse(session, facts, action_key, fold));
    if (state != State::kRequested) {
      return RefuseIn(Code::kAlreadyDecided, state, "the request was decided already");
    }
    if (fold.request->actor != actor) {
      return RefuseIn(Code::kNotRequester, state, "only the one who asked may withdraw");
    }
    log::Draft draft{"approval.withdrawn", actor, fold.task, action_key};
    JsonObject payload{{"action_key", action_key}, {"reason", reason}};
    if (note) payload["note"] = *note;
    draft.payload = std::move(payload);
    const auto appended = session.Append(draft);
    if (!appended) return tl::unexpected(appended.error());
    keys_.Remove(action_key);
    return Withdrawn{task, action_key, reason, appended->seq};
  });
}

Result<std::int64_t> Gate::Expire(const std::string& action_key) {
  return log_.Transact<std::int64_t>([&](log::Session& session) -> Result<std::int64_t> {
    const Facts facts = Look(session);
    const KeyFold& fold = facts.states.Of(action_key);
    const State state = facts.StateOf(fold);
    if (state == State::kNone) {
      return RefuseIn(Code::kNotRequested, state, "nobody requested this key");
    }
    if (fold.decision != nullptr) {
      return RefuseIn(Code::kAlreadyDecided, state, "the request has ended already");
    }
    if (state == State::kRequested) {
      return RefuseIn(Code::kNotExpired, state, "the request is still within its window");
    }
    Error lapsed = Lapse(session, facts, action_key, fold);
    const base::Json* seq = lapsed.details.if_contains("seq");
    if (seq == nullptr) {
      Error error{Code::kAppendFailed, "the expiry could not be recorded"};
      error.cause = Code::kHeadMoved;
      return Fail(std::move(error));
    }
    return seq->as_int64();
  });
}

Result<std::vector<PendingEntry>> Gate::Queue() {
  return log_.Transact<std::vector<PendingEntry>>(
      [&](log::Session& session) -> Result<std::vector<PendingEntry>> {
        const Facts facts = Look(session);
        std::vector<PendingEntry> pending;
        for (const std::string& key : facts.states.requested_keys()) {
          const KeyFold& fold = facts.states.Of(key);
          if (facts.StateOf(fold) != State::kRequested) continue;
          PendingEntry entry;
          entry.action_key = key;
          entry.task = fold.task;
          entry.action_class = fold.declared.action_class;
          entry.est_cost = fold.declared.est_cost.value_or(0);
          entry.requested_ts = fold.request->ts;
          entry.seq = fold.request->seq;
          if (facts.ttl_ms && fold.request->instant) {
            entry.ttl_remaining_ms = *facts.ttl_ms - (facts.now_ms - *fold.request->instant);
          }
          pending.push_back(std::move(entry));
        }
        std::sort(pending.begin(), pending.end(),
                  [](const PendingEntry& a, const PendingEntry& b) { return a.seq < b.seq; });
        return pending;
      });
}

Result<std::vector<WaitAction>> Gate::WaitView(const std::string& task) {
  return log_.Transact<std::vector<WaitAction>>(
      [&](log::Session& session) -> Result<std::vector<WaitAction>> {
        const Facts facts = Look(session);
        std::vector<WaitAction> actions;
        for (const log::Record& record : session.log().records()) {
          if (record.event != "approval.requested" || record.task != task) continue;
          const std::string& key = *record.action_key;
          if (std::any_of(actions.begin(), actions.end(),
                          [&](const WaitAction& seen) { return seen.action_key == key; })) {
            continue;
          }
          const KeyFold& fold = facts.states.Of(key);
          WaitAction action;
          action.action_key = key;
          action.state = facts.StateOf(fold);
          action.seq = fold.decision != nullptr ? fold.decision->seq : fold.request->seq;
          action.note = PayloadText(fold.decision, "note");
          if (action.state == State::kGranted &&
              TokenStatus(fold, facts.ttl_ms, facts.now_ms).has_value()) {
            action.token = OpenSealed(fold, key);
          }
          actions.push_back(std::move(action));
        }
        return actions;
      });
}

std::optional<base::Secret> Gate::OpenSealed(const KeyFold& fold,
                                             const std::string& action_key) const {
  if (fold.last_grant == nullptr) return std::nullopt;
  const base::Json* sealed = fold.last_grant->payload.if_contains("token_sealed");
  const auto digest = PayloadText(fold.last_grant, "token_sha256");
  if (sealed == nullptr || !sealed->is_object() || !digest) return std::nullopt;
  const auto key = keys_.Load(action_key);
  if (!key) return std::nullopt;
  return OpenToken(sealed->get_object(), *key, action_key, *digest);
}

Result<log::Appended> Gate::Attest(const std::string& actor, std::string& sha256) {
  if (!base::IsHuman(actor)) {
    return Fail(Code::kActorNotHuman, "only a person attests a policy");
  }
  const auto bytes = base::ReadFile(options_.policy_path, std::size_t{64} << 20);
  if (!bytes) return Fail(Code::kUnreadable, bytes.error().message);
  sha256 = base::Sha256Hex(*bytes);
  log::Draft draft{"policy.updated", actor};
  draft.payload =
      JsonObject{{"policy_path", base::BaseName(options_.policy_path)}, {"sha256", sha256}};
  return log_.AppendAnywhere(draft);
}

}  // namespace approval::gate
