#include "vault/secrets/variables.h"

#include <algorithm>
#include <set>

namespace approval::secrets {
namespace {

using base::Code;
using base::Error;

bool IsShellName(std::string_view name) {
  const auto letter = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
  };
  return !name.empty() && letter(name.front()) &&
         std::all_of(name.begin(), name.end(),
                     [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

// Every string below a key that ends in `_env`.
void Collect(const base::Json& value, std::set<std::string>& names) {
  if (const base::JsonArray* list = value.if_array()) {
    for (const base::Json& one : *list) Collect(one, names);
  }
  const base::JsonObject* object = value.if_object();
  if (object == nullptr) return;
  for (const auto& member : *object) {
    const std::string_view key = member.key();
    const auto* text = member.value().if_string();
    const bool named = key.size() >= 4 && key.substr(key.size() - 4) == "_env";
    if (named && text != nullptr && !text->empty()) {
      names.emplace(text->data(), text->size());
    } else {
      Collect(member.value(), names);
    }
  }
}

base::Result<base::Secret> FromKeystore(const SourceLine& line, Keystore* keystore) {
  if (keystore == nullptr || keystore->kind() != line.kind) {
    return base::Fail(Code::kHelperBinaryMissing, "this machine has no keystore for " +
                                                      std::string(Spelling(line.kind)) + ": lines");
  }
  return keystore->Lookup(std::string(line.argument.Reveal()));
}

}  // namespace

std::vector<Variable> VariablesOf(const policy::Policy& policy) {
  std::set<std::string> declared;
  Collect(policy.source, declared);
  std::vector<Variable> list;
  const auto add = [&](const std::string& name, bool secret) {
    const bool known = std::any_of(list.begin(), list.end(),
                                   [&](const Variable& one) { return one.name == name; });
    if (!known) list.push_back({name, declared.contains(name), secret});
  };
  add("APPROVAL_HUMAN", false);
  add(policy.channels.telegram.token_env, true);
  add(policy.channels.telegram.chat_id_env, false);
  add(policy.vault_passphrase_env, true);
  if (policy.audit.sampling_secret_env) add(*policy.audit.sampling_secret_env, true);
  for (const std::string& name : declared) add(name, true);
  return list;
}

std::string_view Spelling(VariableStatus status) {
  switch (status) {
    case VariableStatus::kSetInEnvironment:
      return "set-in-environment";
    case VariableStatus::kResolvedLiteral:
      return "resolved-literal";
    case VariableStatus::kResolvedFromKeychain:
      return "resolved-from-keychain";
    case VariableStatus::kResolvedFromSecretService:
      return "resolved-from-secret-service";
    case VariableStatus::kUnset:
      return "unset";
  }
  return "";
}

Resolved ResolveVariable(const Variable& variable, const Lookup& environment, const SourceMap* map,
                         Keystore* keystore) {
  Resolved made;
  made.variable = variable;
  if (!IsShellName(variable.name)) {
    made.refusal =
        Error{Code::kInvalidVariableName, "the policy names a variable that no shell can hold"};
    return made;
  }
  if (auto value = environment(variable.name); value && !value->empty()) {
    made.status = VariableStatus::kSetInEnvironment;
    made.value = base::Secret(std::move(*value));
    return made;
  }
  const SourceLine* line = map != nullptr ? map->Find(variable.name) : nullptr;
  if (line == nullptr) return made;
  made.source = line->kind;
  if (line->kind == SourceKind::kEnvironment) return made;
  if (line->kind == SourceKind::kLiteral) {
    made.status = VariableStatus::kResolvedLiteral;
    made.plaintext = variable.secret;
    made.value = line->argument.Copy();
    return made;
  }
  auto found = FromKeystore(*line, keystore);
  if (!found) {
    made.refusal = found.error();
    return made;
  }
  made.status = line->kind == SourceKind::kKeychain ? VariableStatus::kResolvedFromKeychain
                                                    : VariableStatus::kResolvedFromSecretService;
  made.value = std::move(*found);
  return made;
}

std::optional<base::Secret> FallbackPassphrase(const std::string& source_map_path,
                                               const std::string& variable, Keystore* keystore) {
  const auto map = ReadSourceMap(source_map_path);
  if (!map || !*map) return std::nullopt;
  const SourceLine* line = (*map)->Find(variable);
  if (line == nullptr || line->kind == SourceKind::kEnvironment) return std::nullopt;
  if (line->kind == SourceKind::kLiteral) return line->argument.Copy();
  auto found = FromKeystore(*line, keystore);
  if (!found) return std::nullopt;
  return std::move(*found);
}

}  // namespace approval::secrets
