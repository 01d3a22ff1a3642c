// `approval setup adapter <name>`: credentials into the vault, proved by a probe.
#include <algorithm>
#include <vector>

#include "gateway/secret_variable.h"
#include "gateway/setup/adapter_questions.h"
#include "gateway/setup/presets.h"
#include "gateway/setup/steps.h"
#include "gateway/setup/verbs.h"
#include "gateway/spending/built_in_adapters.h"
#include "gateway/spending/credential_source.h"
#include "render/quote.h"
#include "vault/vault.h"

namespace approval::gateway {
namespace setup {
namespace {

// Names that the vault holds; none when there is no vault yet.
base::Result<std::set<std::string, std::less<>>> StoredNames(const vault::Vault& vault,
                                                             const base::Secret& passphrase) {
  std::set<std::string, std::less<>> names;
  if (!vault.Present()) return names;
  const auto list = vault.List(passphrase);
  if (!list) return tl::unexpected(list.error());
  names.insert(list->begin(), list->end());
  return names;
}

// A provider's host, port and security. Nothing when the person left.
std::optional<Questions> WithPreset(Dialogue& ask, Questions questions) {
  if (questions.adapter.name() != "email" || questions.stored.contains("smtp.host")) {
    return questions;
  }
  const auto presets = MailPresets();
  ask.Say("Where is the mailbox?");
  for (std::size_t i = 0; i < presets.size(); ++i) {
    ask.Say("  " + std::to_string(i + 1) + "  " + std::string(presets[i].name));
  }
  const auto picked =
      ask.Ask("Number: ", [&](const std::string& answer) -> std::optional<std::string> {
        for (std::size_t i = 1; i <= presets.size(); ++i) {
          if (answer == std::to_string(i)) return std::nullopt;
        }
        return "write a number from 1 to " + std::to_string(presets.size());
      });
  if (!picked) return std::nullopt;
  const MailPreset& preset = presets[std::stoul(*picked) - 1];
  if (!preset.remark.empty()) ask.Say(preset.remark);
  if (!preset.host.empty()) questions.suggested["smtp.host"] = preset.host;
  questions.suggested["smtp.port"] = preset.port;
  questions.suggested["smtp.security"] = preset.security;
  if (preset.name == "Proton Mail Bridge") questions.suggested["smtp.ca_file"] = "";
  questions.every_setting = preset.name.substr(0, 7) == "Outlook";
  return questions;
}

// Why the set of names, old and new, cannot work together.
std::optional<std::string> CrossCheck(const Answers& answers,
                                      const std::set<std::string, std::less<>>& stored) {
  const auto has = [&](const char* name) {
    return answers.contains(name) || stored.contains(name);
  };
  const bool token = has("smtp.oauth_token");
  if (has("smtp.user") != (has("smtp.password") || token)) {
    return "a user and a password go together: give both or neither";
  }
  return std::nullopt;
}

std::string UndoLines(const Answers& answers) {
  std::string lines;
  for (const auto& [name, value] : answers) lines += "\n    approval vault remove " + name;
  return lines;
}

vault::Entries Copies(const Answers& answers) {
  vault::Entries entries;
  for (const auto& [name, value] : answers) entries.emplace(name, value.Copy());
  return entries;
}

int Probe(Session& session, adapters::Adapter& adapter, adapters::CredentialWindow& window,
          const Answers& answers) {
  session.ask().Say("connecting ...");
  const auto probed = adapter.Probe(window);
  window.Close();
  if (!probed) {
    session.ask().Say("this adapter has no probe; not verified");
    return 0;
  }
  if (*probed) {
    session.ask().Say("✓ " + render::QuoteLine((*probed)->summary));
    for (const std::string& warning : (*probed)->warnings) {
      session.ask().Say("⚠ " + render::QuoteLine(warning));
    }
    return 0;
  }
  const adapters::ProbeFailed& failed = probed->error();
  SayLine(stderr, "✗ " + failed.code + "  " + failed.message);
  if (!failed.advice.empty()) SayLine(stderr, "  fix: " + failed.advice);
  Print(stderr, "The values stay stored. Run this again to replace them, or take them back with" +
                    UndoLines(answers));
  return 1;
}

int OfferProbe(Session& session, adapters::Adapter& adapter, const Answers& answers,
               const base::Secret& passphrase, bool everything_in_hand) {
  const char* question = "Connect now and prove it? Nothing is sent.";
  const auto go = everything_in_hand ? session.ask().YesNo(question, true)
                                     : session.ask().YesNoUntilClear(question, true);
  if (!go || !*go) {
    session.ask().Say("not verified");
    return 0;
  }
  if (everything_in_hand) {
    adapters::CredentialWindow window(Copies(answers));
    return Probe(session, adapter, window, answers);
  }
  adapters::CredentialSource source = MakeCredentialSource(session.call());
  source.passphrase = [&]() -> std::optional<base::Secret> { return passphrase.Copy(); };
  adapters::CredentialWindow window(&source, session.call().random(),
                                    adapters::WindowGrant::OfPerson());
  return Probe(session, adapter, window, answers);
}

}  // namespace

int AskAdapter(Session& session, const std::string& name, const base::Secret& passphrase) {
  Invocation& call = session.call();
  const auto adapter = MakeBuiltInAdapter(name, call);
  vault::Vault vault(VaultPathOf(call), call.random());
  // The vault opens before anything is asked: no password is typed in vain.
  const auto stored = StoredNames(vault, passphrase);
  if (!stored) return call.Refuse(stored.error());
  auto questions = WithPreset(session.ask(), Questions{*adapter, *stored, {}, false});
  if (!questions) return session.Aborted();
  if (!questions->every_setting) questions->every_setting = call.args().Has("all");
  const auto answers = AskSettings(session.ask(), *questions);
  if (!answers) return session.Aborted();
  if (name == "email") {
    if (const auto reason = CrossCheck(*answers, *stored)) return call.Usage(*reason);
  }
  if (answers->empty()) {
    session.ask().Say("nothing to store");
    return 0;
  }
  if (const auto set = vault.SetAll(Copies(*answers), passphrase); !set) {
    return call.Refuse(set.error());
  }
  for (const adapters::CredentialSpec& spec : adapter->manifest()) {
    if (!answers->contains(spec.name)) continue;
    session.ask().Say("✓ " + render::QuoteLine(spec.name) + " is in the vault");
  }
  const bool kept =
      std::any_of(adapter->manifest().begin(), adapter->manifest().end(),
                  [&](const adapters::CredentialSpec& spec) {
                    return stored->contains(spec.name) && !answers->contains(spec.name);
                  });
  return OfferProbe(session, *adapter, *answers, passphrase, !kept);
}

}  // namespace setup

int SetupAdapterVerb(Invocation& call) {
  const auto name = call.Positional(0, "<adapter>");
  const std::string known = "the adapters to set up are: " + BuiltInAdapterNames();
  if (!name) return call.Usage("which adapter? " + known);
  const auto adapter = MakeBuiltInAdapter(*name, call);
  if (adapter == nullptr) return call.Usage("there is no adapter of that name; " + known);
  std::vector<std::string> commands;
  for (const adapters::CredentialSpec& spec : adapter->manifest()) {
    if (spec.rare) continue;
    std::string variable(spec.name);
    std::transform(variable.begin(), variable.end(), variable.begin(), [](char c) {
      return c == '.' ? '_' : c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    commands.push_back("approval vault set " + std::string(spec.name) + " --value-env " + variable);
  }
  if (const auto refused = setup::RefuseWithoutTerminal(call, commands)) return *refused;
  const auto human = call.HumanActor();
  if (!human) return call.Usage(human.error().message);
  setup::Session session(call);
  const std::string& variable = session.policy().vault_passphrase_env;
  const auto passphrase = SecretVariable(call.environment(), variable);
  if (!passphrase) {
    const auto line = session.HasLine(variable);
    const bool mapped = line && *line;
    return call.Usage(variable + " is not set; run " +
                      (mapped ? "eval \"$(approval env)\"" : "approval setup vault") + " first");
  }
  const int exit = setup::AskAdapter(session, *name, *passphrase);
  if (exit == 0) Print(stdout, "next: approval policy attest   then register and request");
  return exit;
}

}  // namespace approval::gateway
