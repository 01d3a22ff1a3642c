#include "gateway/spending/spend.h"

#include "gateway/spending/credential_source.h"
#include "render/quote.h"

namespace approval::gateway {
namespace {

using adapters::Executed;
using base::Code;
using base::JsonObject;

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

std::string HowItIsSaid(std::string_view adapter) {
  const bool mail = adapter == "email" || adapter == "agentmail";
  return (mail ? "sent by " : "done by ") + std::string(adapter);
}

void SayRefusal(const Invocation& call, const Executed& done) {
  if (call.json()) {
    Print(stderr, base::ToText(done.answer));
    return;
  }
  std::string line = "✗ " + std::string(base::Spelling(done.error->code));
  if (const auto own = base::StringMember(done.answer, "adapter_code")) {
    line += " (" + std::string(*own) + ")";
  }
  SayLine(stderr, line + "  " + done.error->message);
}

int Report(const Invocation& call, const Executed& done, std::string_view adapter) {
  if (done.ok) {
    const auto seq = [&](const char* name) { return base::ToText(done.answer.at(name)); };
    const std::string key(*base::StringMember(done.answer, "action_key"));
    return call.Succeed(done.answer, render::QuoteLine(key) + ": " + HowItIsSaid(adapter) +
                                         ", records " + seq("started_seq") + " and " +
                                         seq("outcome_seq"));
  }
  SayRefusal(call, done);
  return done.error->code == Code::kTokenRequired ? 5 : ExitCodeOf(*done.error);
}

// A fact in words; empty for one that says nothing.
std::string Fact(const base::Json& value) {
  std::string words;
  const auto add = [&words](const std::string& part) {
    if (!part.empty()) words += (words.empty() ? "" : ", ") + part;
  };
  if (value.is_string()) return std::string(value.get_string());
  if (const base::JsonArray* list = value.if_array()) {
    for (const base::Json& item : *list) add(Fact(item));
    return words;
  }
  if (const JsonObject* object = value.if_object()) {
    for (const auto& member : *object) add(std::string(member.key()) + " " + Fact(member.value()));
    return words;
  }
  return base::ToText(value);
}

// One line a check, then what would be done.
std::string Words(const Executed& dry) {
  std::string words;
  for (const base::Json& check : dry.answer.at("checks").as_array()) {
    const JsonObject& it = check.as_object();
    const bool ok = it.at("ok").as_bool();
    words += (words.empty() ? "" : "\n") + std::string(ok ? "✓ " : "✗ ") +
             std::string(*base::StringMember(it, "check"));
    if (!ok) words += "  " + std::string(base::StringMember(it, "code").value_or(""));
  }
  const base::Json* preview = dry.answer.if_contains("preview");
  if (preview != nullptr && preview->is_object()) {
    for (const auto& member : preview->get_object()) {
      const std::string fact = Fact(member.value());
      if (fact.empty()) continue;
      words +=
          "\n  " + render::QuoteLine(std::string(member.key())) + "  " + render::QuoteLine(fact);
    }
  }
  return words + "\n" + (dry.ok ? "the run would start" : "the run would be refused") +
         "; nothing was spent";
}

int DryRun(const Invocation& call, const SpendAsk& spend, const adapters::Adapter& adapter,
           const adapters::CredentialSource& source) {
  const gate::GateOptions project{call.LogPath(), call.PolicyPath(), {}};
  const Executed dry = adapters::DryRunThroughAdapter(project, call.clock(), adapter, &source,
                                                      call.random(), spend.ask);
  if (dry.ok) return call.Succeed(dry.answer, Words(dry));
  if (!call.json()) Print(stdout, Words(dry));
  SayRefusal(call, dry);
  return 1;
}

}  // namespace

tl::expected<SpendAsk, int> ReadSpendAsk(const Invocation& call, std::size_t key_at) {
  using Said = tl::unexpected<int>;
  SpendAsk spend;
  const auto key = call.Positional(key_at, "<key>");
  if (!key) return Said(call.Usage(key.error().message));
  spend.dry_run = call.args().Has("dry-run");
  const std::string token = call.args().FlagOr("token", "");
  const bool given_empty = call.args().Has("token") && token.empty();
  if (given_empty ||
      (token.empty() && !spend.dry_run && adapters::LacksToken(call.MakeGate(), *key))) {
    return Said(call.Usage("missing --token <token>"));
  }
  const auto payload_path = call.args().Flag("payload");
  if (!payload_path || payload_path->empty()) {
    return Said(call.Usage("missing --payload <file|->"));
  }
  const auto actor = call.Actor();
  if (!actor) return Said(call.Usage(actor.error().message));
  if (const auto text = call.args().Flag("timeout")) {
    spend.timeout_ms = TimeoutFrom(*text);
    if (!spend.timeout_ms) {
      return Said(call.Usage("--timeout takes a positive whole number of milliseconds"));
    }
  }
  auto payload = call.ReadJsonArgument(*payload_path);
  if (!payload) return Said(call.CommandError(payload.error().code, payload.error().message));
  spend.ask = {*key, *actor, std::nullopt, std::move(*payload)};
  if (!token.empty()) spend.ask.token = base::Secret(token);
  return spend;
}

int Spend(const Invocation& call, const SpendAsk& spend, adapters::Adapter& adapter) {
  const adapters::CredentialSource source = MakeCredentialSource(call);
  if (spend.dry_run) return DryRun(call, spend, adapter, source);
  gate::Gate gate = call.MakeGate();
  return Report(call,
                adapters::ExecuteThroughAdapter(gate, adapter, &source, call.random(), spend.ask),
                adapter.name());
}

}  // namespace approval::gateway
