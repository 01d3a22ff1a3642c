// `approval setup`: the questions a new project needs, one after the other. What is there already
// is left alone.
#include <array>

#include "gateway/secret_variable.h"
#include "gateway/setup/steps.h"
#include "gateway/setup/verbs.h"
#include "render/quote.h"
#include "vault/vault.h"

namespace approval::gateway {
namespace setup {
namespace {

// The passphrase in hand, a fresh one, or none when the person declined; `exit` when it must end.
std::optional<base::Secret> PassphraseFor(Session& session, int& exit) {
  const std::string& variable = session.policy().vault_passphrase_env;
  if (auto held = SecretVariable(session.call().environment(), variable)) return held;
  const auto line = session.HasLine(variable);
  if (!line) {
    exit = session.call().Refuse(line.error());
    return std::nullopt;
  }
  if (*line) {
    exit = session.call().Usage(variable +
                                " has a source already; run eval \"$(approval env)\" first");
    return std::nullopt;
  }
  session.ask().Say("\nThe vault holds the mailbox's password; its passphrase is made for you.");
  std::optional<base::Secret> made;
  exit = MakePassphrase(session, made);
  return made;
}

int Walk(Session& session) {
  std::string identity;
  if (!session.call().HumanActor()) {
    if (const int exit = AskIdentity(session, identity); exit != 0) return exit;
    if (identity.empty()) {
      return session.call().Usage(
          "APPROVAL_HUMAN has a line already; run eval \"$(approval env)\" first");
    }
  }
  int exit = 0;
  const auto passphrase = PassphraseFor(session, exit);
  if (exit != 0 || !passphrase) return exit;
  session.ask().Say("\nThe mailbox that approved mail is sent from.");
  return AskAdapter(session, "email", *passphrase);
}

}  // namespace
}  // namespace setup

int SetupVerb(Invocation& call) {
  const auto& words = call.args().positionals;
  constexpr const char* kKnown =
      "identity, vault, sampling, channel telegram, adapter <name>, service";
  if (!words.empty()) {
    if (words[0] == "telegram") {
      return call.Usage("that is called `approval setup channel telegram` now");
    }
    return call.Usage(std::string("there is no such part to set up; there are: ") + kKnown);
  }
  const std::array<std::string, 3> commands = {"approval setup identity --help",
                                               "approval setup vault --help",
                                               "approval setup adapter email --help"};
  if (const auto refused = setup::RefuseWithoutTerminal(call, commands)) return *refused;
  setup::Session session(call);
  const int exit = setup::Walk(session);
  if (exit == 0) {
    Print(stdout, "next: eval \"$(approval env)\"   then approval policy attest");
  }
  return exit;
}

}  // namespace approval::gateway
