#include "gateway/arguments.h"

#include <algorithm>

namespace approval::gateway {
namespace {

using base::Code;
using base::Fail;

// Flags that every verb takes.
bool IsCommonSwitch(std::string_view name) { return name == "json" || name == "help"; }

bool HasFlag(const VerbSpec& verb, std::string_view name) {
  return std::any_of(verb.flags.begin(), verb.flags.end(),
                     [name](const FlagSpec& flag) { return flag.name == name; });
}

}  // namespace

std::optional<std::string> Arguments::Flag(std::string_view name) const {
  const auto found = flags.find(name);
  if (found == flags.end()) return std::nullopt;
  return found->second;
}

std::string Arguments::FlagOr(std::string_view name, std::string_view fallback) const {
  return Flag(name).value_or(std::string(fallback));
}

base::Result<Arguments> ParseArguments(const VerbSpec& verb, std::span<const std::string> words) {
  Arguments parsed;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--") {
      const auto rest = words.subspan(i + 1);
      auto& into = verb.takes_command ? parsed.command : parsed.positionals;
      into.insert(into.end(), rest.begin(), rest.end());
      break;
    }
    if (word == "-h") {
      parsed.help = true;
      continue;
    }
    const bool one_letter =
        word.size() == 2 && word.front() == '-' && HasFlag(verb, word.substr(1));
    if (!one_letter && (word.size() < 3 || word.substr(0, 2) != "--")) {
      if (word.size() > 1 && word.front() == '-') {
        return Fail(Code::kUsage, "unknown flag " + word + "; see `approval " +
                                      std::string(verb.name) + " --help`");
      }
      parsed.positionals.push_back(word);
      continue;
    }
    const std::size_t equals = one_letter ? std::string::npos : word.find('=');
    const std::size_t dashes = one_letter ? 1 : 2;
    const std::string name =
        word.substr(dashes, equals == std::string::npos ? equals : equals - dashes);
    const auto spec = std::find_if(verb.flags.begin(), verb.flags.end(),
                                   [&](const FlagSpec& flag) { return flag.name == name; });
    const bool common = IsCommonSwitch(name);
    if (spec == verb.flags.end() && !common) {
      return Fail(Code::kUsage, "unknown flag --" + name + "; see `approval " +
                                    std::string(verb.name) + " --help`");
    }
    if (common || spec->value.empty()) {
      if (equals != std::string::npos) return Fail(Code::kUsage, "--" + name + " takes no value");
      parsed.help = parsed.help || name == "help";
      parsed.flags[name] = "";
      continue;
    }
    if (equals != std::string::npos) {
      parsed.flags[name] = word.substr(equals + 1);
      continue;
    }
    if (i + 1 >= words.size() || words[i + 1] == "--") {
      return Fail(Code::kUsage, "--" + name + " needs a value " + std::string(spec->value));
    }
    parsed.flags[name] = words[++i];
  }
  if (!parsed.help && parsed.positionals.size() > verb.max_positionals) {
    const std::string extra = parsed.positionals[verb.max_positionals];
    return Fail(Code::kUsage, verb.secret_positional
                                  ? "one argument too many (not shown, it may be a secret)"
                                  : "one argument too many: \"" + extra + "\"");
  }
  return parsed;
}

bool WantsJson(std::span<const std::string> words) {
  const bool runs_command = !words.empty() && words.front() == "run";
  for (const std::string& word : words) {
    if (runs_command && word == "--") return false;
    if (word == "--json") return true;
  }
  return false;
}

}  // namespace approval::gateway
