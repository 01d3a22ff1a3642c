// Finds the end of a `$(…)` (surfaces.md 1.2); the inside of the tokenizer.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace approval::classify {

// `start` is the offset behind `$(`. The offset of the matching `)`, or nothing. Honours `\`,
// `'…'`, `"…"` and substitutions inside these; linear, on a stack of its own.
std::optional<std::size_t> EndOfSubstitution(std::string_view text, std::size_t start);

// What an unquoted heredoc body would run.
struct BodyScan {
  std::vector<std::string> substitutions;
  bool has_backtick = false;
};

// A `$(` that nothing closes reaches to the body's end.
BodyScan ScanBody(std::string_view body);

}  // namespace approval::classify
