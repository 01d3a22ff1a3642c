// Verbs that redeem tokens through adapters, and those that say which adapters there are.
#include "gateway/verb_flags.h"

namespace approval::gateway {
namespace {

constexpr std::string_view kSpendExits =
    "1 refused, 2 usage, 3 torn log, 4 files, 5 token required";
constexpr std::string_view kSpendJson =
    "ok, adapter, action_key, task, class, autonomy, payload_hash, started_seq, outcome, "
    "outcome_seq, exit_code, detail, provider_ref, redactions; with --dry-run: ok, dry_run, "
    "checks, preview and what is bound";

std::vector<FlagSpec> SpendFlags(std::string_view timeout) {
  return {kPayload,
          {"token", "<token>", "a sealed one is opened by itself"},
          kAs,
          kVault,
          kPolicy,
          kDir,
          kLog,
          {"timeout", "<ms>", timeout},
          {"dry-run", "", "show what would be done and prove the binding; spends nothing"}};
}

}  // namespace

void AddAdapterVerbs(std::vector<VerbSpec>& table) {
  const auto add = [&table](VerbSpec verb) {
    verb.program = Program::kGateway;
    table.push_back(std::move(verb));
  };
  add({"adapter email", "send exactly the mail that was approved", "<key>", 1,
       SpendFlags("for the whole session; default 30000"), kSpendExits, kSpendJson});
  add({"adapter agentmail", "send an approved mail or draft through AgentMail", "<key>", 1,
       SpendFlags("for each call; default 15000"), kSpendExits, kSpendJson});
  add({"adapter", "run an installed adapter on an approved action", "<adapter> <key>", 2,
       SpendFlags("at most what its manifest allows"), kSpendExits, kSpendJson});
  add({"adapter install",
       "let a program act on approved actions",
       "<name> <manifest.json>",
       2,
       {kLog, kVault, kPolicy, kDir, kAsHuman},
       "1 refused, 2 usage, 4 files",
       "ok, name, program, sha256, classes, credentials, created, path",
       true});
  add({"adapter list",
       "built-in and installed adapters",
       "",
       0,
       {kLog, kVault, kPolicy, kDir, kAsHuman},
       "1 refused, 2 usage, 4 files",
       "ok, built_in, installed",
       true});
  add({"adapter uninstall",
       "take a program's permission back",
       "<name>",
       1,
       {kLog, kVault, kPolicy, kDir, kAsHuman},
       "1 refused, 2 usage, 4 files",
       "ok, name, count, path",
       true});
  add({"payload agentmail-draft",
       "an AgentMail draft as the document to approve",
       "<inbox-id> <draft-id>",
       2,
       {{"api-base", "<url>", "default AGENTMAIL_API_BASE, else the service's"}},
       "1 refused, 2 usage or no AGENTMAIL_API_KEY",
       "the canonical document itself"});
}

}  // namespace approval::gateway
