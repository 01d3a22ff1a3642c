#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "channels/cli/terminal_channel.h"
#include "gateway/reporter.h"
#include "gateway/runtime.h"
#include "gateway/verbs/handlers.h"
#include "gateway/verbs/terminal_input.h"
#include "render/quote.h"

namespace approval::gateway {
namespace {

using base::JsonObject;
using channels::QueueView;

constexpr auto kLook = std::chrono::milliseconds(250);

base::JsonArray SkippedJson(const QueueView& view) {
  base::JsonArray list;
  for (const gate::Skip& skip : view.skipped) {
    list.push_back(JsonObject{{"action_key", skip.action_key},
                              {"code", base::Spelling(skip.error.code)},
                              {"message", skip.error.message}});
  }
  return list;
}

bool AllSeen(const QueueView& view, const std::vector<std::string>& seen) {
  return std::all_of(
      view.requests.begin(), view.requests.end(), [&](const gate::RequestModel& request) {
        return std::find(seen.begin(), seen.end(), request.chain.value.hash) != seen.end();
      });
}

// Without a terminal nothing is asked: the queue is listed and stdin stays unread.
int ListOnly(const Invocation& call, const QueueView& view) {
  const std::int64_t now = call.clock().NowMs();
  std::string words;
  for (const gate::RequestModel& request : view.requests) {
    const render::Card card = render::BuildCard(request, now, {});
    for (const std::string& line : channels::cli::CardText(card, {})) words += line + "\n";
  }
  for (const gate::Skip& skip : view.skipped) {
    words += "cannot be shown: " + render::QuoteLine(skip.action_key) + "  " +
             std::string(base::Spelling(skip.error.code)) + "\n";
  }
  if (words.empty()) words = "nothing waits for an answer";
  return call.Succeed({{"ok", true},
                       {"channel", "cli"},
                       {"interactive", false},
                       {"pending", channels::cli::TaggedRequests(view, now)},
                       {"skipped", SkippedJson(view)}},
                      words);
}

}  // namespace

int ChannelCliVerb(Invocation& call) {
  const auto human = call.HumanActor();
  if (!human) return call.Usage(human.error().message);
  Reporter reporter(false);
  base::SystemClock clock;
  GatewayRuntime runtime({call.LogPath(), call.PolicyPath(), nullptr}, *human, clock, call.random(),
                         reporter);
  runtime.SetQuiet(true);
  runtime.Refresh();
  auto view = runtime.View();
  if (view->stopped) return call.Refuse(*view->stopped);
  const bool interactive =
      !call.json() && (::isatty(STDIN_FILENO) != 0 || call.args().Has("interactive"));
  if (!interactive) return ListOnly(call, *view);

  channels::cli::Style style;
  style.color = ::isatty(STDOUT_FILENO) != 0 && !call.environment()("NO_COLOR");
  TerminalInput input(STDIN_FILENO);
  const channels::cli::ReadLine read = [&](const std::string& prompt,
                                           const std::function<bool()>& over) {
    return input.Read(prompt, [&] {
      runtime.Refresh();
      return over();
    });
  };
  const channels::cli::WriteLine write = [](const std::string& line) { Print(stdout, line); };
  const bool watch = call.args().Has("watch");
  std::vector<std::string> seen;
  int refused = 0;
  if (view->requests.empty()) write("nothing waits for an answer");
  for (;;) {
    const auto result =
        channels::cli::AskAll(*view, runtime, read, write, style, clock.NowMs(), seen);
    refused += result.refused;
    if (result.ended || !watch) break;
    // A new request rings the bell.
    do {
      std::this_thread::sleep_for(kLook);
      runtime.ExpireLapsed();
      runtime.Refresh();
      view = runtime.View();
    } while (!view->stopped && AllSeen(*view, seen));
    if (view->stopped) return call.Refuse(*view->stopped);
    std::fputs("\a", stdout);
  }
  return refused > 0 ? 1 : 0;
}

}  // namespace approval::gateway
