#include "gateway/verb.h"

namespace approval::gateway {
namespace {

constexpr FlagSpec kAs{"as", "<actor>", "who acts: human:<id> or agent:<id>"};
constexpr FlagSpec kAsHuman{"as", "human:<id>", "the person; default APPROVAL_HUMAN"};
constexpr FlagSpec kLog{"log", "<file>", "the log; default .approval/log/events.jsonl"};
constexpr FlagSpec kPolicy{"policy", "<file>", "the policy file; beats --dir"};
constexpr FlagSpec kDir{"dir", "<folder>", "where APPROVAL.md is; default here"};
constexpr FlagSpec kNote{"note", "<text>", "words that go on record"};
constexpr FlagSpec kVault{"vault", "<file>", "the vault; default beside the log folder"};
constexpr FlagSpec kPayload{"payload", "<file|->", "the JSON document to bind; - reads stdin"};

constexpr std::string_view kRefusals = "1 refused, 2 usage, 3 torn log, 4 files";

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
  table.push_back({"log export",
                   "the records as they are stored",
                   "",
                   0,
                   {kLog},
                   "1 corrupt, 2 usage, 4 unreadable",
                   "records"});
  table.push_back({"vault set",
                   "store a credential (value on stdin)",
                   "<name>",
                   1,
                   {{"value-env", "<variable>", "take the value from this variable"},
                    kLog,
                    kVault,
                    kPolicy,
                    kDir,
                    kAsHuman},
                   "1 refused, 2 usage, 4 files",
                   "ok, name, created, count, path",
                   true,
                   true});
  table.push_back({"vault list",
                   "names of stored credentials",
                   "",
                   0,
                   {kLog, kVault, kPolicy, kDir, kAsHuman},
                   "1 refused, 2 usage, 4 files",
                   "ok, present, path, count, names",
                   true});
  table.push_back({"vault remove",
                   "remove a credential",
                   "<name>",
                   1,
                   {kLog, kVault, kPolicy, kDir, kAsHuman},
                   "1 refused, 2 usage, 4 files",
                   "ok, name, count, path",
                   true});
  table.push_back({"vault get",
                   "says why no verb reads a credential back",
                   "",
                   8,
                   {kLog, kVault, kPolicy, kDir, kAsHuman},
                   "2 always",
                   "none",
                   true,
                   true});
  table.back().hidden = true;
  table.push_back(
      {"up",
       "run the gateway: watch the log, ask on every channel",
       "",
       0,
       {kAsHuman,
        kLog,
        kPolicy,
        kDir,
        {"port", "<port>", "of the page; 0 takes a free one"},
        {"no-web", "", "without the page"},
        {"no-telegram", "", "without Telegram"},
        {"no-login-link", "", "do not print the login link (for services)"},
        {"open", "", "open the page in a browser"},
        {"api-base", "<url>", "a Bot API server of your own"},
        {"poll-timeout", "<seconds>", "of a Telegram poll; default 25"},
        {"send-rate", "<number>", "messages a second; more than 1 for an own server only"},
        {"restart-backoff", "<duration>", "first pause before a part restarts; 1s"}},
       "1 corrupt log, 2 usage, 3 torn log, 4 files",
       "one object per line",
       true});
  table.back().program = Program::kGateway;
  table.push_back({"channel cli",
                   "answer requests at this terminal",
                   "",
                   0,
                   {kAsHuman,
                    kLog,
                    kPolicy,
                    kDir,
                    {"interactive", "", "prompt even when stdin is no terminal"},
                    {"watch", "", "stay and wait for new requests"}},
                   "1 refused, 2 usage, 3 torn log, 4 files",
                   "ok, channel, interactive, pending, skipped",
                   true});
  table.push_back({"channel web",
                   "serve the page alone",
                   "",
                   0,
                   {kAsHuman,
                    kLog,
                    kPolicy,
                    kDir,
                    {"port", "<port>", "0 takes a free one"},
                    {"open", "", "open the page in a browser"}},
                   "1 refused, 2 usage, 3 torn log, 4 files",
                   "one object per line",
                   true});
  table.back().program = Program::kGateway;
  table.push_back({"channel web link",
                   "print a fresh login link of the running page",
                   "",
                   0,
                   {kLog},
                   "1 not running, 2 usage",
                   "ok, login",
                   true});
  table.back().program = Program::kGateway;
  table.push_back(
      {"channel telegram listen",
       "answer requests on Telegram alone",
       "",
       0,
       {kAsHuman,
        kLog,
        kPolicy,
        kDir,
        {"api-base", "<url>", "a Bot API server of your own"},
        {"poll-timeout", "<seconds>", "default 25"},
        {"send-rate", "<number>", "messages a second; more than 1 for an own server only"}},
       "1 refused, 2 usage, 3 torn log, 4 files",
       "one object per line",
       true});
  table.back().program = Program::kGateway;
  table.push_back({"channel telegram health",
                   "whether Telegram is configured",
                   "",
                   0,
                   {kPolicy, kDir},
                   "1 not configured, 2 usage",
                   "ok, channel, token_env, token_set, chat_env, chat_id"});
  table.back().program = Program::kGateway;
  table.push_back({"adapter email",
                   "send exactly the mail that was approved",
                   "<key>",
                   1,
                   {kPayload,
                    {"token", "<token>", "a sealed one is opened by itself"},
                    kAs,
                    kVault,
                    kPolicy,
                    kDir,
                    kLog,
                    {"timeout", "<ms>", "for the whole session; default 30000"}},
                   "1 refused, 2 usage, 3 torn log, 4 files, 5 token required",
                   "ok, adapter, action_key, task, class, autonomy, payload_hash, started_seq, "
                   "outcome, outcome_seq, exit_code, detail, redactions"});
  table.back().program = Program::kGateway;
  return table;
}

}  // namespace

std::span<const VerbSpec> Verbs() {
  static const std::vector<VerbSpec> table = MakeTable();
  return table;
}

}  // namespace approval::gateway
