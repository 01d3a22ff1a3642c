// The terminal channel: the queue as cards in 80 columns, answered by one letter (channels.md 5).
//
// Synchronous: the caller hands it one view and two streams and gets the number of refused
// decisions. It never treats silence, the end of input or an unknown word as an answer.
#pragma once

#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "channels/contract.h"
#include "render/card.h"

namespace approval::channels::cli {

// One line from the person without its end; nothing at the end of input. While it waits it may ask
// `over` now and then and give up when that says the question is settled.
struct Typed {
  std::string line;
  bool over = false;
};
using ReadLine = std::function<std::optional<Typed>(const std::string& prompt,
                                                    const std::function<bool()>& over)>;
// One line to the person, already quoted.
using WriteLine = std::function<void(const std::string& line)>;

struct Style {
  bool color = false;
  std::size_t width = 80;
};

// The card as lines: headline, values, content, warnings, what the agent says, deadline. A long
// content is shown from its start with the exact count of what follows.
std::vector<std::string> CardText(const render::Card& card, const Style& style);

struct SessionResult {
  int decided = 0;
  int refused = 0;
  bool ended = false;  // the input ended or the person quit
};

// Asks about every request of the view that `seen` does not hold yet, oldest first, and adds them.
SessionResult AskAll(const QueueView& view, Runtime& runtime, const ReadLine& read,
                     const WriteLine& write, const Style& style, std::int64_t now_ms,
                     std::vector<std::string>& seen);

// The requests as `--json` lists them: every field tagged computed or claimed.
base::JsonArray TaggedRequests(const QueueView& view, std::int64_t now_ms);

}  // namespace approval::channels::cli
