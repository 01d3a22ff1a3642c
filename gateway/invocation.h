// One call of a verb: its arguments, its environment and its answer.
//
// An Invocation prints exactly one answer: JSON on one line under --json, else words. Words show
// foreign text only through render's quoting; SayLine quotes, Print does not and takes ours only.
#pragma once

#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/random.h"
#include "core/gate/gate.h"
#include "gateway/arguments.h"
#include "gateway/verb.h"

namespace approval::gateway {

using Environment = std::function<std::optional<std::string>(std::string_view name)>;

// The process's own environment; an empty variable counts as set to nothing.
Environment ProcessEnvironment();

class Invocation {
 public:
  Invocation(const VerbSpec& verb, Arguments arguments, bool json, Environment environment,
             const base::Clock& clock, base::Random& random);

  const VerbSpec& verb() const { return verb_; }
  const Arguments& args() const { return arguments_; }
  bool json() const { return json_; }
  const Environment& environment() const { return environment_; }
  const base::Clock& clock() const { return clock_; }
  base::Random& random() const { return random_; }

  // Success: JSON on stdout, or the words (one or more lines, ours and already quoted).
  int Succeed(const base::JsonObject& answer, const std::string& words) const;

  // A refusal on stderr, with its exit code (core.md 6.3).
  int Refuse(const base::Error& error) const;

  // A usage error or an I/O error of the command layer, in the shape without `ok`.
  int Usage(const std::string& message) const;
  int CommandError(base::Code code, const std::string& message) const;

  // The n-th positional, or a usage error that names it.
  base::Result<std::string> Positional(std::size_t index, std::string_view what) const;

  // `--as`, else APPROVAL_HUMAN when it names a person. `usage` when neither serves.
  base::Result<std::string> Actor() const;       // human or agent
  base::Result<std::string> HumanActor() const;  // human only

  std::string LogPath() const;
  std::string PolicyPath() const;

  // The gate over this call's log and policy, with display hashes.
  gate::Gate MakeGate() const;

  // A payload or other JSON document from a file, or standard input for `-`. `io` when it cannot be
  // read (exit 4), `usage` when it is empty or not strict JSON (exit 2).
  base::Result<base::Json> ReadJsonArgument(const std::string& path) const;

 private:
  const VerbSpec& verb_;
  Arguments arguments_;
  bool json_;
  Environment environment_;
  const base::Clock& clock_;
  base::Random& random_;
};

// Exit code of a refusal (core.md 6.3).
int ExitCodeOf(const base::Error& error);

// `{"ok":false,"error":{"code","message",...}}`
base::JsonObject RefusalJson(const base::Error& error);

// One line to a stream, the text quoted, so that nothing in it can act on a terminal.
void SayLine(std::FILE* out, std::string_view text);

// Ours and already quoted, with a line end. A closed pipe is not an error.
void Print(std::FILE* out, std::string_view text);

}  // namespace approval::gateway
