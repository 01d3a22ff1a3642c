// `approval adapter email`: spends an approved mail (adapters.md 3).
//
// The result goes to stdout on success and to stderr otherwise, flat under --json. The passphrase
// of the vault comes from the variable that the policy names, trust from SSL_CERT_FILE when set;
// nothing else is read from the environment.
#include <optional>

#include "gateway/secret_variable.h"
#include "gateway/spending/verbs.h"
#include "render/quote.h"
#include "vault/adapters/email/email_adapter.h"
#include "vault/adapters/execute.h"

namespace approval::gateway {
namespace {

using base::Code;

constexpr std::int64_t kMaxTimeoutMs = 24LL * 3600 * 1000;

// A positive whole number of milliseconds; nothing when it is not one.
std::optional<std::int64_t> TimeoutFrom(const std::string& text) {
  std::int64_t ms = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    ms = ms * 10 + (c - '0');
    if (ms > kMaxTimeoutMs) return std::nullopt;
  }
  if (ms == 0) return std::nullopt;
  return ms;
}

adapters::CredentialSource Source(const Invocation& call, const gate::Gate& gate) {
  adapters::CredentialSource source;
  source.vault_path = call.args().FlagOr("vault", vault::DefaultVaultPath(call.LogPath()));
  source.passphrase_variable = gate.LoadPolicy().OrDefaults().vault_passphrase_env;
  source.passphrase = [environment = call.environment(),
                       variable = source.passphrase_variable]() -> std::optional<base::Secret> {
    return SecretVariable(environment, variable);
  };
  return source;
}

int Report(const Invocation& call, const std::string& key, const adapters::Executed& done) {
  if (done.ok) {
    const auto seq = [&](const char* name) { return base::ToText(done.answer.at(name)); };
    return call.Succeed(done.answer, render::QuoteLine(key) + ": sent by email, records " +
                                         seq("started_seq") + " and " + seq("outcome_seq"));
  }
  if (call.json()) {
    Print(stderr, base::ToText(done.answer));
  } else {
    std::string line = "✗ " + std::string(base::Spelling(done.error->code));
    if (const auto own = base::StringMember(done.answer, "adapter_code")) {
      line += " (" + std::string(*own) + ")";
    }
    SayLine(stderr, line + "  " + done.error->message);
  }
  return done.error->code == Code::kTokenRequired ? 5 : ExitCodeOf(*done.error);
}

}  // namespace

int AdapterEmailVerb(Invocation& call) {
  const auto key = call.Positional(0, "<key>");
  if (!key) return call.Usage(key.error().message);
  gate::Gate gate = call.MakeGate();
  const std::string token = call.args().FlagOr("token", "");
  if (token.empty() && (call.args().Has("token") || adapters::LacksToken(gate, *key))) {
    return call.Usage("missing --token <token>");
  }
  const auto payload_path = call.args().Flag("payload");
  if (!payload_path || payload_path->empty()) return call.Usage("missing --payload <file|->");
  const auto actor = call.Actor();
  if (!actor) return call.Usage(actor.error().message);
  adapters::email::EmailOptions options;
  if (const auto text = call.args().Flag("timeout")) {
    const auto timeout = TimeoutFrom(*text);
    if (!timeout) return call.Usage("--timeout takes a positive whole number of milliseconds");
    options.limits.timeout_ms = *timeout;
  }
  auto payload = call.ReadJsonArgument(*payload_path);
  if (!payload) return call.CommandError(payload.error().code, payload.error().message);
  options.ca_file = call.environment()("SSL_CERT_FILE").value_or("");
  adapters::email::EmailAdapter adapter(options, call.clock());
  const adapters::CredentialSource source = Source(call, gate);
  adapters::ExecuteAsk ask{*key, *actor, std::nullopt, std::move(*payload)};
  if (!token.empty()) ask.token = base::Secret(token);
  return Report(call, *key,
                adapters::ExecuteThroughAdapter(gate, adapter, &source, call.random(), ask));
}

}  // namespace approval::gateway
