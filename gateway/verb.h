// The verb table: every verb with its flags, arguments, exit codes and words, once.
//
// Help, usage checks and the split between the two programs are made from it (DESIGN 5.10). The
// table is data; what a verb does is bound by each program through a HandlerMap.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace approval::gateway {

class Invocation;

struct FlagSpec {
  std::string_view name;   // without dashes
  std::string_view value;  // what it takes, `<file>`; empty for a switch
  std::string_view help;
};

enum class Program { kFast, kGateway };

struct VerbSpec {
  std::string_view name;  // one or more words, `log verify`
  std::string_view summary;
  std::string_view arguments;  // `<task> [more]`, for the usage line
  std::size_t max_positionals = 0;
  std::vector<FlagSpec> flags{};
  std::string_view exits;          // exit codes beyond 0, in words
  std::string_view json;           // members of the JSON answer
  bool human_only = false;         // refused for agents
  bool secret_positional = false;  // a stray argument is not echoed
  bool takes_command = false;      // everything behind `--` is a command
  Program program = Program::kFast;
  bool hidden = false;  // answered, but not offered in the overview
};

// All verbs, in the order of the overview.
std::span<const VerbSpec> Verbs();

// The verb that the leading words name, and how many words that took; nothing for none.
struct Found {
  const VerbSpec* verb = nullptr;
  std::size_t words = 0;
};
Found FindVerb(std::span<const std::string> words);

using Handler = std::function<int(Invocation&)>;
using HandlerMap = std::map<std::string_view, Handler>;

// Texts for people, plain.
std::string Overview();
std::string HelpFor(const VerbSpec& verb);

}  // namespace approval::gateway
