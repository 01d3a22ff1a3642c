// Lines from a terminal or a pipe, read so that nothing typed by accident counts (field reports,
// kind J).
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "channels/cli/line_front.h"

namespace approval::gateway {

class Invocation;

// Whether stdout is a terminal and NO_COLOR is not set.
bool MayPaint(const Invocation& call);

// Of the terminal at stdout, at least 10; 80 when it does not say.
std::size_t TerminalColumns();

class TerminalInput {
 public:
  explicit TerminalInput(int fd);

  // Writes the prompt and waits for a line. At a terminal, what was typed before the prompt stood
  // for a moment is thrown away. EAGAIN means wait, EINTR again; only a read of nothing is the end.
  // `over` is asked about four times a second.
  std::optional<channels::cli::Typed> Read(const std::string& prompt,
                                           const std::function<bool()>& over);

 private:
  void DropTypeAhead();

  int fd_;
  bool terminal_;
  bool ended_ = false;
  std::string pending_;  // read but not yet a whole line
};

}  // namespace approval::gateway
