#include "gateway/reporter.h"

#include <cstdio>

#include "gateway/invocation.h"
#include "render/quote.h"

namespace approval::gateway {

void Reporter::Line(std::FILE* out, const std::string& event, const base::JsonObject& members) {
  const std::lock_guard lock(mutex_);
  if (json_) {
    base::JsonObject line{{"event", event}};
    for (const auto& member : members) line[member.key()] = member.value();
    Print(out, base::ToText(line));
    return;
  }
  std::string words = event;
  for (char& c : words) c = c == '_' ? ' ' : c;
  for (const auto& member : members) {
    const std::string value = member.value().is_string() ? std::string(member.value().get_string())
                                                         : base::ToText(member.value());
    words += "  " + std::string(member.key()) + "=" + render::QuoteLine(value);
  }
  Print(out, words);
}

void Reporter::Say(const std::string& event, const base::JsonObject& members) {
  Line(stdout, event, members);
}

void Reporter::Warn(const std::string& code, const std::string& message) {
  Line(stderr, "warning", {{"code", code}, {"message", message}});
}

void Reporter::Complain(const std::string& event, const base::JsonObject& members) {
  Line(stderr, event, members);
}

void Reporter::ShowToken(const std::string& action_key, std::string_view token) {
  const std::lock_guard lock(mutex_);
  // Never inside JSON; under --json the frame goes to the other stream, since a token that nobody
  // is shown cannot be spent.
  Print(json_ ? stderr : stdout, "+-- token, shown once: " + render::QuoteLine(action_key) +
                                     "\n|   " + std::string(token) +
                                     "\n+-- pass it with --token; it is kept nowhere");
}

}  // namespace approval::gateway
