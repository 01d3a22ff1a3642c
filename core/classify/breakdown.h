// What a command does in a few words, for the row `command_breakdown` (channels.md 2.4).
//
// Pure functions. The text is raw: it holds words of the payload, and a surface quotes it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/json.h"

namespace approval::classify {

// Each segment as its program and its salient arguments, joined with ` · `. Flags are dropped, and
// so is the word after a flag of one letter; a substitution is `$(…)`. A segment has at most 40
// code points, the last one `…` when it was cut; behind 8 segments stands `… N more`. Nothing for a
// command that the tokenizer refuses or that has no segment.
std::optional<std::string> Breakdown(std::string_view command);

// The same for a payload of a command and perhaps a folder; nothing for any other payload.
std::optional<std::string> BreakdownOf(const base::Json& payload);

}  // namespace approval::classify
