// Rows about credentials: the vault, the source map, the adapters' settings. Nothing is looked up
// in a keystore and nothing is contacted.
#include <set>

#include "core/base/files.h"
#include "gateway/doctor/check.h"
#include "gateway/scaffold.h"
#include "gateway/secret_variable.h"
#include "gateway/spending/built_in_adapters.h"
#include "vault/secrets/instance_id.h"
#include "vault/secrets/variables.h"

namespace approval::gateway::doctor {
namespace {

using base::JoinPath;

constexpr std::size_t kMaxIgnoreBytes = std::size_t{1} << 20;

// Whether a line of the project's .gitignore names the file or a folder around it. Patterns beyond
// these plain ones are not tried: a file that only a clever pattern covers is reported.
bool IsIgnored(const Subject& subject, const std::string& path) {
  const std::string top = base::AbsolutePath(subject.folder) + "/";
  const std::string whole = base::AbsolutePath(path);
  if (whole.rfind(top, 0) != 0) return true;  // outside of the project
  std::set<std::string> covering{base::BaseName(path)};
  for (std::string part = whole.substr(top.size()); !part.empty();) {
    for (const char* tail : {"", "/", "/*", "/**"}) {
      covering.insert(part + tail);
      covering.insert("/" + part + tail);
    }
    const std::size_t slash = part.rfind('/');
    part = slash == std::string::npos ? "" : part.substr(0, slash);
  }
  const auto text = base::ReadFile(JoinPath(subject.folder, ".gitignore"), kMaxIgnoreBytes);
  return text && std::any_of(covering.begin(), covering.end(), [&](const std::string& pattern) {
           return HasIgnoreLine(*text, pattern);
         });
}

}  // namespace

Check Vault(const Subject& subject) {
  constexpr const char* kName = "vault";
  if (!subject.vault_present) return {kName, Status::kSkip, "there is no vault", ""};
  if (!IsIgnored(subject, subject.vault_path)) {
    return {kName, Status::kFail, "git does not ignore " + subject.vault_path,
            "echo '.approval/vault.enc' >> .gitignore   or: approval init"};
  }
  const std::string& variable = subject.policy.OrDefaults().vault_passphrase_env;
  if (!subject.vault_names) {
    return {kName, Status::kFail, variable + " is not set",
            "eval \"$(approval env)\"   or: export " + variable};
  }
  const auto& names = *subject.vault_names;
  if (!names) {
    return {kName, Status::kFail,
            std::string(base::Spelling(names.error().code)) + ": " + names.error().message,
            "approval env --check   to see where " + variable + " comes from"};
  }
  return {kName, Status::kPass, std::to_string(names->size()) + " credentials", ""};
}

Check EnvironmentMap(const Subject& subject) {
  constexpr const char* kName = "environment";
  const std::string path = secrets::SourceMapPath(subject.call.LogPath());
  const auto& map = subject.source_map;
  if (!map) {
    return {kName, Status::kFail,
            std::string(base::Spelling(map.error().code)) + ": " + map.error().message,
            map.error().code == base::Code::kEnvFileMode ? "chmod 600 " + path
                                                         : "approval env --check"};
  }
  if (!*map) return {kName, Status::kSkip, "there is no source map", ""};
  if (!IsIgnored(subject, path)) {
    return {kName, Status::kFail, "git does not ignore " + path,
            "echo '.approval/env' >> .gitignore   or: approval init"};
  }
  std::string unset;
  for (const secrets::Variable& one : secrets::VariablesOf(subject.policy.OrDefaults())) {
    const bool set = SecretVariable(subject.call.environment(), one.name).has_value();
    const secrets::SourceLine* line = (*map)->Find(one.name);
    if (!set && line != nullptr && line->kind == secrets::SourceKind::kKeychain) {
      return {kName, Status::kFail,
              one.name + " comes from keychain:, which this system does not have",
              "approval setup vault   or write a secret-service: line"};
    }
    if (one.secret && line != nullptr && line->kind == secrets::SourceKind::kLiteral) {
      return {kName, Status::kSkip, one.name + " stands in the file in plain text",
              "approval setup vault   on a machine with a keyring"};
    }
    const bool configured = line != nullptr && line->kind != secrets::SourceKind::kEnvironment;
    if (!set && !configured) unset += (unset.empty() ? "" : ", ") + one.name;
  }
  if (!unset.empty()) return {kName, Status::kSkip, "not configured: " + unset, ""};
  return {kName, Status::kPass, std::to_string((*map)->lines().size()) + " lines", ""};
}

Check KeychainScope(const Subject& subject) {
  constexpr const char* kName = "keychain-scope";
  const auto& map = subject.source_map;
  if (!map || !*map) return {kName, Status::kSkip, "no keystore line is read", ""};
  const std::string id = secrets::InstanceId(subject.home);
  std::string detail;
  bool foreign = false;
  for (const secrets::SourceLine& line : (*map)->lines()) {
    if (line.kind != secrets::SourceKind::kSecretService) continue;
    std::string word;
    switch (secrets::ScopeOf(std::string(line.argument.Reveal()), id)) {
      case secrets::ItemScope::kMine:
        word = "mine";
        break;
      case secrets::ItemScope::kLegacy:
        word = "legacy";
        break;
      case secrets::ItemScope::kOtherInstance:
        word = "other-instance";
        foreign = true;
        break;
      case secrets::ItemScope::kUnknown:
        word = "unknown";
        break;
    }
    detail += (detail.empty() ? "" : ", ") + line.key + " " + word;
  }
  if (detail.empty()) return {kName, Status::kSkip, "no keystore line", ""};
  if (foreign) {
    return {kName, Status::kFail, detail + "; an item of another project is used here",
            "approval setup vault   or approval setup channel telegram"};
  }
  return {kName, Status::kPass, detail, ""};
}

std::vector<Check> Adapters(const Subject& subject) {
  std::vector<Check> rows;
  const bool readable = subject.vault_names && subject.vault_names->has_value();
  for (const std::string& name : BuiltInAdapters()) {
    const std::string row = "adapter-" + name;
    const auto adapter = MakeBuiltInAdapter(name, subject.call);
    if (!readable) {
      rows.push_back({row, Status::kSkip, "the vault gives no names", ""});
      continue;
    }
    const std::set<std::string, std::less<>> held((*subject.vault_names)->begin(),
                                                  (*subject.vault_names)->end());
    std::string missing;
    bool any = false;
    for (const adapters::CredentialSpec& spec : adapter->manifest()) {
      const bool stored = held.contains(spec.name);
      any = any || stored;
      if (!stored && spec.required && spec.fallback.empty()) {
        missing += (missing.empty() ? "" : ", ") + std::string(spec.name);
      }
    }
    if (!any) {
      rows.push_back({row, Status::kSkip, "not set up", ""});
    } else if (!missing.empty()) {
      rows.push_back({row, Status::kFail, "missing: " + missing, "approval setup adapter " + name});
    } else {
      rows.push_back({row, Status::kPass, "its settings are stored", ""});
    }
  }
  return rows;
}

Check SecretMemory(const Subject&) {
  const base::Secret probe("probe of the memory that secrets lie in");
  if (probe.locked()) {
    return {"secret-memory", Status::kPass, "secrets lie in locked memory, outside core files", ""};
  }
  return {"secret-memory", Status::kSkip, "this system gives no locked memory; secrets are cleared",
          "ulimit -l 8192"};
}

}  // namespace approval::gateway::doctor
