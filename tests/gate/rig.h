// A gate over a real log in a folder of its own, with a clock that the test moves.
//
// Every step asserts nothing: it returns what the gate answered. `CodeOf` names a refusal.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/array.hpp>

#include "core/base/canonical.h"
#include "core/base/files.h"
#include "core/base/sha256.h"
#include "core/gate/gate.h"
#include "core/log/read.h"
#include "tests/policy/policy_text.h"
#include "tests/support/fakes.h"
#include "tests/support/temp_folder.h"

namespace approval::testing {

// The code of a refusal, or "ok".
template <typename T>
std::string CodeOf(const base::Result<T>& result) {
  return result ? "ok" : std::string(base::Spelling(result.error().code));
}

// A text among the details of a refusal; empty when it is not there.
template <typename T>
std::string Detail(const base::Result<T>& result, std::string_view name) {
  if (result) return {};
  return std::string(base::StringMember(result.error().details, name).value_or(""));
}

// A number among the details of a refusal; 0 when it is not there.
template <typename T>
std::int64_t SeqIn(const base::Result<T>& result, std::string_view name = "seq") {
  const base::Json* member = result ? nullptr : result.error().details.if_contains(name);
  return member != nullptr && member->is_int64() ? member->get_int64() : 0;
}

inline base::Json Letter(const std::string& body = "Hello") {
  return base::JsonObject{
      {"to", base::JsonArray{"agency@example.org"}}, {"subject", "Deposit"}, {"body", body}};
}

inline std::string HashOf(const base::Json& payload) { return *base::CanonicalHash(payload); }

struct Action {
  std::string key = "k";
  std::string action_class = "communicate.email.external";
  std::optional<base::Json> payload = Letter();
  std::optional<double> cost{};
  std::optional<bool> reversible{};
  std::string summary = "Send the chaser";
};

inline constexpr const char* kLines =
    "defaults:\n  autonomy: manual\n  approval_ttl: 1h\n"
    "classes:\n"
    "  communicate.email.external: {autonomy: manual}\n"
    "  read.*: {autonomy: autonomous}\n"
    "  files.write: {autonomy: supervised}\n"
    "  deploy.production: {autonomy: human-only}\n"
    "  payments.refund: {autonomy: manual, approvers: [bo]}\n"
    "approvers:\n"
    "  bo: {channels: [cli]}\n";

inline constexpr std::int64_t kHour = 3'600'000;

class Rig {
 public:
  explicit Rig(std::string_view policy_lines = kLines)
      : gate({folder.Path("log/events.jsonl"), folder.Path("APPROVAL.md"), {}}, clock, random) {
    SetPolicy(policy_lines);
    Attest();
  }

  void SetPolicy(std::string_view lines) { folder.Write("APPROVAL.md", PolicyFile(lines)); }
  base::Result<log::Appended> Attest(const std::string& actor = "human:alice") {
    std::string sha256;
    return gate.Attest(actor, sha256);
  }

  static base::JsonObject Envelope(const std::vector<Action>& actions) {
    base::JsonArray list;
    for (const Action& action : actions) {
      base::JsonObject one{{"class", action.action_class},
                           {"idempotency_key", action.key},
                           {"summary", action.summary}};
      if (action.payload) one["payload_hash"] = HashOf(*action.payload);
      if (action.cost) one["est_cost_usd"] = *action.cost;
      if (action.reversible) one["reversible"] = *action.reversible;
      list.push_back(std::move(one));
    }
    return {{"origin", base::JsonObject{{"app", "manual"}, {"created_by", "agent:claude"}}},
            {"state", "proposed"},
            {"actions", std::move(list)}};
  }

  // YAML holds JSON, so the envelope goes in as it is.
  std::string TaskText(const std::string& task, const base::JsonObject& envelope) const {
    return "---\nid: " + task + "\napproval: " + base::ToText(envelope) + "\n---\n\nText.\n";
  }

  base::Result<gate::Registered> Register(const std::string& task,
                                          const std::vector<Action>& actions) {
    folder.Write(task + ".md", TaskText(task, Envelope(actions)));
    return gate.Register(folder.Path(task + ".md"), "agent:claude");
  }

  base::Result<gate::Requested> Request(const std::string& key = "k",
                                        std::optional<base::Json> payload = Letter(),
                                        const std::string& task = "t-1",
                                        const std::string& actor = "agent:claude") {
    return gate.Request({task, key, actor, std::move(payload)});
  }

  // Registers one action under `t-1` and requests it.
  base::Result<gate::Requested> Ask(const Action& action = {}) {
    if (auto registered = Register("t-1", {action}); !registered) {
      return tl::unexpected(registered.error());
    }
    return Request(action.key, action.payload);
  }

  base::Result<gate::Decided> Decide(gate::Decision decision, const std::string& key = "k",
                                     const std::string& actor = "human:alice") {
    gate::DecisionAsk ask;
    ask.decision = decision;
    ask.action_key = key;
    ask.actor = actor;
    return gate.Decide(ask);
  }
  base::Result<gate::Decided> Grant(const std::string& key = "k",
                                    const std::string& actor = "human:alice") {
    return Decide(gate::Decision::kGrant, key, actor);
  }
  base::Result<gate::Decided> Reject(const std::string& key = "k") {
    return Decide(gate::Decision::kReject, key);
  }
  base::Result<gate::Decided> Revoke(const std::string& key = "k") {
    return Decide(gate::Decision::kRevoke, key);
  }

  static gate::StartAsk StartOf(const std::string& key, const base::Json& payload,
                                std::string_view token) {
    gate::StartAsk ask;
    ask.action_key = key;
    ask.actor = "agent:claude";
    if (!token.empty()) ask.token = base::Secret(token);
    ask.payload_hash = HashOf(payload);
    return ask;
  }
  base::Result<gate::Started> Consume(std::string_view token, const base::Json& payload = Letter(),
                                      const std::string& key = "k") {
    return gate.Consume(StartOf(key, payload, token));
  }
  base::Result<gate::Started> Start(std::string_view token, const base::Json& payload = Letter(),
                                    const std::string& key = "k") {
    return gate.Start(StartOf(key, payload, token));
  }
  base::Result<std::int64_t> Finish(gate::Outcome outcome, const std::string& key = "k") {
    gate::FinishAsk ask;
    ask.action_key = key;
    ask.actor = "agent:claude";
    ask.outcome = outcome;
    ask.exit_code = outcome == gate::Outcome::kCompleted ? 0 : 1;
    return gate.Finish(ask);
  }

  // A second process over the same files.
  gate::Gate Another() const {
    return gate::Gate({gate.log_path(), folder.Path("APPROVAL.md"), {}}, clock, other_random);
  }

  log::VerifiedLog Log() const {
    auto log = log::ReadVerified(gate.log_path());
    return log ? std::move(*log) : log::VerifiedLog();
  }
  std::size_t Count() const { return Log().records().size(); }
  std::vector<std::string> Events() const {
    std::vector<std::string> events;
    const log::VerifiedLog log = Log();
    for (const log::Record& record : log.records()) events.push_back(record.event);
    return events;
  }
  log::Record Last() const {
    const log::VerifiedLog log = Log();
    return log.records().empty() ? log::Record() : log.records().back();
  }
  std::string LastText(std::string_view name) const {
    const log::Record last = Last();
    return std::string(base::StringMember(last.payload, name).value_or(""));
  }
  // A record that our gate would not write but the chain allows.
  base::Result<log::Appended> Append(log::Draft draft) {
    log::LogFile file(gate.log_path(), clock, random);
    return file.Transact<log::Appended>(
        [&](log::Session& session) { return session.Append(draft); });
  }

  TempFolder folder;
  FakeClock clock;
  FakeRandom random;
  mutable base::SystemRandom other_random;
  gate::Gate gate;
};

}  // namespace approval::testing
