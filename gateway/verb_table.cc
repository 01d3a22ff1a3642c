#include "gateway/verb_flags.h"

namespace approval::gateway {
namespace {

std::vector<VerbSpec> MakeTable() {
  std::vector<VerbSpec> table;
  table.push_back({"init",
                   "lay out a project: policy, log folder, queue file, .gitignore",
                   "",
                   0,
                   {kDir},
                   "2 usage, 4 a path of the wrong kind",
                   "ok, dir, written, existing, next_steps"});
  table.push_back({"policy check",
                   "what the policy says about a class",
                   "<class>",
                   1,
                   {kPolicy, kDir, {"reversible", "true|false", "what the action declares"}},
                   "2 usage, 4 unreadable path",
                   "class, reversible, outcome, provenance, manualBecause, loadFailure, matched, "
                   "overridden, candidates, decisionPath"});
  table.push_back(table.back());
  table.back().name = "policy test";
  table.push_back({"policy attest",
                   "put the policy file, as it is now, in force",
                   "",
                   0,
                   {kPolicy, kDir, kAsHuman, kLog},
                   "2 usage, 3 torn log, 4 files",
                   "ok, seq, sha256, path",
                   true});
  table.push_back({"payload hash",
                   "the hash that binds a JSON document",
                   "<file|->",
                   1,
                   {},
                   "2 not JSON, 4 unreadable",
                   "ok, hash"});
  table.push_back({"render payload",
                   "what a person would be shown of a JSON document, and its digest",
                   "<file|->",
                   1,
                   {{"class", "<class>", "the action's class, a part of what is shown"}},
                   "1 cannot be shown, 2 usage or not JSON, 4 unreadable",
                   "ok, renderer, class, kind, payload_hash, display_hash, text"});
  table.push_back({"render",
                   "write QUEUE.md, what waits for an answer, beside the log folder",
                   "",
                   0,
                   {kPolicy, kDir, kLog},
                   "1 corrupt log or cannot write, 2 usage, 3 torn log, 4 files",
                   "ok, out, bytes, head, pending, skipped, audit_backlog, now"});
  table.push_back({"register",
                   "put a task file's actions on record",
                   "<task-file>",
                   1,
                   {kAs, kLog},
                   kRefusals,
                   "ok, seq, task, actions"});
  table.push_back(
      {"request",
       "ask a person for one action",
       "<task>",
       1,
       {{"action", "<key>", "the action's idempotency key"}, kPayload, kAs, kPolicy, kDir, kLog},
       kRefusals,
       "ok, task, action_key, class, autonomy, proceed, requested, seq"});
  table.push_back({"queue",
                   "what waits for an answer",
                   "",
                   0,
                   {kPolicy, kDir, kLog},
                   kRefusals,
                   "ok, pending"});
  table.push_back({"wait",
                   "wait until a task's requests are answered",
                   "<task>",
                   1,
                   {{"timeout", "<duration>", "how long at most, 90s or 2h"},
                    {"interval", "<duration>", "how often to look; default 500ms"},
                    {"withdraw-on-timeout", "", "take pending requests back at the deadline"},
                    kAs,
                    kPolicy,
                    kDir,
                    kLog},
                   "1 rejected or withdrawn, 2 usage, 3 expired, 4 files, 6 timeout",
                   "ok, task, status, actions"});
  table.push_back({"approve",
                   "one question per pending request, at this terminal",
                   "[key]",
                   1,
                   {kAsHuman, kPolicy, kDir, kLog},
                   "1 not approved or refused, 2 usage, 3 torn log, 4 files",
                   "none: it asks at a terminal",
                   true});
  for (const std::string_view name : {"grant", "reject", "revoke"}) {
    const std::string_view summary = name == "grant"    ? "approve a request"
                                     : name == "reject" ? "refuse a request"
                                                        : "take an unspent grant back";
    table.push_back({name,
                     summary,
                     "<key>",
                     1,
                     {kNote, kAsHuman, kPolicy, kDir, kLog},
                     kRefusals,
                     "ok, decision, state, action_key, seq, token",
                     true});
  }
  table.push_back({"withdraw",
                   "take an own request back",
                   "<task>",
                   1,
                   {{"action", "<key>", "the action's key"},
                    {"reason", "timeout|cancelled|superseded", "default cancelled"},
                    kNote,
                    kAs,
                    kPolicy,
                    kDir,
                    kLog},
                   kRefusals,
                   "ok, task, action_key, state, reason, seq"});
  table.push_back({"expire",
                   "put a lapsed request's end on record",
                   "<key>",
                   1,
                   {kPolicy, kDir, kLog},
                   kRefusals,
                   "ok, action_key, actor, seq"});
  table.push_back({"token",
                   "whether a grant's token is live",
                   "<key>",
                   1,
                   {kPolicy, kDir, kLog},
                   kRefusals,
                   "ok, action_key, state, live, token_sha256, grant_seq, class, est_cost_usd, "
                   "payload_hash, task"});
  table.push_back({"consume",
                   "spend a token without running anything",
                   "<key>",
                   1,
                   {{"token", "<token>", "the token of the grant"},
                    {"payload-hash", "<hash>", "hash of the bytes that are acted on"},
                    kAs,
                    kPolicy,
                    kDir,
                    kLog},
                   kRefusals,
                   "ok, action_key, event, seq, token_sha256, grant_seq, class, est_cost_usd, "
                   "payload_hash"});
  table.push_back({"run",
                   "spend a grant and run a command",
                   "<key> -- <command> [args]",
                   1,
                   {{"token", "<token>", "the token; a sealed one is opened by itself"},
                    {"payload-hash", "<hash>", "default: the hash of {argv, cwd}"},
                    kAs,
                    kPolicy,
                    kDir,
                    kLog},
                   "the command's; else 1 refused, 2 usage, 3, 4, 5 token required",
                   "ok, action_key, task, class, autonomy, started_seq, outcome, outcome_seq, "
                   "exit_code, payload_hash (on stderr)",
                   false,
                   false,
                   true});
  table.push_back({"execution resolve",
                   "say how a started action without an outcome ended",
                   "<key>",
                   1,
                   {{"outcome", "completed|failed", "what the person found out"},
                    kNote,
                    kAsHuman,
                    kPolicy,
                    kDir,
                    kLog},
                   kRefusals,
                   "ok, action_key, task, event, outcome, seq, attested_by_human, actor",
                   true});
  table.push_back({"log verify",
                   "prove the whole log",
                   "",
                   0,
                   {kLog, kPolicy, kDir},
                   "1 corrupt, 2 usage, 3 torn tail, 4 unreadable",
                   "status, records, head, anomalies"});
  table.push_back({"log tail",
                   "the last records",
                   "",
                   0,
                   {{"n", "<count>", "how many; default 10"}, kLog},
                   "1 corrupt, 2 usage, 4 unreadable",
                   "status, records"});
  table.push_back({"log show",
                   "one record; of a request also what the approver saw, derived again",
                   "<seq>",
                   1,
                   {kLog},
                   "1 no such record, corrupt, or not what was shown; 2 usage, 4 unreadable",
                   "status, record, shown"});
  table.push_back({"log export",
                   "the records as they are stored",
                   "",
                   0,
                   {kLog},
                   "1 corrupt, 2 usage, 4 unreadable",
                   "records"});
  AddCredentialVerbs(table);
  AddServiceVerbs(table);
  AddAdapterVerbs(table);
  AddSetupVerbs(table);
  return table;
}

}  // namespace

std::span<const VerbSpec> Verbs() {
  static const std::vector<VerbSpec> table = MakeTable();
  return table;
}

}  // namespace approval::gateway
