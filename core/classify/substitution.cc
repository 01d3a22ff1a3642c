#include "core/classify/substitution.h"

namespace approval::classify {

std::optional<std::size_t> EndOfSubstitution(std::string_view text, std::size_t start) {
  std::string open = "(";  // what waits to be closed: a parenthesis or a double quote
  for (std::size_t at = start; at < text.size(); ++at) {
    const char c = text[at];
    const bool quoted = open.back() == '"';
    if (c == '\\') {
      ++at;
    } else if (c == '"') {
      if (quoted) {
        open.pop_back();
      } else {
        open.push_back('"');
      }
    } else if (quoted) {
      if (!text.substr(at).starts_with("$(")) continue;
      open.push_back('(');
      ++at;
    } else if (c == '(') {
      open.push_back('(');
    } else if (c == ')') {
      open.pop_back();
      if (open.empty()) return at;
    } else if (c == '\'') {
      at = text.find('\'', at + 1);
      if (at == std::string_view::npos) return std::nullopt;
    }
  }
  return std::nullopt;
}

BodyScan ScanBody(std::string_view body) {
  BodyScan found;
  for (std::size_t at = 0; at < body.size(); ++at) {
    if (body[at] == '\\') {
      ++at;
    } else if (body[at] == '`') {
      found.has_backtick = true;
    } else if (body.substr(at).starts_with("$(")) {
      const std::size_t end = EndOfSubstitution(body, at + 2).value_or(body.size());
      found.substitutions.emplace_back(body.substr(at + 2, end - at - 2));
      at = end;
    }
  }
  return found;
}

}  // namespace approval::classify
