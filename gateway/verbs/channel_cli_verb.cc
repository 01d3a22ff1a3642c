#include <unistd.h>

#include "channels/cli/line_front.h"
#include "channels/cli/screen_front.h"
#include "channels/cli/terminal_channel.h"
#include "gateway/reporter.h"
#include "gateway/runtime.h"
#include "gateway/verbs/handlers.h"
#include "gateway/verbs/terminal_input.h"
#include "render/quote.h"

namespace approval::gateway {
namespace {

namespace cli = channels::cli;
using base::JsonObject;
using channels::QueueView;

bool AtTerminal() { return ::isatty(STDIN_FILENO) != 0; }

base::JsonArray SkippedJson(const QueueView& view) {
  base::JsonArray list;
  for (const gate::Skip& skip : view.skipped) {
    list.push_back(JsonObject{{"action_key", skip.action_key},
                              {"code", base::Spelling(skip.error.code)},
                              {"message", skip.error.message}});
  }
  return list;
}

// Without a terminal nothing is asked: the queue is listed and stdin stays unread.
int ListOnly(const Invocation& call, const QueueView& view) {
  const std::int64_t now = call.clock().NowMs();
  std::string words;
  for (const gate::RequestModel& request : view.requests) {
    const render::Card card = cli::CardOf(request, view, now, 0, 0);
    for (const std::string& line : cli::FramedRows(cli::CardDocument(card), {false, 0})) {
      words += line + "\n";
    }
  }
  for (const gate::Skip& skip : view.skipped) {
    words += "cannot be shown: " + render::QuoteLine(skip.action_key) + "  " +
             std::string(base::Spelling(skip.error.code)) + "\n";
  }
  if (words.empty()) words = "nothing waits for an answer";
  return call.Succeed({{"ok", true},
                       {"channel", "cli"},
                       {"interactive", false},
                       {"pending", cli::TaggedRequests(view, now)},
                       {"skipped", SkippedJson(view)}},
                      words);
}

// A full screen needs a terminal on both sides that knows how to move its cursor.
bool MayFillScreen(const Invocation& call) {
  const auto term = call.environment()("TERM");
  return AtTerminal() && ::isatty(STDOUT_FILENO) != 0 && term && !term->empty() &&
         *term != "dumb" && !call.args().Has("plain");
}

// The runtime that a person at a terminal answers to, after its first look.
class Desk {
 public:
  Desk(Invocation& call, const std::string& human)
      : runtime_({call.LogPath(), call.PolicyPath(), nullptr}, human, call.clock(), call.random(),
                 reporter_) {
    runtime_.SetQuiet(true);
    runtime_.Refresh();
  }

  GatewayRuntime& runtime() { return runtime_; }

 private:
  Reporter reporter_{false};
  GatewayRuntime runtime_;
};

// A session line by line: a person at a terminal. `look` runs while an answer is waited for.
class LineSession {
 public:
  LineSession(const Invocation& call, const std::function<void()>& look)
      : input_(STDIN_FILENO),
        front_(
            [this, look](const std::string& prompt, const std::function<bool()>& over) {
              return input_.Read(prompt, [&look, &over] {
                look();
                return over();
              });
            },
            [](const std::string& line) { Print(stdout, line); },
            {MayPaint(call), TerminalColumns()}) {}

  cli::LineFront& front() { return front_; }

 private:
  TerminalInput input_;
  cli::LineFront front_;
};

struct Ended {
  cli::SessionEnd end;
  int signal = 0;
};

Ended Converse(const Invocation& call, GatewayRuntime& runtime) {
  const bool watch = call.args().Has("watch");
  const cli::SessionOptions options{watch, [&runtime, watch] {
                                      if (watch) runtime.ExpireLapsed();
                                      runtime.Refresh();
                                    }};
  if (!watch && runtime.View()->requests.empty()) Print(stdout, "nothing waits for an answer");
  if (!MayFillScreen(call)) {
    LineSession lines(call, options.look);
    return {cli::RunSession(runtime, lines.front(), call.clock(), options)};
  }
  if (!watch && runtime.View()->requests.empty()) return {};
  cli::ScreenFront front(STDIN_FILENO, STDOUT_FILENO, MayPaint(call), options.look);
  Ended ended{cli::RunSession(runtime, front, call.clock(), options)};
  ended.signal = front.signal();
  return ended;
}

}  // namespace

int ChannelCliVerb(Invocation& call) {
  const auto human = call.HumanActor();
  if (!human) return call.Usage(human.error().message);
  if (call.args().Has("interactive") && (call.json() || !AtTerminal())) {
    return call.Usage("answers are taken from a terminal only, and not with --json");
  }
  Desk desk(call, *human);
  GatewayRuntime& runtime = desk.runtime();
  const auto view = runtime.View();
  if (view->stopped) return call.Refuse(*view->stopped);
  if (call.json() || !AtTerminal()) return ListOnly(call, *view);
  const Ended ended = Converse(call, runtime);
  if (ended.signal != 0) cli::EndBySignal(ended.signal);
  if (ended.end.stopped) return call.Refuse(*ended.end.stopped);
  return ended.end.result.refused > 0 ? 1 : 0;
}

int ApproveVerb(Invocation& call) {
  const auto human = call.HumanActor();
  if (!human) return call.Usage(human.error().message);
  if (call.json() || !AtTerminal()) {
    return call.Usage("approve asks a person at a terminal; without one use `approval grant`");
  }
  Desk desk(call, *human);
  GatewayRuntime& runtime = desk.runtime();
  const auto view = runtime.View();
  if (view->stopped) return call.Refuse(*view->stopped);
  const auto key = call.Positional(0, "<key>");
  LineSession lines(call, [&runtime] { runtime.Refresh(); });
  const auto result = cli::ApproveAll(*view, runtime, lines.front(), call.clock(),
                                      key ? std::optional<std::string>(*key) : std::nullopt);
  if (!result) return call.Refuse(result.error());
  if (key) return result->granted == 1 ? 0 : 1;
  return result->refused > 0 ? 1 : 0;
}

}  // namespace approval::gateway
