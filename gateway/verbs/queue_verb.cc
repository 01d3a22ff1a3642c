#include <unistd.h>

#include "channels/cli/queue_table.h"
#include "core/gate/pending.h"
#include "core/log/read.h"
#include "gateway/verbs/handlers.h"
#include "gateway/verbs/terminal_input.h"
#include "render/quote.h"

namespace approval::gateway {

using base::Code;
using base::JsonObject;
using render::QuoteLine;

namespace {

// The table for a person: what the requests do, not only their keys.
int QueueForPerson(Invocation& call) {
  const auto log = log::ReadVerified(call.LogPath());
  if (!log) {
    if (log.error().code == Code::kLogUnreadable) {
      return call.CommandError(Code::kIo, log.error().message);
    }
    return call.Refuse(log.error());
  }
  const gate::Gate gate = call.MakeGate();
  const std::int64_t now = call.clock().NowMs();
  const gate::PendingQueue queue =
      gate::BuildPendingQueue(*log, gate.LoadPolicy(), gate.store(), now);
  const channels::cli::Style style{MayPaint(call), TerminalColumns()};
  for (const std::string& row :
       channels::cli::QueueTable(queue.requests, queue.skipped, now, style)) {
    Print(stdout, row);
  }
  return 0;
}

}  // namespace

int QueueVerb(Invocation& call) {
  if (!call.json() && ::isatty(STDOUT_FILENO) != 0) return QueueForPerson(call);
  const auto pending = call.MakeGate().Queue();
  if (!pending) {
    if (pending.error().code == Code::kLogUnreadable) {
      return call.CommandError(Code::kIo, pending.error().message);
    }
    return call.Refuse(pending.error());
  }
  base::JsonArray list;
  std::string words;
  for (const gate::PendingEntry& entry : *pending) {
    const auto text = [](const std::optional<std::string>& value) {
      return value ? base::Json(*value) : base::Json(nullptr);
    };
    list.push_back(
        JsonObject{{"action_key", entry.action_key},
                   {"task", text(entry.task)},
                   {"class", text(entry.action_class)},
                   {"est_cost_usd", base::MoneyText(entry.est_cost)},
                   {"requested_ts", entry.requested_ts},
                   {"seq", entry.seq},
                   {"ttl_remaining_ms", entry.ttl_remaining_ms ? base::Json(*entry.ttl_remaining_ms)
                                                               : base::Json(nullptr)}});
    words += QuoteLine(entry.action_key) + "  " + QuoteLine(entry.action_class.value_or("-")) +
             "  requested " + QuoteLine(entry.requested_ts) + "\n";
  }
  if (words.empty()) words = "nothing waits for an answer";
  return call.Succeed({{"ok", true}, {"pending", std::move(list)}}, words);
}

}  // namespace approval::gateway
