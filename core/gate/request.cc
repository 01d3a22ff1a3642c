#include "core/base/canonical.h"
#include "core/base/names.h"
#include "core/base/sha256.h"
#include "core/gate/facts.h"
#include "core/policy/intake.h"

namespace approval::gate {
namespace {

using base::Code;
using base::Error;
using base::Fail;
using base::JsonObject;
using base::Result;

struct Material {
  std::string canonical;
  std::string hash;
};

// The payload's canonical form, checked against what the action declares.
Result<Material> MaterialOf(const base::Json& payload, const Declaration& declared) {
  auto canonical = base::Canonicalize(payload);
  if (!canonical) return Fail(Code::kPayloadStoreFailed, canonical.error().message);
  if (canonical->size() > kMaxPayloadBytes) {
    return Fail(Code::kPayloadTooLarge,
                "the payload has " + std::to_string(canonical->size()) +
                    " bytes in canonical form, at most 2097152 are allowed; bind large files by "
                    "path, digest and size");
  }
  std::string hash = base::Sha256Hex(*canonical);
  if (hash != declared.payload_hash) {
    return Fail(Code::kPayloadMismatch,
                "the payload does not hash to the payload_hash that the task declared; compare "
                "with `approval payload hash`");
  }
  return Material{std::move(*canonical), std::move(hash)};
}

std::vector<std::string> PendingClasses(const StateTable& states, std::optional<std::int64_t> ttl,
                                        std::int64_t now_ms) {
  std::vector<std::string> classes;
  for (const std::string& key : states.requested_keys()) {
    const KeyFold& fold = states.Of(key);
    if (StateAt(fold, ttl, now_ms) == State::kRequested) {
      classes.push_back(fold.declared.action_class.value_or(""));
    }
  }
  return classes;
}

}  // namespace

Result<Requested> Gate::Request(const RequestAsk& ask) {
  if (!base::IsHumanOrAgent(ask.actor)) {
    return Fail(Code::kActorInvalid, "an actor is human: or agent: and a name");
  }
  return log_.Transact<Requested>([&](log::Session& session) -> Result<Requested> {
    const auto declared = DeclaredInTask(session.log(), ask.task, ask.action_key);
    if (!declared) return tl::unexpected(declared.error());
    const Facts facts = Look(session);
    if (auto refusal = AttestationRefusal(facts.attestation)) return Fail(std::move(*refusal));
    if (TaskDeclaring(session.log(), ask.action_key) != ask.task) {
      return Fail(Code::kActionNotRegistered, "another task declares this key as well");
    }
    const policy::Resolution resolution =
        facts.Resolve(declared->action_class, declared->reversible);
    if (resolution.harness_launch_unruled) {
      return Fail(Code::kHarnessLaunchUnruled, "this class needs a rule of its own in the policy");
    }
    if (resolution.autonomy == policy::Autonomy::kHumanOnly) {
      return Fail(Code::kClassHumanOnly, "only a person may do this; no agent can ask for it");
    }
    Requested answer;
    answer.task = ask.task;
    answer.action_key = ask.action_key;
    answer.action_class = declared->action_class;
    answer.autonomy = resolution.autonomy;
    if (IsGated(resolution.autonomy)) {
      return RequestGated(session, facts, ask, *declared, std::move(answer));
    }
    if (ConsecutiveFailures(session.log(), ask.task) >= kLoopLimit) {
      return Fail(Code::kLoopEscalated,
                  "the last three executions of this task failed; a person must look first");
    }
    if (ask.payload) {
      if (!declared->payload_hash) {
        return Fail(Code::kPayloadHashRequired, "the action declares no payload_hash");
      }
      const auto material = MaterialOf(*ask.payload, *declared);
      if (!material) return tl::unexpected(material.error());
      if (auto put = store_.Put(material->hash, material->canonical); !put) {
        return Fail(Code::kPayloadStoreFailed, put.error().message);
      }
    }
    answer.proceed = true;
    return answer;
  });
}

Result<Requested> Gate::RequestGated(log::Session& session, const Facts& facts,
                                     const RequestAsk& ask, const Declaration& declared,
                                     Requested answer) {
  if (!declared.payload_hash) {
    return Fail(Code::kPayloadHashRequired,
                "the action declares no payload_hash; a person approves exact bytes, so the task "
                "file must name their hash (`approval payload hash`)");
  }
  std::optional<Material> material;
  if (ask.payload) {
    auto made = MaterialOf(*ask.payload, declared);
    if (!made) return tl::unexpected(made.error());
    material = std::move(*made);
  }
  const KeyFold& fold = facts.states.Of(ask.action_key);
  const State state = facts.StateOf(fold);
  // A live grant must not die of a second request: it ends by being spent, revoked or lapsing.
  const bool live_grant =
      state == State::kGranted && fold.starts.empty() && !Lapsed(fold, facts.ttl_ms, facts.now_ms);
  if (state == State::kRequested || live_grant) {
    return RefuseIn(Code::kDuplicateRequest, state,
                    live_grant ? "this key is granted and not spent yet; use the grant or let a "
                                 "person revoke it"
                               : "this key is waiting for an answer already");
  }
  if (!fold.starts.empty()) {
    return RefuseIn(Code::kAlreadyExecuted, state,
                    "this key was executed already; a new action needs a new key");
  }
  const policy::Policy& rules = facts.load.OrDefaults();
  const policy::Resolution resolution = facts.Resolve(declared.action_class, declared.reversible);
  const std::vector<std::string> pending = PendingClasses(facts.states, facts.ttl_ms, facts.now_ms);
  if (const auto verdict = policy::CheckIntake(session.log().records(), rules, resolution,
                                               {ask.actor, pending, facts.now_ms})) {
    Error error{verdict->refusal, "too many requests wait or were made: " + verdict->limit +
                                      "; wait for answers before asking again"};
    error.details["limits"] = policy::IntakeVerdictJson(*verdict);
    return Fail(std::move(error));
  }
  const base::Micros cost = declared.est_cost.value_or(0);
  if (auto refusal = BudgetRefusal(
          session, facts.load, resolution,
          {ask.task, ask.action_key, ask.actor, declared.action_class, cost, "request"})) {
    return Fail(std::move(*refusal));
  }
  if (material) {
    if (auto put = store_.Put(material->hash, material->canonical); !put) {
      return Fail(Code::kPayloadStoreFailed, put.error().message);
    }
  }
  JsonObject payload{{"class", declared.action_class},
                     {"est_cost_usd", base::MoneyText(cost)},
                     {"payload_hash", *declared.payload_hash}};
  if (declared.summary) payload["summary"] = *declared.summary;
  if (declared.reversible) payload["reversible"] = *declared.reversible;
  if (facts.attestation.live_sha256) payload["policy_sha256"] = *facts.attestation.live_sha256;
  std::optional<base::Json> shown = ask.payload;
  if (!shown) {
    if (auto stored = store_.Get(*declared.payload_hash)) shown = std::move(stored->value);
  }
  if (shown && options_.display_hash) {
    if (auto hash = options_.display_hash(*shown, declared.action_class)) {
      payload["display_hash"] = std::move(*hash);
    }
  }
  std::optional<std::string> staged;
  if (rules.defaults.token_delivery == policy::TokenDelivery::kSealed) {
    const auto pair = MakeSealingKeys();
    const auto kept = pair ? keys_.Stage(ask.action_key, pair->private_key, random_)
                           : Result<std::string>(Fail(Code::kIo, "no key pair could be made"));
    if (!kept) {
      return Fail(
          Code::kTokenDeliveryUnavailable,
          "the policy asks for sealed tokens and the key cannot be kept: " + kept.error().message);
    }
    staged = *kept;
    payload["token_recipient_key"] = pair->recipient_key;
  }
  log::Draft draft{"approval.requested", ask.actor, ask.task, ask.action_key};
  draft.payload = std::move(payload);
  const auto appended = session.Append(draft);
  if (!appended) {
    if (staged) keys_.Discard(*staged);
    return tl::unexpected(appended.error());
  }
  if (staged) {
    if (auto kept = keys_.Commit(*staged, ask.action_key); !kept) {
      return Fail(Code::kTokenDeliveryUnavailable,
                  kept.error().message + "; the request is on record, withdraw it and ask again");
    }
  }
  answer.requested = true;
  answer.seq = appended->seq;
  return answer;
}

}  // namespace approval::gate
