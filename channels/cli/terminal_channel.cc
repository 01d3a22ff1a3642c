#include "channels/cli/terminal_channel.h"

#include <algorithm>

#include <boost/json/array.hpp>

#include "render/quote.h"

namespace approval::channels::cli {
namespace {

bool Holds(const std::vector<std::string>& seen, const gate::RequestModel& request) {
  return std::find(seen.begin(), seen.end(), request.chain.value.hash) != seen.end();
}

bool AllSeen(const QueueView& view, const std::vector<std::string>& seen) {
  return std::all_of(view.requests.begin(), view.requests.end(),
                     [&](const gate::RequestModel& request) { return Holds(seen, request); });
}

Document IdleDocument(const QueueView& view) {
  Document out{"watching", {{"", "nothing waits for an answer", Look::kHeadline}}};
  if (view.requests.empty()) return out;
  out.lines.front().text = "nothing new waits for an answer";
  for (const gate::RequestModel& request : view.requests) {
    out.lines.push_back({"  skipped  ", render::QuoteLine(request.action_key.value)});
  }
  return out;
}

// Waits until a request is there that was not asked yet. Whether the person left.
bool Idle(Runtime& runtime, Front& front, std::shared_ptr<const QueueView>& view,
          std::vector<std::string>& seen) {
  for (;;) {
    front.Present(IdleDocument(*view));
    const std::size_t before = view->requests.size();
    const auto over = [&] {
      view = runtime.View();
      return view->stopped || !AllSeen(*view, seen) || view->requests.size() != before;
    };
    const std::string keys =
        view->requests.empty() ? "q quit" : "a ask about the skipped ones again  q quit";
    const auto typed = front.AskChoice({keys, "> ", over, [] { return std::string(); }});
    if (!typed || typed->line == "q" || typed->line == "quit") return true;
    if (view->stopped) return false;
    if (typed->line == "a") seen.clear();
    if (!AllSeen(*view, seen)) {
      if (typed->over) front.Ring();
      return false;
    }
  }
}

base::JsonObject Field(const render::Row& row) {
  const bool claimed = row.kind == render::Kind::kClaimed;
  return {{"field", row.name},
          {"kind", claimed ? "claimed" : "computed"},
          {"text", row.text},
          {claimed ? "author" : "source", row.origin}};
}

void Add(SessionResult& sum, const SessionResult& more) {
  sum.decided += more.decided;
  sum.granted += more.granted;
  sum.refused += more.refused;
  sum.ended = sum.ended || more.ended;
}

void TellSkipped(const QueueView& view, Front& front) {
  for (const gate::Skip& skip : view.skipped) {
    front.Tell("cannot be shown: " + render::QuoteLine(skip.action_key) + "  " +
               std::string(base::Spelling(skip.error.code)) + "  " +
               render::QuoteLine(skip.error.message));
  }
}

// Why a key is not asked about.
base::Error NotAsked(const QueueView& view, const std::string& key) {
  const auto skip = std::find_if(view.skipped.begin(), view.skipped.end(),
                                 [&](const gate::Skip& s) { return s.action_key == key; });
  if (skip != view.skipped.end()) return skip->error;
  return {base::Code::kNotAwaiting,
          key + " does not wait for an answer; approval queue lists what does"};
}

}  // namespace

SessionResult AskAll(const QueueView& view, Runtime& runtime, Front& front,
                     const base::Clock& clock, std::vector<std::string>& seen) {
  SessionResult result;
  TellSkipped(view, front);
  std::size_t index = 0;
  for (const gate::RequestModel& request : view.requests) {
    ++index;
    if (Holds(seen, request)) continue;
    seen.push_back(request.chain.value.hash);
    const std::int64_t now = clock.NowMs();
    Question question(request, CardOf(request, view, now, index, view.requests.size()), view,
                      runtime, front, clock);
    question.Ask(result);
    if (result.ended) break;
  }
  return result;
}

SessionEnd RunSession(Runtime& runtime, Front& front, const base::Clock& clock,
                      const SessionOptions& options) {
  SessionEnd end;
  std::vector<std::string> seen;
  const auto look = [&] {
    options.look();
    return runtime.View();
  };
  std::shared_ptr<const QueueView> view = look();
  for (;;) {
    if (view->stopped) {
      end.stopped = view->stopped;
      return end;
    }
    Add(end.result, AskAll(*view, runtime, front, clock, seen));
    if (end.result.ended) return end;
    view = look();
    if (view->stopped || !AllSeen(*view, seen)) continue;
    if (!options.watch) return end;
    if (Idle(runtime, front, view, seen)) {
      end.result.ended = true;
      return end;
    }
  }
}

base::Result<SessionResult> ApproveAll(const QueueView& view, Runtime& runtime, Front& front,
                                       const base::Clock& clock,
                                       const std::optional<std::string>& key) {
  SessionResult result;
  const auto wanted = [&](const gate::RequestModel& request) {
    return !key || request.action_key.value == *key;
  };
  if (key && std::none_of(view.requests.begin(), view.requests.end(), wanted)) {
    return base::Fail(NotAsked(view, *key));
  }
  if (!key) TellSkipped(view, front);
  if (!key && view.requests.empty()) front.Tell("nothing waits for an answer");
  std::size_t index = 0;
  for (const gate::RequestModel& request : view.requests) {
    ++index;
    if (!wanted(request)) continue;
    Question question(request, CardOf(request, view, clock.NowMs(), index, view.requests.size()),
                      view, runtime, front, clock);
    question.AskYesNo(result);
    if (result.ended) break;
  }
  return result;
}

base::JsonArray TaggedRequests(const QueueView& view, std::int64_t now_ms) {
  base::JsonArray list;
  for (const gate::RequestModel& request : view.requests) {
    const render::Card card = CardOf(request, view, now_ms, 0, 0);
    base::JsonArray fields;
    for (const render::Row& row : card.rows) fields.push_back(Field(row));
    base::JsonArray warnings;
    for (const render::Warning& warning : card.warnings) {
      warnings.push_back(base::Json(warning.text));
    }
    list.push_back(base::JsonObject{{"action_key", request.action_key.value},
                                    {"headline", card.headline},
                                    {"fields", std::move(fields)},
                                    {"warnings", std::move(warnings)},
                                    {"fullPayloadText", card.canonical_text},
                                    {"display_hash", card.display_hash},
                                    {"payload_hash", card.payload_hash}});
  }
  return list;
}

}  // namespace approval::channels::cli
