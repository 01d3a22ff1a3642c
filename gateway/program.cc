#include "gateway/program.h"

#include <csignal>
#include <vector>

#include "core/base/build_id.h"
#include "core/base/clock.h"
#include "core/base/random.h"
#include "core/base/secret.h"

namespace approval::gateway {
namespace {

int UsageWithoutVerb(bool json, const std::string& message) {
  if (json) {
    const base::JsonObject answer{
        {"error", base::JsonObject{{"code", "usage"}, {"message", message}}}};
    Print(stderr, base::ToText(answer));
  } else {
    SayLine(stderr, "✗ usage  " + message);
  }
  return 2;
}

std::string JoinWords(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) {
    if (word.substr(0, 1) == "-") break;
    if (!out.empty()) out += ' ';
    out += word;
  }
  return out;
}

}  // namespace

int RunProgram(int argc, char** argv, const HandlerMap& handlers, const Elsewhere& elsewhere) {
  std::signal(SIGPIPE, SIG_IGN);
  base::ForbidInspection();
  const std::vector<std::string> words(argv + 1, argv + argc);
  const bool json = WantsJson(words);
  if (!words.empty() && words.front() == "--version") {
    Print(stdout, base::VersionLine());
    return 0;
  }
  const Found found = FindVerb(words);
  if (found.verb == nullptr) {
    for (const std::string& word : words) {
      if (word == "--help" || word == "-h") {
        Print(stdout, Overview());
        return 0;
      }
    }
    if (words.empty()) Print(stdout, Overview());
    const std::string named = JoinWords(words);
    return UsageWithoutVerb(json, named.empty()
                                      ? std::string("a verb is due; see approval --help")
                                      : "unknown verb \"" + named + "\"; see approval --help");
  }
  const VerbSpec& verb = *found.verb;
  const auto handler = handlers.find(verb.name);
  if (handler == handlers.end()) return elsewhere(verb, argv);
  const std::span<const std::string> rest = std::span(words).subspan(found.words);
  const base::SystemClock clock;
  base::SystemRandom random;
  auto arguments = ParseArguments(verb, rest);
  if (!arguments) {
    const Invocation call(verb, {}, json, ProcessEnvironment(), clock, random);
    return call.Usage(arguments.error().message);
  }
  if (arguments->help) {
    Print(stdout, HelpFor(verb));
    return 0;
  }
  Invocation call(verb, std::move(*arguments), json, ProcessEnvironment(), clock, random);
  return handler->second(call);
}

}  // namespace approval::gateway
