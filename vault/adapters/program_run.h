// Runs a sealed program once: input in, output out, by a deadline (docs/adapters.md).
//
// The program starts in a session and process group of its own, in `/`, with PATH and LANG and
// nothing else in its environment, without descriptors beyond the three (a script keeps one more,
// the sealed copy that its interpreter reads), and leaves no core file. When the call returns the
// program and everything that stayed in its group are gone. Blocks its thread. A descendant that
// leaves the group is out of reach.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "vault/adapters/sealed_program.h"

namespace approval::adapters {

inline constexpr std::size_t kMaxProgramOutput = std::size_t{1} << 20;
inline constexpr std::size_t kMaxProgramErrors = std::size_t{64} << 10;  // the rest is dropped

struct ProgramEnd {
  enum class Kind {
    kNotStarted,  // known: nothing of it ran
    kExited,      // by itself, with `value` as status
    kSignalled,   // by the signal `value`
    kTimedOut,    // stopped at the deadline
    kTooMuch,     // stopped when its output passed the bound
  };
  Kind kind = Kind::kNotStarted;
  int value = 0;
  std::string out;
  std::string err;  // its beginning
  std::string why;  // of kNotStarted
};

// `shown_as` is the program's argv[0]. A program that does not read its input is no error.
ProgramEnd RunSealedProgram(const SealedProgram& program, const std::string& shown_as,
                            std::string_view input, std::chrono::milliseconds deadline);

}  // namespace approval::adapters
