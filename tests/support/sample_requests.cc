#include "tests/support/sample_requests.h"

#include "core/base/canonical.h"
#include "core/base/instant.h"
#include "core/base/sha256.h"

namespace approval::testing {

std::string SampleHash(const std::string& key, std::int64_t seq) {
  return base::Sha256Hex(key + "#" + std::to_string(seq));
}

gate::RequestModel SampleRequest(const base::Json& payload, const SampleOptions& options) {
  gate::RequestModel request;
  request.action_key = {options.key, "log"};
  request.task = {options.key.substr(0, options.key.find(':')), "log"};
  request.action_class = {options.action_class, "log"};
  request.autonomy = {"manual", "policy-match"};
  request.provenance = {"rule", "policy-match"};
  request.state = {"requested", "log"};
  request.requester = {"agent:drafter", "log"};
  gate::WaitingView waiting;
  waiting.requested_ts = base::FormatInstant(options.requested_ms);
  waiting.requested_ms = options.requested_ms;
  waiting.requester_waits = options.requester_waits;
  if (options.window_ms > 0) {
    waiting.deadline_ms = options.requested_ms + options.window_ms;
    request.ttl_remaining_ms = {options.window_ms, "clock"};
  }
  request.waiting = {waiting, "clock"};
  request.attestation = {{gate::AttestationView::Status::kAttested, 1}, "attestation"};
  request.budgets = {{{"daily_usd", "class", "rolling-24h", 0, 20'000, 4'980'000, true, {}}},
                     "budgets"};
  request.chain = {{options.seq, SampleHash(options.key, options.seq), options.seq}, "log"};
  request.reversible = {std::nullopt, "log"};
  const std::string text = base::Canonicalize(payload).value_or("");
  const std::string hash = base::CanonicalHash(payload).value_or("");
  request.payload_hash = {hash, "log"};
  request.payload = {{payload, text, hash}, "payload-binding"};
  request.summary = {options.summary, "agent:drafter"};
  request.est_cost = {20'000, "agent:drafter"};
  return request;
}

base::Json EmailPayload(const std::string& body, const std::string& subject) {
  return base::JsonObject{{"to", base::JsonArray{"agency@example.co.uk"}},
                          {"cc", base::JsonArray{"me@example.org"}},
                          {"subject", subject},
                          {"body", body}};
}

base::Json CommandPayload(const std::string& command, const std::string& cwd) {
  return base::JsonObject{{"command", command}, {"cwd", cwd}};
}

base::Json FilePayload(const std::string& file, const std::string& content) {
  return base::JsonObject{{"file", file}, {"content", content}};
}

}  // namespace approval::testing
