// `approval adapter install|list|uninstall`: which programs may get credentials, said by a person
// (docs/adapters.md).
#include "gateway/secret_variable.h"
#include "gateway/spending/built_in_adapters.h"
#include "gateway/spending/credential_source.h"
#include "gateway/spending/installed_adapters.h"
#include "gateway/spending/verbs.h"
#include "render/quote.h"
#include "vault/adapters/sealed_program.h"
#include "vault/vault.h"

namespace approval::gateway {
namespace {

using base::Code;
using base::Json;
using base::JsonArray;
using base::JsonObject;

std::string EntryOf(const std::string& name) {
  return std::string(adapters::kInstalledPrefix) + name;
}

std::optional<std::string> WrongName(const std::string& name) {
  if (adapters::IsInstallableName(name)) return std::nullopt;
  return "an adapter's name is lower-case letters, digits and -, and none of " +
         BuiltInAdapterNames() + ", zzz, install, list, uninstall";
}

JsonObject Described(const adapters::ProgramManifest& manifest) {
  std::vector<std::string> settings;
  for (const auto& setting : manifest.credentials) settings.push_back(setting.name);
  return {{"program", manifest.program},
          {"sha256", manifest.sha256},
          {"classes", base::TextArray(manifest.classes)},
          {"credentials", base::TextArray(settings)}};
}

// The manifest with the digest of the program as it is now, or what is wrong.
tl::expected<adapters::ProgramManifest, std::string> WithDigest(const std::string& name,
                                                                const Json& document) {
  auto manifest = adapters::ReadProgramManifest(name, document);
  if (!manifest) return manifest;
  const auto program = adapters::SealedProgram::Copy(manifest->program);
  if (!program) {
    return tl::unexpected(manifest->program + " cannot be installed: " + program.error());
  }
  if (!manifest->sha256.empty() && manifest->sha256 != program->sha256()) {
    return tl::unexpected(manifest->program + " is not the program that the manifest describes: " +
                          "its digest is " + program->sha256());
  }
  manifest->sha256 = program->sha256();
  return manifest;
}

}  // namespace

int AdapterInstallVerb(Invocation& call) {
  const auto name = call.Positional(0, "<name>");
  if (!name) return call.Usage(name.error().message);
  if (const auto wrong = WrongName(*name)) return call.Usage(*wrong);
  const auto path = call.Positional(1, "<manifest.json>");
  if (!path) return call.Usage(path.error().message);
  const auto human = call.HumanActor();
  if (!human) return call.Usage(human.error().message);
  const auto passphrase = VaultPassphrase(call);
  if (!passphrase) return call.Usage(passphrase.error().message);
  const auto document = call.ReadJsonArgument(*path);
  if (!document) return call.CommandError(document.error().code, document.error().message);
  const auto manifest = WithDigest(*name, *document);
  if (!manifest) return call.Usage(manifest.error());
  vault::Vault store(VaultPathOf(call), call.random());
  const auto stored =
      store.Set(EntryOf(*name), base::Secret(base::ToText(ToJson(*manifest))), *passphrase);
  if (!stored) return call.Refuse(stored.error());
  JsonObject answer{{"ok", true}, {"name", *name}};
  for (const auto& member : Described(*manifest)) answer[member.key()] = member.value();
  answer["created"] = stored->created;
  answer["path"] = store.path();
  std::string words = *name + (stored->created ? " installed: " : " replaced: ") +
                      render::QuoteLine(manifest->program) + "\n  sha256 " + manifest->sha256;
  for (const auto& setting : manifest->credentials) {
    words += "\n  next: approval vault set " + render::QuoteLine(setting.name);
  }
  return call.Succeed(answer, words);
}

int AdapterListVerb(Invocation& call) {
  const auto human = call.HumanActor();
  if (!human) return call.Usage(human.error().message);
  const bool present = vault::Vault(VaultPathOf(call), call.random()).Present();
  if (present) {
    if (const auto passphrase = VaultPassphrase(call); !passphrase) {
      return call.Usage(passphrase.error().message);
    }
  }
  const auto installed = ReadInstalled(call, adapters::WindowGrant::OfPerson());
  if (!installed) return call.Refuse(installed.error());
  JsonArray list;
  std::string words = "built in: " + BuiltInAdapterNames();
  for (const auto& [name, manifest] : *installed) {
    JsonObject entry{{"name", name}};
    words += "\n" + name + "  ";
    if (!manifest) {
      entry["problem"] = manifest.error();
      words += render::QuoteLine(manifest.error());
      list.push_back(std::move(entry));
      continue;
    }
    for (const auto& member : Described(*manifest)) entry[member.key()] = member.value();
    const auto program = adapters::SealedProgram::Copy(manifest->program);
    const bool intact = program && program->sha256() == manifest->sha256;
    entry["intact"] = intact;
    words += render::QuoteLine(manifest->program) +
             (intact ? "" : "  ⚠ not the program that was installed");
    list.push_back(std::move(entry));
  }
  return call.Succeed({{"ok", true},
                       {"built_in", base::TextArray(BuiltInAdapters())},
                       {"installed", std::move(list)}},
                      words);
}

int AdapterUninstallVerb(Invocation& call) {
  const auto name = call.Positional(0, "<name>");
  if (!name) return call.Usage(name.error().message);
  if (const auto wrong = WrongName(*name)) return call.Usage(*wrong);
  const auto human = call.HumanActor();
  if (!human) return call.Usage(human.error().message);
  const auto passphrase = VaultPassphrase(call);
  if (!passphrase) return call.Usage(passphrase.error().message);
  vault::Vault store(VaultPathOf(call), call.random());
  const auto left = store.Remove(EntryOf(*name), *passphrase);
  if (!left) return call.Refuse(left.error());
  return call.Succeed({{"ok", true}, {"name", *name}, {"count", *left}, {"path", store.path()}},
                      *name + " uninstalled; its credentials stay in the vault");
}

}  // namespace approval::gateway
