// The gate: the one place where requests, decisions and executions become records (core.md 5).
//
// Every method is one read-check-append cycle on a verified log, repeated when another writer came
// first; a refusal appends nothing unless it says so. Failures carry the codes of core.md 6 and the
// optional members of 6.4 in `details`. Not thread-safe; make one per thread. Clock, random source
// and log outlive the gate.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/clock.h"
#include "core/base/error.h"
#include "core/base/random.h"
#include "core/base/secret.h"
#include "core/gate/declarations.h"
#include "core/gate/payload_store.h"
#include "core/gate/request_model.h"
#include "core/gate/seal.h"
#include "core/gate/state.h"
#include "core/log/append.h"
#include "core/policy/attestation.h"
#include "core/policy/load.h"
#include "core/policy/resolve.h"

namespace approval::gate {

// The digest of the canonical rendering; nothing when the payload cannot be rendered. Injected,
// since rendering stands above the gate.
using DisplayHash =
    std::function<std::optional<std::string>(const base::Json& payload, std::string_view cls)>;

struct GateOptions {
  std::string log_path;
  std::string policy_path;
  DisplayHash display_hash{};
};

struct Registered {
  std::int64_t seq = 0;
  std::string task;
  std::size_t actions = 0;
};

struct RequestAsk {
  std::string task;
  std::string action_key;
  std::string actor;
  std::optional<base::Json> payload{};
};

struct Requested {
  std::string task;
  std::string action_key;
  std::string action_class;
  policy::Autonomy autonomy = policy::Autonomy::kManual;
  bool proceed = false;
  bool requested = false;
  std::optional<std::int64_t> seq;
};

enum class Decision { kGrant, kReject, kRevoke };
std::string_view Spelling(Decision decision);

// The account a transport attributed a gesture to.
struct Sender {
  std::string channel;
  std::string id;
};

struct DecisionAsk {
  Decision decision = Decision::kGrant;
  std::string action_key;
  std::string actor;
  std::optional<std::string> note{};
  std::optional<std::string> channel{};  // recorded when a delivery channel asked
  std::optional<Sender> sender{};        // recorded when the policy mapped it
  std::optional<std::string> batch_delivery_id{};
  std::optional<std::string> request_hash{};  // the request record the person looked at
  std::optional<Rendering> rendering{};       // recorded when the channel draws short cards
};

struct Decided {
  Decision decision = Decision::kGrant;
  State state = State::kNone;
  std::string action_key;
  std::int64_t seq = 0;
  std::string actor;
  std::string ts;
  std::optional<base::Secret> token;  // of a grant that mints one; goes to the caller only
  bool sealed = false;                // the grant record carries it sealed to the requester
};

struct Withdrawn {
  std::string task;
  std::string action_key;
  std::string reason;
  std::int64_t seq = 0;
};

struct TokenView {
  std::string action_key;
  std::string token_sha256;
  std::int64_t grant_seq = 0;
  std::optional<std::string> action_class;
  base::Micros est_cost = 0;
  std::optional<std::string> payload_hash;
  std::optional<std::string> task;
};

struct Started {
  std::string action_key;
  std::string task;
  std::string action_class;
  policy::Autonomy autonomy = policy::Autonomy::kManual;
  std::int64_t seq = 0;
  std::string payload_hash;
  std::optional<std::string> token_sha256;
  std::optional<std::int64_t> grant_seq;
  base::Micros est_cost = 0;
};

struct StartAsk {
  std::string action_key;
  std::string actor;
  std::optional<base::Secret> token{};  // else a sealed one is opened when this machine can
  std::string payload_hash;
  std::int64_t env_stripped = 0;
};

enum class Outcome { kCompleted, kFailed, kIndeterminate };
std::string_view EventOf(Outcome outcome);

struct FinishAsk {
  std::string action_key;
  std::string actor;
  Outcome outcome = Outcome::kCompleted;
  std::int64_t exit_code = 0;
  std::optional<base::JsonObject> provider_ref{};
};

// A person's word on a dangling execution.
struct ResolveAsk {
  std::string action_key;
  std::string actor;
  Outcome outcome = Outcome::kFailed;  // completed or failed
  std::string note;                    // not blank
};

struct Resolved {
  std::string task;
  std::int64_t seq = 0;
};

struct PendingEntry {
  std::string action_key;
  std::optional<std::string> task;
  std::optional<std::string> action_class;
  base::Micros est_cost = 0;
  std::string requested_ts;
  std::int64_t seq = 0;
  std::optional<std::int64_t> ttl_remaining_ms;
};

struct WaitAction {
  std::string action_key;
  State state = State::kNone;
  std::int64_t seq = 0;  // of the decision, else of the request
  std::optional<std::string> note;
  std::optional<base::Secret> token;  // a sealed one that this machine could open
};

class Gate {
 public:
  Gate(GateOptions options, const base::Clock& clock, base::Random& random);

  base::Result<Registered> Register(const std::string& task_file, const std::string& actor);
  base::Result<Requested> Request(const RequestAsk& ask);
  base::Result<Decided> Decide(const DecisionAsk& ask);
  base::Result<Withdrawn> Withdraw(const std::string& task, const std::string& action_key,
                                   const std::string& actor, const std::string& reason,
                                   const std::optional<std::string>& note);
  // Seq of the `approval.expired` record.
  base::Result<std::int64_t> Expire(const std::string& action_key);
  base::Result<std::vector<PendingEntry>> Queue();
  // All keys that the task requested, in the order of the first request.
  base::Result<std::vector<WaitAction>> WaitView(const std::string& task);

  base::Result<TokenView> Token(const std::string& action_key);
  // The spend alone; `token` is required, whatever the level of the class.
  base::Result<Started> Consume(const StartAsk& ask);
  // The spend before a run or an adapter: the level decides whether a token is needed.
  base::Result<Started> Start(const StartAsk& ask);
  // Seq of the outcome record.
  base::Result<std::int64_t> Finish(const FinishAsk& ask);

  base::Result<Resolved> Resolve(const ResolveAsk& ask);

  // A token sealed to this machine for the key's live grant, if there is one.
  std::optional<base::Secret> OpenSealed(const KeyFold& fold, const std::string& action_key) const;

  // Attests the live policy file: `policy.updated`. Works on a log broken above its last line.
  // `unreadable` when the policy file cannot be read, else a bare append code.
  base::Result<log::Appended> Attest(const std::string& actor, std::string& sha256);

  // Records that a gesture from an account nobody mapped was refused; at most one record for an
  // account and request. Returns whether one was appended.
  base::Result<bool> RecordRefusedGesture(const std::string& action_key, Decision decision,
                                          base::Code code, const Sender& sender);

  policy::LoadResult LoadPolicy() const { return policy::LoadPolicy(options_.policy_path); }
  const std::string& log_path() const { return options_.log_path; }
  std::int64_t NowMs() const { return clock_.NowMs(); }
  const PayloadStore& store() const { return store_; }

 private:
  struct Facts;  // policy, attestation and states of one cycle
  Facts Look(const log::Session& session) const;
  base::Result<Requested> RequestGated(log::Session& session, const Facts& facts,
                                       const RequestAsk& ask, const Declaration& declared,
                                       Requested answer);
  base::Result<Decided> GrantOrRefuse(log::Session& session, const Facts& facts,
                                      const DecisionAsk& ask, const KeyFold& fold,
                                      const base::JsonObject& stamp);
  base::Result<Started> Spend(log::Session& session, const Facts& facts, const StartAsk& ask,
                              const KeyFold& fold, const base::Secret& token);
  base::Result<Started> StartUngated(log::Session& session, const Facts& facts, const StartAsk& ask,
                                     const Declaration& declared,
                                     const policy::Resolution& resolution);
  base::Error Lapse(log::Session& session, const Facts& facts, const std::string& action_key,
                    const KeyFold& fold);

  GateOptions options_;
  const base::Clock& clock_;
  base::Random& random_;
  log::LogFile log_;
  PayloadStore store_;
  RequesterKeys keys_;
};

}  // namespace approval::gate
