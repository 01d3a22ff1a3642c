// Verbs that set a project up and look after it.
#include "gateway/verb_flags.h"

namespace approval::gateway {

void AddSetupVerbs(std::vector<VerbSpec>& table) {
  const auto add = [&table](VerbSpec verb) {
    verb.program = Program::kGateway;
    table.push_back(std::move(verb));
  };
  constexpr std::string_view kExits = "1 refused, 2 usage or left, 4 files or keystore";
  constexpr std::string_view kNoJson = "none: it asks at a terminal";
  const FlagSpec api_base{"api-base", "<url>", "a server of your own"};
  add({"setup",
       "walk through identity, vault and mailbox",
       "",
       1,
       {kAsHuman, kLog, kVault, kPolicy, kDir, {"all", "", "ask for every setting"}},
       kExits,
       kNoJson,
       true});
  add({"setup identity",
       "say who you are",
       "",
       0,
       {kLog, kPolicy, kDir, kAsHuman},
       kExits,
       kNoJson});
  add({"setup vault",
       "make the vault's passphrase and keep it in the keyring",
       "",
       0,
       {kAsHuman, kLog, kVault, kPolicy, kDir},
       kExits,
       kNoJson,
       true});
  add({"setup sampling",
       "make the secret that draws samples",
       "",
       0,
       {kAsHuman, kLog, kPolicy, kDir},
       kExits,
       kNoJson,
       true});
  add({"setup channel", "set up a channel: telegram", "<channel>", 1, {}, kExits, kNoJson});
  table.back().hidden = true;
  add({"setup channel telegram",
       "connect a Telegram bot and pick its chat",
       "",
       0,
       {kAsHuman, kLog, kPolicy, kDir, api_base},
       kExits,
       kNoJson,
       true});
  add({"setup adapter",
       "store what an adapter needs in the vault, and prove it",
       "<adapter>",
       1,
       {kAsHuman, kLog, kVault, kPolicy, kDir, {"all", "", "ask for every setting"}, api_base},
       kExits,
       kNoJson,
       true});
  add({"setup service",
       "write a service definition that runs `approval up`",
       "",
       0,
       {kAsHuman,
        kPolicy,
        kDir,
        kLog,
        {"platform", "systemd|launchd", "default systemd"},
        {"label", "<name>", "name of the service"},
        {"logs", "<folder>", "where its output goes"},
        {"env-file", "<file>", "variables from this file instead of `approval env`"},
        {"exec", "<file>", "the approval to run"},
        {"out", "<file>", "where the definition goes"},
        {"uninstall", "", "remove it"}},
       kExits,
       kNoJson,
       true});
  add({"env",
       "print the project's variables for a shell, or check them",
       "",
       0,
       {kLog, kPolicy, kDir, {"check", "", "a table without values; exit 1 when one is missing"}},
       "1 a declared variable is unset (--check), or the source map is refused; 2 usage; 4 files",
       "ok, path, present, variables"});
  add({"doctor",
       "check the whole installation and say how to repair it",
       "",
       0,
       {kLog,
        kPolicy,
        kDir,
        kVault,
        api_base,
        {"tasks", "<folder>", "task files, to check their envelopes"},
        {"port", "<port>", "of the page"},
        {"verbose", "", "accepted; every check is shown anyway"}},
       "1 a check failed, 2 usage",
       "ok, checks"});
}

}  // namespace approval::gateway
