#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>

#include "core/base/duration.h"
#include "gateway/verbs/handlers.h"
#include "render/quote.h"

namespace approval::gateway {
namespace {

using base::Code;
using base::JsonObject;
using gate::State;
using gate::WaitAction;
using SteadyClock = std::chrono::steady_clock;

bool AnyIn(const std::vector<WaitAction>& actions, State state) {
  return std::any_of(actions.begin(), actions.end(),
                     [state](const WaitAction& action) { return action.state == state; });
}

struct Verdict {
  std::string_view status;
  int exit;
};

Verdict VerdictOf(const std::vector<WaitAction>& actions) {
  if (AnyIn(actions, State::kRejected) || AnyIn(actions, State::kRevoked)) return {"rejected", 1};
  if (AnyIn(actions, State::kWithdrawn)) return {"withdrawn", 1};
  if (AnyIn(actions, State::kExpired)) return {"expired", 3};
  return {"granted", 0};
}

base::JsonArray ActionsJson(const std::vector<WaitAction>& actions) {
  base::JsonArray list;
  for (const WaitAction& action : actions) {
    JsonObject item{{"action_key", action.action_key},
                    {"state", gate::Spelling(action.state)},
                    {"seq", action.seq}};
    if (action.note) item["note"] = *action.note;
    // Sealed to this requester: whoever can open it may act on it.
    if (action.token) item["token"] = action.token->Reveal();
    list.push_back(std::move(item));
  }
  return list;
}

std::string Words(std::string_view status, const std::vector<WaitAction>& actions) {
  std::string out(status);
  for (const WaitAction& action : actions) {
    out += "\n  " + render::QuoteLine(action.action_key) + "  " +
           std::string(gate::Spelling(action.state));
    if (action.note) out += "  " + render::QuoteLine(*action.note);
  }
  return out;
}

int TimedOut(Invocation& call, gate::Gate& gate, const std::string& task,
             const std::vector<WaitAction>& actions, const std::string& actor) {
  JsonObject answer{
      {"ok", false}, {"task", task}, {"status", "timeout"}, {"actions", ActionsJson(actions)}};
  if (call.args().Has("withdraw-on-timeout")) {
    base::JsonArray withdrawn;
    for (const WaitAction& action : actions) {
      if (action.state != State::kRequested) continue;
      const auto taken = gate.Withdraw(task, action.action_key, actor, "timeout",
                                       "the asker stopped waiting at its deadline");
      if (taken) {
        withdrawn.push_back(base::Json(action.action_key));
      } else {
        SayLine(stderr, "could not withdraw " + action.action_key + ": " + taken.error().message);
      }
    }
    answer["withdrawn"] = std::move(withdrawn);
  }
  Print(stderr, call.json() ? base::ToText(answer) : Words("timeout", actions));
  return 6;
}

}  // namespace

int WaitVerb(Invocation& call) {
  const auto task = call.Positional(0, "<task>");
  if (!task) return call.Usage(task.error().message);
  const auto timeout = base::ParseDurationMs(call.args().FlagOr("timeout", ""));
  if (!timeout) return call.Usage("--timeout takes a duration such as 90s or 2h");
  const auto interval = base::ParseDurationMs(call.args().FlagOr("interval", "500ms"));
  if (!interval) return call.Usage("--interval takes a duration such as 500ms");
  std::string actor;
  if (call.args().Has("withdraw-on-timeout")) {
    const auto named = call.Actor();
    if (!named) return call.Usage(named.error().message);
    actor = *named;
  }
  gate::Gate gate = call.MakeGate();
  // A deadline beyond what the clock can count is no deadline.
  constexpr std::int64_t kLongest = std::int64_t{365} * 24 * 3'600'000;
  const auto deadline =
      SteadyClock::now() + std::chrono::milliseconds(std::min(*timeout, kLongest));
  for (;;) {
    const auto actions = gate.WaitView(*task);
    if (!actions) {
      base::Error error = actions.error();
      if (error.code == Code::kLogCorrupt) error.code = Code::kLogUnreadable;
      return call.Refuse(error);
    }
    if (!AnyIn(*actions, State::kRequested)) {
      const Verdict verdict = VerdictOf(*actions);
      call.Succeed({{"ok", true},
                    {"task", *task},
                    {"status", verdict.status},
                    {"actions", ActionsJson(*actions)}},
                   Words(verdict.status, *actions));
      return verdict.exit;
    }
    const auto now = SteadyClock::now();
    if (now >= deadline) return TimedOut(call, gate, *task, *actions, actor);
    const auto pause = std::chrono::milliseconds(std::min(*interval, kLongest));
    std::this_thread::sleep_until(std::min<SteadyClock::time_point>(deadline, now + pause));
  }
}

}  // namespace approval::gateway
