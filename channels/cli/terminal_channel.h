// The terminal channel: the pending requests, one after the other, answered by one person
// (channels.md 5).
//
// Synchronous: the caller hands it a runtime and a front and gets what became of the requests. It
// never treats silence, the end of input or an unknown word as an answer.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "channels/cli/front.h"
#include "channels/cli/question.h"
#include "channels/contract.h"
#include "core/base/clock.h"

namespace approval::channels::cli {

// Asks about every request of the view that `seen` does not hold yet, oldest first, and adds them.
SessionResult AskAll(const QueueView& view, Runtime& runtime, Front& front,
                     const base::Clock& clock, std::vector<std::string>& seen);

struct SessionOptions {
  bool watch = false;          // stay when nothing waits, and ring on a new request
  std::function<void()> look;  // brings the runtime's view up to date; a front does so as it waits
};

struct SessionEnd {
  SessionResult result;
  std::optional<base::Error> stopped;  // the log stopped verifying: nothing was asked any more
};

// The whole session. With `watch` it ends only when the person leaves, the input ends or the log
// stops verifying.
SessionEnd RunSession(Runtime& runtime, Front& front, const base::Clock& clock,
                      const SessionOptions& options);

// One question `[y/N/?]` per pending request, or for `key` alone. Refused when the key does not
// wait for an answer (`not-awaiting`, or why it cannot be shown); nothing is asked then.
base::Result<SessionResult> ApproveAll(const QueueView& view, Runtime& runtime, Front& front,
                                       const base::Clock& clock,
                                       const std::optional<std::string>& key);

// The requests as `--json` lists them: every field tagged computed or claimed.
base::JsonArray TaggedRequests(const QueueView& view, std::int64_t now_ms);

}  // namespace approval::channels::cli
