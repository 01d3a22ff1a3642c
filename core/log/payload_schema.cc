#include "core/log/payload_schema.h"

#include <algorithm>
#include <initializer_list>
#include <string>

#include "core/base/encoding.h"
#include "core/base/instant.h"
#include "core/base/money.h"
#include "core/base/names.h"

namespace approval::log {
namespace {

using base::Json;
using base::JsonObject;

// Collects violations of one payload.
class Payload {
 public:
  Payload(const JsonObject& payload, Violations& found) : payload_(payload), found_(found) {}

  const Json* Member(std::string_view name) const { return payload_.if_contains(name); }

  void Add(std::string_view name, std::string_view keyword, std::string_view message) {
    found_.push_back({"/payload/" + std::string(name), std::string(keyword), std::string(message)});
  }

  void Require(std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names) {
      if (Member(name) == nullptr) Add(name, "required", "is required");
    }
  }

  void Text(std::string_view name, bool may_be_empty) {
    const Json* member = Member(name);
    if (member == nullptr) return;
    if (!member->is_string()) {
      Add(name, "type", "must be a string");
    } else if (!may_be_empty && member->get_string().empty()) {
      Add(name, "minLength", "must not be empty");
    }
  }

  void Hex(std::string_view name) {
    if (Member(name) == nullptr) return;
    const auto text = base::StringMember(payload_, name);
    if (!text || !base::IsHex64(*text)) Add(name, "pattern", "64 lowercase hex digits are due");
  }

  void Choice(std::string_view name, std::initializer_list<std::string_view> allowed) {
    if (Member(name) == nullptr) return;
    const auto text = base::StringMember(payload_, name);
    if (!text || std::find(allowed.begin(), allowed.end(), *text) == allowed.end()) {
      Add(name, "enum", "not one of the allowed words");
    }
  }

  void PositiveInteger(std::string_view name) {
    const Json* member = Member(name);
    if (member == nullptr) return;
    if (!base::IsIntegral(*member) || *base::AsDouble(*member) < 1) {
      Add(name, "minimum", "must be an integer of at least 1");
    }
  }

  void True(std::string_view name) {
    const Json* member = Member(name);
    if (member != nullptr && !(member->is_bool() && member->get_bool())) {
      Add(name, "const", "must be true");
    }
  }

  void Object(std::string_view name) {
    const Json* member = Member(name);
    if (member != nullptr && !member->is_object()) Add(name, "type", "must be an object");
  }

  void Cost(std::string_view name) {
    const Json* member = Member(name);
    if (member != nullptr && !(member->is_string() && base::MoneyFromJson(*member))) {
      Add(name, "pattern", "a cost is written as a canonical decimal string");
    }
  }

 private:
  const JsonObject& payload_;
  Violations& found_;
};

void Withdrawn(Payload& payload, const JsonObject& record, bool has_payload, Violations& found) {
  if (!has_payload) found.push_back({"/payload", "required", "is required"});
  payload.Require({"action_key", "reason"});
  payload.Text("action_key", false);
  payload.Text("note", true);
  payload.Choice("reason", {"timeout", "cancelled", "superseded", "policy-drift"});
  const auto actor = base::StringMember(record, "actor").value_or("");
  const bool system = actor.substr(0, 7) == "system:";
  const Json* reason = payload.Member("reason");
  const bool drift =
      reason != nullptr && reason->is_string() && reason->get_string() == "policy-drift";
  if (system != drift) {
    found.push_back({"/actor", "pattern", "the system withdraws only for policy drift"});
  }
}

void WriterRules(Payload& payload, std::string_view event) {
  payload.Cost("est_cost_usd");
  payload.Hex("policy_sha256");
  payload.Hex("display_hash");
  payload.Hex("token_sha256");
  if (event == "approval.granted" || event == "audit.reviewed") {
    payload.Choice("reaction", {"disliked", "indifferent", "liked", "loved"});
    const Json* reaction = payload.Member("reaction");
    if (reaction != nullptr && reaction->is_string() &&
        (reaction->get_string() == "disliked" || reaction->get_string() == "loved")) {
      payload.Require({"note"});
      payload.Text("note", false);
    }
  }
  if (event == "approval.requested" || event == "approval.granted") payload.Hex("payload_hash");
}

void NewTypes(Payload& payload, std::string_view event) {
  if (event == "execution.indeterminate") {
    payload.Require({"reason"});
    payload.Choice("reason", {"act-threw", "workspace-commit-unknown"});
    const Json* exit_code = payload.Member("exit_code");
    if (exit_code != nullptr && !exit_code->is_null()) {
      payload.Add("exit_code", "type", "must be null");
    }
  } else if (event == "execution.reconciled") {
    payload.Require({"indeterminate_seq", "resolution", "note", "attested_by_human"});
    payload.PositiveInteger("indeterminate_seq");
    payload.Choice("resolution", {"executed", "not-executed"});
    payload.Text("note", false);
    payload.True("attested_by_human");
  } else if (event == "policy.proposed") {
    payload.Require({"policy_path", "sha256", "diff", "load"});
    payload.Text("policy_path", false);
    payload.Hex("sha256");
    payload.Object("diff");
    payload.Object("load");
  } else if (event == "policy.declined") {
    payload.Require({"sha256", "proposed_seq"});
    payload.Hex("sha256");
    payload.PositiveInteger("proposed_seq");
  } else if (event == "audit.dark_session") {
    payload.Require({"subject", "code", "observation_key"});
    payload.Choice("code", {"no-records", "no-evidence", "no-evidence-merged"});
  } else if (event == "audit.decision_refused") {
    payload.Require({"action_key", "channel", "decision", "code"});
    payload.Choice("decision", {"grant", "reject", "revoke"});
    if (payload.Member("sender") == nullptr) payload.Require({"actor"});
  } else if (event == "audit.gesture_refused") {
    payload.Require({"channel", "gesture", "code"});
    payload.Choice("gesture", {"checkpoint-signature", "review", "review-note"});
    payload.Choice("code", {"sender-unmapped", "sender-ambiguous", "sender-key-unavailable",
                            "policy-not-attested"});
    if (payload.Member("sender") == nullptr) payload.Require({"actor"});
  } else if (event == "audit.question_preempted") {
    payload.Require({"source", "question"});
    payload.Choice("source", {"codex-auto-reviewer"});
    payload.Object("question");
  } else if (event == "audit.lock_reclaimed") {
    payload.Require({"lockfile", "reason", "age_ms", "holder"});
    payload.Choice("reason", {"holder-dead", "legacy-aged"});
    payload.Object("holder");
  } else if (event == "reconciliation.required") {
    payload.Require({"action_key", "class", "review_seq", "obligation"});
    payload.Choice("obligation", {"gated-revert", "policy-finding"});
    payload.PositiveInteger("review_seq");
  } else if (event == "reconciliation.satisfied") {
    payload.Require({"obligation_seq", "note"});
    payload.PositiveInteger("obligation_seq");
    payload.Text("note", false);
  } else if (event == "gate.opened") {
    payload.Require({"expires_at", "duration", "reason", "scope"});
    payload.Choice("scope", {"hook"});
    payload.Text("reason", false);
  } else if (event == "gate.closed") {
    payload.Require({"opened_seq"});
    payload.PositiveInteger("opened_seq");
  } else if (event == "gate.bypassed") {
    payload.Require({"opened_seq", "tool", "summary", "classes", "payload_hash"});
    payload.PositiveInteger("opened_seq");
    payload.Hex("payload_hash");
  } else if (event == "gate.organ.attested") {
    payload.Require({"organ_path", "sha256"});
    payload.Text("organ_path", false);
    payload.Hex("sha256");
  } else if (event == "gate.path.signed_off") {
    payload.Require({"path", "sha256"});
    payload.Text("path", false);
    payload.Hex("sha256");
  } else if (event == "log.checkpoint") {
    payload.Require({"seq", "hash", "alg", "key_sha256", "signature"});
    payload.PositiveInteger("seq");
    payload.Hex("hash");
    payload.Choice("alg", {"ed25519"});
    payload.Hex("key_sha256");
  }
}

}  // namespace

void ValidatePayload(const JsonObject& record, std::string_view event, SchemaUse use,
                     Violations& found) {
  const Json* value = record.if_contains("payload");
  if (value != nullptr && !value->is_object()) return;  // already reported as a wrong type
  const JsonObject empty;
  Payload payload(value == nullptr ? empty : value->get_object(), found);
  if (event == "approval.withdrawn") {
    Withdrawn(payload, record, value != nullptr, found);
  } else if (event == "approval.granted" || event == "approval.rejected") {
    payload.Text("batch_delivery_id", false);
  } else if (event == "payload.pruned") {
    payload.Require({"payload_hash"});
    payload.Hex("payload_hash");
  } else {
    NewTypes(payload, event);
  }
  if (use == SchemaUse::kWrite) WriterRules(payload, event);
}

}  // namespace approval::log
