// `approval env`: the only verb that gives out what the source map holds (adapters.md 7.2).
//
// Nothing is written anywhere. The block is for `eval`; values are quoted for a shell and for
// nothing else.
#include "core/log/read.h"
#include "core/policy/load.h"
#include "gateway/setup/verbs.h"
#include "render/quote.h"
#include "vault/secrets/instance_id.h"
#include "vault/secrets/variables.h"

namespace approval::gateway {
namespace {

using secrets::Resolved;
using secrets::VariableStatus;

constexpr int kKeystoreDeadlineMs = 20'000;

bool FromFile(const Resolved& one) {
  return one.status != VariableStatus::kSetInEnvironment && one.status != VariableStatus::kUnset;
}

std::string FixFor(const Resolved& one) {
  const std::string& name = one.variable.name;
  if (name == "APPROVAL_HUMAN") return "approval setup identity";
  if (one.refusal) return "see: " + one.refusal->message;
  return "export " + name + "=..., or add a line for it to .approval/env";
}

base::JsonObject Json(const Resolved& one, bool with_value) {
  base::JsonObject made{{"name", one.variable.name},
                        {"status", Spelling(one.status)},
                        {"source", one.source ? base::Json(Spelling(*one.source)) : base::Json()},
                        {"plaintext", one.plaintext},
                        {"declared", one.variable.declared}};
  const bool set = one.status != VariableStatus::kUnset;
  if (set && with_value) made["value"] = one.value.Reveal();
  if (!set) made["fix"] = FixFor(one);
  if (one.refusal) {
    made["refusal"] = base::JsonObject{{"code", base::Spelling(one.refusal->code)},
                                       {"message", one.refusal->message}};
  }
  return made;
}

// Comment text of ours never ends the comment.
std::string Comment(const std::string& text) { return "# " + render::QuoteLine(text) + "\n"; }

std::string Provenance(const std::vector<Resolved>& all, const std::string& home,
                       const std::optional<secrets::SourceMap>& map) {
  std::string names;
  for (const Resolved& one : all) {
    if (FromFile(one)) names += (names.empty() ? "" : ",") + one.variable.name;
  }
  if (names.empty() || !map) return {};
  return "export APPROVAL_ENV_PROVENANCE=" +
         secrets::ShellQuote("1:" + secrets::InstanceId(home) + ":" + map->sha256() + ":" + names) +
         "\n";
}

// One piece after the other, so that no copy of several values is left behind.
void PrintBlock(const std::vector<Resolved>& all, const std::string& home,
                const std::optional<secrets::SourceMap>& map) {
  const auto put = [](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); };
  put(Comment("for a shell: eval \"$(approval env)\""));
  for (const Resolved& one : all) {
    if (one.status == VariableStatus::kUnset) {
      put(Comment(one.variable.name + " is not set: " + FixFor(one)));
      continue;
    }
    const base::Secret quoted(secrets::ShellQuote(one.value.Reveal()));
    put("export " + one.variable.name + "=");
    put(quoted.Reveal());
    put(one.status == VariableStatus::kSetInEnvironment ? "  # already set\n" : "\n");
  }
  put(Provenance(all, home, map));
  std::fflush(stdout);
}

std::string Table(const std::vector<Resolved>& all) {
  std::string table;
  for (const Resolved& one : all) {
    std::string line = one.status == VariableStatus::kUnset ? "– " : "✓ ";
    line += render::QuoteLine(one.variable.name) + "  " + std::string(Spelling(one.status));
    if (one.plaintext) line += "  (a secret in plain text)";
    if (one.variable.declared) line += "  declared";
    if (one.status == VariableStatus::kUnset) {
      line += "\n    fix: " + render::QuoteLine(FixFor(one));
    }
    table += (table.empty() ? "" : "\n") + line;
  }
  return table;
}

}  // namespace

int EnvVerb(Invocation& call) {
  const std::string home = log::HomeOf(call.LogPath());
  const std::string path = secrets::SourceMapPath(call.LogPath());
  const auto map = secrets::ReadSourceMap(path);
  if (!map) return call.Refuse(map.error());
  const auto keystore = secrets::SecretServiceKeystore(kKeystoreDeadlineMs);
  const policy::LoadResult load = policy::LoadPolicy(call.PolicyPath());
  std::vector<Resolved> all;
  bool ok = true;
  for (const secrets::Variable& one : secrets::VariablesOf(load.OrDefaults())) {
    all.push_back(
        secrets::ResolveVariable(one, call.environment(), *map ? &**map : nullptr, keystore.get()));
    if (one.declared && all.back().status == VariableStatus::kUnset) ok = false;
  }
  const bool check = call.args().Has("check");
  if (call.json()) {
    base::JsonArray list;
    for (const Resolved& one : all) list.push_back(Json(one, !check));
    Print(stdout, base::ToText(base::JsonObject{{"ok", ok},
                                                {"path", path},
                                                {"present", map->has_value()},
                                                {"variables", std::move(list)}}));
  } else if (check) {
    Print(stdout, Table(all));
  } else {
    PrintBlock(all, home, *map);
  }
  return check && !ok ? 1 : 0;
}

}  // namespace approval::gateway
