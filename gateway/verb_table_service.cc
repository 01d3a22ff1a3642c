// Verbs of the running gateway and its channels.
#include "gateway/verb_flags.h"

namespace approval::gateway {

void AddServiceVerbs(std::vector<VerbSpec>& table) {
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
                    {"interactive", "", "an error instead of a list where there is no terminal"},
                    {"plain", "", "line by line, no full screen"},
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
}

}  // namespace approval::gateway
