#include "gateway/spending/built_in_adapters.h"

#include <charconv>
#include <chrono>

#include "vault/adapters/agentmail/agentmail_adapter.h"
#include "vault/adapters/email/email_adapter.h"

namespace approval::gateway {
namespace {

using adapters::agentmail::AgentmailAdapter;
using adapters::agentmail::AgentmailOptions;
using adapters::email::EmailAdapter;
using adapters::email::EmailOptions;

// Whoever reads the flag as a number of milliseconds has judged it before.
std::optional<std::int64_t> Timeout(const Invocation& call) {
  const auto text = call.args().Flag("timeout");
  std::int64_t ms = 0;
  if (!text) return std::nullopt;
  const auto [end, failed] = std::from_chars(text->data(), text->data() + text->size(), ms);
  if (failed != std::errc() || end != text->data() + text->size() || ms <= 0) return std::nullopt;
  return ms;
}

std::unique_ptr<adapters::Adapter> MakeEmail(const Invocation& call) {
  EmailOptions options;
  options.ca_file = call.environment()("SSL_CERT_FILE").value_or("");
  if (const auto ms = Timeout(call)) options.limits.timeout_ms = *ms;
  return std::make_unique<EmailAdapter>(options, call.clock());
}

std::unique_ptr<adapters::Adapter> MakeAgentmail(const Invocation& call) {
  AgentmailOptions options;
  options.ca_file = call.environment()("SSL_CERT_FILE").value_or("");
  options.api_base = call.args().FlagOr("api-base", "");
  if (const auto ms = Timeout(call)) options.deadline = std::chrono::milliseconds(*ms);
  // The variable that `payload agentmail-draft` reads: the agent's own key, for the probe to judge.
  const auto agent_key = call.environment()("AGENTMAIL_API_KEY");
  if (agent_key && !agent_key->empty()) options.agent_key = base::Secret(std::string(*agent_key));
  return std::make_unique<AgentmailAdapter>(std::move(options));
}

}  // namespace

std::string BuiltInAdapterNames() { return "agentmail, email"; }

std::unique_ptr<adapters::Adapter> MakeBuiltInAdapter(std::string_view name,
                                                      const Invocation& call) {
  if (name == "agentmail") return MakeAgentmail(call);
  if (name == "email") return MakeEmail(call);
  return nullptr;
}

}  // namespace approval::gateway
