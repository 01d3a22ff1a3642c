// `approval setup vault` and `setup sampling`: secrets that this program makes itself.

#include <array>

#include "core/base/encoding.h"
#include "core/base/files.h"
#include "gateway/setup/steps.h"
#include "gateway/setup/verbs.h"
#include "gateway/spending/credential_source.h"
#include "render/quote.h"

namespace approval::gateway {
namespace setup {
namespace {

constexpr std::size_t kSecretBytes = 32;
constexpr const char* kSamplingVariable = "APPROVAL_SAMPLING_SECRET";

base::Secret FreshSecret(base::Random& random) {
  const base::Secret bytes(random.Bytes(kSecretBytes));
  return base::Secret(base::Base64Encode(bytes.Reveal()));
}

// Asks, makes and stores one secret. 0 also when the person declined.
int MakeSecret(Session& session, const std::string& variable, const std::string& item,
               std::optional<base::Secret>& made) {
  const auto may = session.MayReplace(variable);
  if (!may) return session.call().Refuse(may.error());
  if (!*may) return session.Aborted();
  if (!**may) {
    session.ask().Say(render::QuoteLine(variable) + " was left alone");
    return 0;
  }
  base::Secret fresh = FreshSecret(session.call().random());
  const auto place = session.StoreSecret(variable, item, fresh);
  if (!place) return session.call().Refuse(place.error());
  if (!*place) {
    session.ask().Say("nothing was written");
    return 0;
  }
  session.ask().Say("✓ a fresh secret for " + render::QuoteLine(variable) + " is " + **place);
  made = std::move(fresh);
  return 0;
}

std::array<std::string, 2> Commands(const std::string& variable, const std::string& item) {
  return {"openssl rand -base64 32 | tr -d '\\n' | secret-tool store --label " + item +
              " approval " + item,
          "(umask 077; echo " + variable + "=secret-service:" + item + " >> .approval/env)"};
}

}  // namespace

int MakePassphrase(Session& session, std::optional<base::Secret>& passphrase) {
  const std::string& variable = session.policy().vault_passphrase_env;
  const std::string path = VaultPathOf(session.call());
  if (base::StateOf(path) != base::FileState::kMissing) {
    session.ask().Say("There is a vault at " + render::QuoteLine(path) +
                      ". With another passphrase it does not open any more; to change the\n"
                      "passphrase of a vault, use approval vault passwd.");
    const auto yes = session.ask().YesNo("Make a new passphrase all the same?", false);
    if (!yes) return session.Aborted();
    if (!*yes) {
      session.ask().Say("left alone");
      return 0;
    }
  }
  return MakeSecret(session, variable, session.items().vault_passphrase, passphrase);
}

}  // namespace setup

int SetupVaultVerb(Invocation& call) {
  setup::Session session(call);
  const auto commands =
      setup::Commands(session.policy().vault_passphrase_env, session.items().vault_passphrase);
  if (const auto refused = setup::RefuseWithoutTerminal(call, commands)) return *refused;
  const auto human = call.HumanActor();
  if (!human) return call.Usage(human.error().message);
  std::optional<base::Secret> made;
  const int exit = setup::MakePassphrase(session, made);
  if (exit != 0 || !made) return exit;
  Print(stdout, "next: eval \"$(approval env)\"   then approval setup adapter email");
  return 0;
}

int SetupSamplingVerb(Invocation& call) {
  setup::Session session(call);
  const auto& named = session.policy().audit.sampling_secret_env;
  const std::string variable = named.value_or(setup::kSamplingVariable);
  const auto commands = setup::Commands(variable, session.items().sampling_secret);
  if (const auto refused = setup::RefuseWithoutTerminal(call, commands)) return *refused;
  const auto human = call.HumanActor();
  if (!human) return call.Usage(human.error().message);
  std::optional<base::Secret> made;
  const int exit = setup::MakeSecret(session, variable, session.items().sampling_secret, made);
  if (exit != 0) return exit;
  if (!named) {
    Print(stdout,
          "sampling stays off until the policy names the secret and a rate:\n"
          "    audit:\n      sampling_secret_env: " +
              variable + "\n      supervised_sample_rate: 0.1\nthen: approval policy attest --as " +
              render::QuoteLine(*human));
    return 0;
  }
  if (made) Print(stdout, "next: eval \"$(approval env)\"");
  return 0;
}

}  // namespace approval::gateway
