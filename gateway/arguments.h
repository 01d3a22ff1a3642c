// Reads a command line by the table's rules (core.md 6.4).
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "gateway/verb.h"

namespace approval::gateway {

struct Arguments {
  std::map<std::string, std::string, std::less<>> flags;  // the last of repeated ones counts
  std::vector<std::string> positionals;
  std::vector<std::string> command;  // behind `--`, for verbs that take one
  bool help = false;

  bool Has(std::string_view name) const { return flags.find(name) != flags.end(); }
  std::optional<std::string> Flag(std::string_view name) const;
  std::string FlagOr(std::string_view name, std::string_view fallback) const;
};

// `words` are the arguments behind the verb. `usage` for an unknown flag, a missing value, a value
// for a switch, or an extra positional. A secret positional is never echoed.
base::Result<Arguments> ParseArguments(const VerbSpec& verb, std::span<const std::string> words);

// Whether JSON is asked for anywhere (for `run`: before its `--`), seen before any other check.
bool WantsJson(std::span<const std::string> words);

}  // namespace approval::gateway
