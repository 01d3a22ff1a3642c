// Questions to a person at a terminal, one at a time (adapters.md 7.4).
//
// Prompts and remarks go to standard error, answers come from standard input. An end of input on an
// empty line and ^C in a secret abort: nothing is answered for the person. While a secret is typed
// the terminal shows nothing, and it is put back as it was however the entry ends, signals
// included. One thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/secret.h"

namespace approval::gateway::setup {

class Dialogue {
 public:
  // Both must be terminals' ends or a test's pipes; they stay the caller's.
  Dialogue(int in, int out) : in_(in), out_(out) {}

  // One remark of ours; foreign text in it is already quoted.
  void Say(std::string_view line);

  // One line without its end; nothing when the person aborted.
  std::optional<std::string> Line(std::string_view prompt);

  // One line that is not shown. Backspace removes one character; ^D aborts only when nothing was
  // typed. Outer blanks stay: the caller decides.
  std::optional<base::Secret> Secret(std::string_view prompt);

  // Yes or no; anything else is `fallback`. What was typed before a yes or no was asked answers
  // nothing.
  std::optional<bool> YesNo(std::string_view question, bool fallback);

  // The same, asked until the answer is one of the two or empty.
  std::optional<bool> YesNoUntilClear(std::string_view question, bool fallback);

  // True only for the whole word `yes`.
  std::optional<bool> WholeYes(std::string_view question);

  // Asks up to five times; `why_not` gives the sentence that is said before the next try. Nothing
  // when the person aborted or the tries are used up.
  std::optional<std::string> Ask(
      std::string_view prompt,
      const std::function<std::optional<std::string>(const std::string&)>& why_not);

 private:
  void Write(std::string_view text);
  void DropTypeAhead();

  int in_;
  int out_;
};

}  // namespace approval::gateway::setup
