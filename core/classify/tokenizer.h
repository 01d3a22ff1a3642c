// Reads a shell command line as segments of words and redirections, without running or expanding
// anything (surfaces.md 1.2).
//
// Pure, total and bounded: every byte string gives segments or the reason why it is not read, in
// time and memory that grow with its length alone. Looks at ASCII only, so a byte of a longer
// character, well formed or not, is an ordinary byte of its word. Text is what the shell would
// pass on after unquoting; variables, globs, `~` and braces stand as written.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

namespace approval::classify {

struct Word {
  std::string text;          // without quotes; a substitution contributes nothing
  bool substitutes = false;  // holds `$(…)`, `$((…))` or a backtick command
};

struct Redirect {
  std::string op;  // without a descriptor number: `>`, `>>`, `>|`, `<`, `<<`, `<<-`, `>&`, `<&`
  Word target;     // of `<<` and `<<-` the terminator; empty for `>&` and `<&`
};

struct Segment {
  std::string text;  // the source, trimmed; without the bodies of heredocs
  std::vector<Word> words;
  std::vector<Redirect> redirects;
  // Inner text of each `$(…)` that would run: in words, targets and bodies of unquoted heredocs.
  std::vector<std::string> substitutions;
  std::optional<std::string> opaque;  // why the segment cannot be judged: the first reason
};

// Why a command is not read; one clause without text of the command but a heredoc's terminator.
struct Unparseable {
  std::string detail;
};

// A command of separators and blanks alone has no segment.
tl::expected<std::vector<Segment>, Unparseable> Tokenize(std::string_view command);

}  // namespace approval::classify
