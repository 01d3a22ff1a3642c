// A pending request as a channel receives it: every value either computed by the runtime or claimed
// by a party, by type (channels.md 1.3, 1.4).
//
// Built by gate::BuildRequest from a verified log at one instant; pure data afterwards. Texts are
// raw: a surface shows them only through render's quoting.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/money.h"
#include "core/policy/budget_verdict.h"

namespace approval::gate {

template <typename T>
struct Computed {
  T value{};
  // `log`, `policy-match`, `classifier`, `budgets`, `attestation`, `payload-binding`, `clock`
  std::string source;
};

template <typename T>
struct Claimed {
  T value{};
  std::string author;  // actor id of the party that wrote it
};

struct AttestationView {
  enum class Status { kAttested, kNotAttested, kHashMismatch, kUnreadable };
  Status status = Status::kNotAttested;
  std::optional<std::int64_t> seq;
};

struct ChainView {
  std::int64_t seq = 0;  // of the request record
  std::string hash;      // of the request record
  std::int64_t head_seq = 0;
};

struct WaitingView {
  std::string requested_ts;                  // as the record spells it
  std::optional<std::int64_t> requested_ms;  // nothing: unreadable time
  std::optional<std::int64_t> deadline_ms;   // nothing: no deadline
  bool requester_waits = false;              // the deadline is the requester's own wait
};

// The payload whose bytes were found and hashed again; `text` is the canonical form.
struct BoundPayload {
  base::Json value;
  std::string text;
  std::string hash;
};

// How a channel drew a request when its policy asks for the short card (channels.md 3.4).
struct Rendering {
  std::string style;                    // `minimal`, or `technical` when it fell back
  std::optional<std::string> fallback;  // why it did
};

struct RequestModel {
  Computed<std::string> action_key;
  Computed<std::optional<std::string>> task;
  Computed<std::string> action_class;
  // What a command does in a few words, and `<path> (rule <rule>)`; raw text of the payload.
  Computed<std::optional<std::string>> command_breakdown;
  Computed<std::optional<std::string>> protected_path;
  Computed<std::string> autonomy;
  Computed<std::string> provenance;
  Computed<std::string> state;
  Computed<std::string> requester;  // actor of the request record
  Computed<WaitingView> waiting;
  Computed<std::optional<std::int64_t>> ttl_remaining_ms;
  Computed<std::string> payload_hash;
  Computed<std::optional<std::string>> display_hash;  // recorded on the request
  Computed<AttestationView> attestation;
  Computed<std::vector<policy::BudgetVerdict>> budgets;
  Computed<ChainView> chain;
  Computed<std::optional<std::string>> token_delivery;  // 16 hex of the key text's SHA-256
  Computed<std::optional<bool>> reversible;
  Computed<BoundPayload> payload;

  Claimed<std::optional<std::string>> summary;
  Claimed<std::optional<base::Micros>> est_cost;
  Claimed<std::optional<std::string>> rationale;
  Claimed<std::optional<double>> confidence;
};

}  // namespace approval::gate
