#include "gateway/spending/built_in_adapters.h"

#include <chrono>

#include "gateway/secret_variable.h"
#include "vault/adapters/agentmail/agentmail_adapter.h"
#include "vault/adapters/email/email_adapter.h"

namespace approval::gateway {
namespace {

using adapters::agentmail::AgentmailAdapter;
using adapters::agentmail::AgentmailOptions;
using adapters::email::EmailAdapter;
using adapters::email::EmailOptions;
using Timeout = std::optional<std::int64_t>;

std::string TrustFile(const Invocation& call) {
  return call.environment()("SSL_CERT_FILE").value_or("");
}

std::unique_ptr<adapters::Adapter> MakeEmail(const Invocation& call, Timeout timeout_ms) {
  EmailOptions options;
  options.ca_file = TrustFile(call);
  if (timeout_ms) options.limits.timeout_ms = *timeout_ms;
  return std::make_unique<EmailAdapter>(options, call.clock());
}

std::unique_ptr<adapters::Adapter> MakeAgentmail(const Invocation& call, Timeout timeout_ms) {
  AgentmailOptions options;
  options.ca_file = TrustFile(call);
  options.api_base = call.args().FlagOr("api-base", "");
  if (timeout_ms) options.deadline = std::chrono::milliseconds(*timeout_ms);
  // The variable that `payload agentmail-draft` reads: the agent's own key, for the probe to judge.
  options.agent_key = SecretVariable(call.environment(), kAgentKeyVariable);
  return std::make_unique<AgentmailAdapter>(std::move(options));
}

}  // namespace

const std::vector<std::string>& BuiltInAdapters() {
  static const std::vector<std::string> names = {"agentmail", "email"};
  return names;
}

std::string BuiltInAdapterNames() {
  std::string words;
  for (const std::string& name : BuiltInAdapters()) words += (words.empty() ? "" : ", ") + name;
  return words;
}

std::unique_ptr<adapters::Adapter> MakeBuiltInAdapter(std::string_view name, const Invocation& call,
                                                      Timeout timeout_ms) {
  if (name == "agentmail") return MakeAgentmail(call, timeout_ms);
  if (name == "email") return MakeEmail(call, timeout_ms);
  return nullptr;
}

}  // namespace approval::gateway
