#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <filesystem>

#include "core/base/canonical.h"
#include "core/base/encoding.h"
#include "core/base/files.h"
#include "gateway/child_environment.h"
#include "gateway/verbs/handlers.h"
#include "render/quote.h"

namespace approval::gateway {
namespace {

using base::Code;
using base::JsonObject;

constexpr int kNotStarted = 127;

std::atomic<pid_t> child_pid{0};

void PassOn(int signal_number) {
  const pid_t child = child_pid.load();
  if (child > 0) ::kill(child, signal_number);
}

// While the child runs a stop signal goes to it; we stay to put its end on record. A terminal sends
// its interrupt to the child by itself.
class SignalsToChild {
 public:
  SignalsToChild() {
    struct sigaction pass {};
    pass.sa_handler = PassOn;
    for (std::size_t i = 0; i < kPassed.size(); ++i) ::sigaction(kPassed[i], &pass, &passed_[i]);
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    for (std::size_t i = 0; i < kIgnored.size(); ++i) {
      ::sigaction(kIgnored[i], &ignore, &ignored_[i]);
    }
  }
  ~SignalsToChild() {
    for (std::size_t i = 0; i < kPassed.size(); ++i) ::sigaction(kPassed[i], &passed_[i], nullptr);
    for (std::size_t i = 0; i < kIgnored.size(); ++i) {
      ::sigaction(kIgnored[i], &ignored_[i], nullptr);
    }
  }
  SignalsToChild(const SignalsToChild&) = delete;
  SignalsToChild& operator=(const SignalsToChild&) = delete;

 private:
  static constexpr std::array kPassed = {SIGTERM, SIGHUP};
  static constexpr std::array kIgnored = {SIGINT, SIGQUIT};
  std::array<struct sigaction, 2> passed_{};
  std::array<struct sigaction, 2> ignored_{};
};

// The child's exit code; 128 and the signal's number; 127 when it could not be started.
int RunChild(const std::vector<std::string>& command, const std::vector<std::string>& environment) {
  std::vector<char*> argv;
  std::vector<char*> envp;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  for (const std::string& entry : environment) envp.push_back(const_cast<char*>(entry.c_str()));
  argv.push_back(nullptr);
  envp.push_back(nullptr);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  for (const int number : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE}) {
    sigaddset(&defaults, number);
  }
  ::posix_spawnattr_setsigdefault(&attributes, &defaults);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  const SignalsToChild guard;
  pid_t child = 0;
  const int failed =
      ::posix_spawnp(&child, argv[0], nullptr, &attributes, argv.data(), envp.data());
  ::posix_spawnattr_destroy(&attributes);
  if (failed != 0) {
    SayLine(stderr, "approval: the command could not be started: " + command.front() + ": " +
                        base::ErrnoText(failed));
    return kNotStarted;
  }
  child_pid = child;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  child_pid = 0;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

base::Result<std::string> ArgvHash(const std::vector<std::string>& command) {
  std::error_code failed;
  const std::string cwd = std::filesystem::current_path(failed).string();
  return base::CanonicalHash(JsonObject{{"argv", base::TextArray(command)}, {"cwd", cwd}});
}

}  // namespace

int RunVerb(Invocation& call) {
  const auto key = call.Positional(0, "<key>");
  if (!key) return call.Usage(key.error().message);
  const std::vector<std::string>& command = call.args().command;
  if (command.empty()) return call.Usage("a command is due behind --");
  const auto actor = call.Actor();
  if (!actor) return call.Usage(actor.error().message);
  std::string hash = call.args().FlagOr("payload-hash", "");
  if (call.args().Has("payload-hash") && !base::IsHex64(hash)) {
    return call.Usage("--payload-hash takes 64 lowercase hex digits");
  }
  if (hash.empty()) {
    const auto made = ArgvHash(command);
    if (!made) return call.Usage("the command cannot be hashed: " + made.error().message);
    hash = *made;
  }
  gate::Gate gate = call.MakeGate();
  const ChildEnvironment environment =
      StripCredentials(gate.LoadPolicy().OrDefaults().vault_passphrase_env);
  gate::StartAsk ask{*key, *actor, std::nullopt, hash, environment.stripped};
  if (const auto token = call.args().Flag("token"); token && !token->empty()) {
    ask.token = base::Secret(*token);
  }
  const auto started = gate.Start(ask);
  if (!started) {
    base::Error error = started.error();
    if (error.code == Code::kTokenRequired || error.details.contains("state")) {
      error.details.erase("state");
    }
    const int exit = call.Refuse(error);
    return error.code == Code::kTokenRequired ? 5 : exit;
  }
  const int exit_code = RunChild(command, environment.entries);
  const gate::Outcome outcome = exit_code == 0 ? gate::Outcome::kCompleted : gate::Outcome::kFailed;
  const auto finished = gate.Finish({*key, *actor, outcome, exit_code, std::nullopt});
  if (!finished) {
    const int refused = call.Refuse(finished.error());
    return exit_code != 0 ? exit_code : refused;
  }
  const JsonObject answer{{"ok", true},
                          {"action_key", started->action_key},
                          {"task", started->task},
                          {"class", started->action_class},
                          {"autonomy", policy::Spelling(started->autonomy)},
                          {"started_seq", started->seq},
                          {"outcome", gate::EventOf(outcome)},
                          {"outcome_seq", *finished},
                          {"exit_code", exit_code},
                          {"payload_hash", started->payload_hash}};
  // stdout belongs to the child.
  if (call.json()) {
    Print(stderr, base::ToText(answer));
  } else {
    Print(stderr, render::QuoteLine(*key) + ": exit " + std::to_string(exit_code) + ", records " +
                      std::to_string(started->seq) + " and " + std::to_string(*finished));
  }
  return exit_code;
}

int ExecutionResolveVerb(Invocation& call) {
  const auto key = call.Positional(0, "<key>");
  if (!key) return call.Usage(key.error().message);
  const std::string outcome = call.args().FlagOr("outcome", "");
  if (outcome != "completed" && outcome != "failed") {
    return call.Usage("--outcome takes completed or failed");
  }
  const std::string note = call.args().FlagOr("note", "");
  if (note.find_first_not_of(" \t\r\n") == std::string::npos) {
    return call.Usage("--note must say what you found out");
  }
  const auto human = call.HumanActor();
  if (!human) return call.Usage(human.error().message);
  const gate::Outcome ended =
      outcome == "completed" ? gate::Outcome::kCompleted : gate::Outcome::kFailed;
  const auto resolved = call.MakeGate().Resolve({*key, *human, ended, note});
  if (!resolved) return call.Refuse(resolved.error());
  return call.Succeed({{"ok", true},
                       {"action_key", *key},
                       {"task", resolved->task},
                       {"event", gate::EventOf(ended)},
                       {"outcome", outcome},
                       {"seq", resolved->seq},
                       {"attested_by_human", true},
                       {"actor", *human}},
                      render::QuoteLine(*key) + " is on record as " + outcome + " at record " +
                          std::to_string(resolved->seq));
}

}  // namespace approval::gateway
