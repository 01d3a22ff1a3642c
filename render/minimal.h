// The short card: a policy's `style: minimal` and `say` (channels.md 1.10, 3.4).
//
// Pure. Only the words of the policy and of this file reach the headline, and the class that the
// log records; values of the payload come quoted. The short card hides nothing that counts: what it
// leaves off or cuts is a notice, warnings stay, and the canonical block stays whole.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/gate/request_model.h"

namespace approval::render {

struct Card;

// How a policy words one class.
struct Saying {
  std::optional<std::string> does;  // absent: our own phrase, else one for the shape
  std::map<std::string, std::optional<std::string>> quote;  // payload key -> label; nothing: known
  bool with_summary = true;
};

struct MinimalStyle {
  std::map<std::string, Saying> say;  // by exact class
};

// Turns a technical card into the short one, or leaves it and says why in `card.rendering`:
// `policy` (a class of the policy or the log, or a protected path), `no-payload`, `anomaly` (an
// abnormal row), `undeclared` (an opaque payload of a class without `quote`), `unlisted-key` (it
// has a key that `quote` does not name), `nothing-quoted`, `digest` (the request records another
// rendering than ours).
void MakeMinimal(Card& card, const gate::RequestModel& request, const MinimalStyle& style);

}  // namespace approval::render
