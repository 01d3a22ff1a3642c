#include <algorithm>

#include "gateway/verb.h"

namespace approval::gateway {
namespace {

std::string Padded(std::string_view text, std::size_t width) {
  std::string out(text);
  out.append(out.size() < width ? width - out.size() : 1, ' ');
  return out;
}

// How many words of the verb's name lead `words`, or 0.
std::size_t Leading(std::string_view name, std::span<const std::string> words) {
  std::size_t count = 0;
  while (!name.empty()) {
    const std::size_t space = name.find(' ');
    if (count >= words.size() || words[count] != name.substr(0, space)) return 0;
    ++count;
    if (space == std::string_view::npos) break;
    name.remove_prefix(space + 1);
  }
  return count;
}

}  // namespace

Found FindVerb(std::span<const std::string> words) {
  Found best;
  for (const VerbSpec& verb : Verbs()) {
    const std::size_t count = Leading(verb.name, words);
    if (count > best.words) best = {&verb, count};
  }
  return best;
}

std::string Overview() {
  std::string out =
      "approval: an approve button for what agents cannot undo\n\n"
      "usage: approval <verb> [arguments]   (approval <verb> --help for one verb)\n\n";
  for (const VerbSpec& verb : Verbs()) {
    if (verb.hidden) continue;
    out += "  " + Padded(verb.name, 26) + std::string(verb.summary) + "\n";
  }
  return out + "\n  --json answers in one line of JSON; --version names the build\n";
}

std::string HelpFor(const VerbSpec& verb) {
  std::string out =
      "approval " + std::string(verb.name) + ": " + std::string(verb.summary) + "\n\n";
  out += "usage: approval " + std::string(verb.name);
  if (!verb.arguments.empty()) out += " " + std::string(verb.arguments);
  if (!verb.flags.empty()) out += " [flags]";
  out += "\n\n";
  for (const FlagSpec& flag : verb.flags) {
    std::string head = "--" + std::string(flag.name);
    if (!flag.value.empty()) head += " " + std::string(flag.value);
    out += "  " + Padded(head, 30) + std::string(flag.help) + "\n";
  }
  out += "  " + Padded("--json", 30) + "answer in one line of JSON\n\n";
  out += "exit codes: 0 done; " + std::string(verb.exits) + "\n";
  out += "JSON members: " + std::string(verb.json) + "\n";
  if (verb.human_only) out += "For people only: an agent: actor is refused.\n";
  return out;
}

}  // namespace approval::gateway
