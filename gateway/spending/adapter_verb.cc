// `approval adapter email|agentmail|<installed> <key>`: spends an approved action (adapters.md 3,
// docs/adapters.md).
#include "gateway/spending/built_in_adapters.h"
#include "gateway/spending/installed_adapters.h"
#include "gateway/spending/spend.h"
#include "gateway/spending/verbs.h"

namespace approval::gateway {
namespace {

int BuiltInVerb(Invocation& call, std::string_view name) {
  const auto spend = ReadSpendAsk(call, 0);
  if (!spend) return spend.error();
  const auto adapter = MakeBuiltInAdapter(name, call, spend->timeout_ms);
  return Spend(call, *spend, *adapter);
}

}  // namespace

int AdapterEmailVerb(Invocation& call) { return BuiltInVerb(call, "email"); }

int AdapterAgentmailVerb(Invocation& call) { return BuiltInVerb(call, "agentmail"); }

int AdapterVerb(Invocation& call) {
  const auto name = call.Positional(0, "<adapter>");
  if (!name) return call.Usage(UnknownAdapter("", {}));
  if (!adapters::IsInstallableName(*name)) return call.Usage(UnknownAdapter(*name, {}));
  const auto spend = ReadSpendAsk(call, 1);
  if (!spend) return spend.error();
  const gate::Gate gate = call.MakeGate();
  auto grant = adapters::PresentedGrant(gate, spend->ask);
  const auto installed =
      ReadInstalled(call, grant ? std::move(*grant) : adapters::WindowGrant::OfPerson());
  if (!installed) return call.Refuse(installed.error());
  const auto found = installed->find(*name);
  if (found == installed->end()) return call.Usage(UnknownAdapter(*name, *installed));
  if (!found->second) return call.Refuse({base::Code::kValidation, found->second.error()});
  adapters::ProgramManifest manifest = *found->second;
  if (spend->timeout_ms) manifest.timeout_ms = std::min(*spend->timeout_ms, manifest.timeout_ms);
  adapters::ProgramAdapter adapter(std::move(manifest));
  return Spend(call, *spend, adapter);
}

}  // namespace approval::gateway
