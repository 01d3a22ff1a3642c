#include "gateway/spending/installed_adapters.h"

#include <vector>

#include "gateway/spending/built_in_adapters.h"
#include "gateway/spending/credential_source.h"
#include "vault/vault.h"

namespace approval::gateway {
namespace {

tl::expected<adapters::ProgramManifest, std::string> Parse(const std::string& name,
                                                           std::string_view text) {
  const auto document = base::ParseJson(text, base::kStrictJson);
  const std::string again = "; install it again with `approval adapter install " + name + "`";
  if (!document) return tl::unexpected("the manifest in the vault is not JSON" + again);
  auto manifest = adapters::ReadProgramManifest(name, *document);
  if (!manifest) return tl::unexpected("the manifest in the vault: " + manifest.error() + again);
  if (manifest->sha256.empty()) {
    return tl::unexpected("the manifest in the vault names no digest" + again);
  }
  return manifest;
}

}  // namespace

base::Result<InstalledAdapters> ReadInstalled(const Invocation& call, adapters::WindowGrant grant) {
  InstalledAdapters installed;
  const adapters::CredentialSource source = MakeCredentialSource(call);
  if (!vault::Vault(source.vault_path, call.random()).Present()) return installed;
  adapters::CredentialWindow window(&source, call.random(), std::move(grant));
  // Opens the vault; the names are known only then.
  const auto opened = window.Find(adapters::kInstalledPrefix);
  if (!opened) return tl::unexpected(opened.error());
  std::vector<std::string> entries;
  for (const auto& entry : window.entries()) {
    if (entry.first.rfind(adapters::kInstalledPrefix, 0) == 0) entries.push_back(entry.first);
  }
  for (const std::string& entry : entries) {
    const std::string name = entry.substr(adapters::kInstalledPrefix.size());
    if (!adapters::IsInstallableName(name)) continue;
    const auto text = window.Get(entry);
    if (text) installed.emplace(name, Parse(name, *text));
  }
  window.Close();
  return installed;
}

std::string UnknownAdapter(std::string_view name, const InstalledAdapters& installed) {
  std::string known = BuiltInAdapterNames();
  for (const auto& [one, manifest] : installed) known += ", " + one;
  const std::string which =
      name.empty() ? "which adapter?" : "there is no adapter \"" + std::string(name) + "\":";
  return which + " known are " + known + "; `approval adapter install` adds a program";
}

}  // namespace approval::gateway
