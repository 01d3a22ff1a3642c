// Sends an approved mail, or releases an approved draft, through AgentMail (adapters.md 4).
//
// A draft is read again before the spend and again before it is released; a mail is sent by value.
// What was not read back as approved is never sent. The send carries an Idempotency-Key made from
// action key and payload hash, and happens once: after its request left, only a clear answer of the
// service says whether it was taken, anything else is an unknown outcome. Settings come from the
// vault, the API's address too: whoever runs an action must not choose where the key goes. Nothing
// is read from the environment here.
#pragma once

#include <optional>
#include <string>

#include "vault/adapters/adapter.h"
#include "vault/adapters/agentmail/agentmail_api.h"
#include "vault/mail/email_payload.h"

namespace approval::adapters::agentmail {

inline constexpr std::string_view kAgentmailClass = mail::kMailClass;

struct AgentmailOptions {
  std::string api_base{};  // beats `agentmail.api_base` of the vault; for setup and tests
  std::string ca_file{};   // replaces the system's roots
  std::chrono::milliseconds deadline{15'000};  // of each call
  // The key that the agent holds: the probe then shows whether it can send. Never tried out.
  std::optional<base::Secret> agent_key{};
};

class AgentmailAdapter final : public Adapter {
 public:
  explicit AgentmailAdapter(AgentmailOptions options) : options_(std::move(options)) {}

  std::string_view name() const override { return "agentmail"; }
  std::span<const std::string_view> classes() const override;
  std::span<const CredentialSpec> manifest() const override;
  std::optional<std::string> CheckSetting(std::string_view name,
                                          std::string_view value) const override;
  std::optional<ActFailed> Precheck(const ActInput& input) const override;
  tl::expected<base::JsonObject, ActFailed> Preview(const ActInput& input) const override;
  ActOutcome Act(const ActInput& input) override;
  // Reads the inbox and what the service discloses of the key.
  std::optional<tl::expected<Probed, ProbeFailed>> Probe(CredentialWindow& credentials) override;
  // Messages with the label `sent`, at most 1000.
  std::optional<tl::expected<std::vector<Effect>, ActFailed>> Observe(
      const ObserveWindow& window, CredentialWindow& credentials) override;

 private:
  AgentmailOptions options_;
};

// `approval:` and the digest of both: the same for every attempt at one action.
std::string IdempotencyKey(const std::string& action_key, const std::string& payload_hash);

}  // namespace approval::adapters::agentmail
