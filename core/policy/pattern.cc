#include "core/policy/pattern.h"

#include <string>
#include <vector>

#include "core/base/names.h"

namespace approval::policy {
namespace {

std::vector<std::string_view> Segments(std::string_view text) {
  std::vector<std::string_view> out;
  for (;;) {
    const std::size_t dot = text.find('.');
    out.push_back(text.substr(0, dot));
    if (dot == std::string_view::npos) return out;
    text.remove_prefix(dot + 1);
  }
}

}  // namespace

bool IsPattern(std::string_view text) {
  for (const std::string_view segment : Segments(text)) {
    if (segment != "*" && !base::IsIdentifier(segment)) return false;
  }
  return true;
}

bool Matches(std::string_view pattern, std::string_view action_class) {
  if (action_class.empty()) return false;
  const std::vector<std::string_view> wanted = Segments(pattern);
  const std::vector<std::string_view> given = Segments(action_class);
  const bool open_end = wanted.size() >= 2 && wanted.back() == "*";
  if (open_end ? given.size() < wanted.size() : given.size() != wanted.size()) return false;
  const std::size_t compared = open_end ? wanted.size() - 1 : wanted.size();
  for (std::size_t i = 0; i < compared; ++i) {
    if (wanted[i] != "*" && wanted[i] != given[i]) return false;
  }
  return true;
}

Specificity SpecificityOf(std::string_view pattern) {
  Specificity out;
  for (const std::string_view segment : Segments(pattern)) {
    ++out.segments;
    ++(segment == "*" ? out.wildcards : out.literals);
  }
  return out;
}

bool MoreSpecific(const Specificity& a, const Specificity& b) {
  if (a.literals != b.literals) return a.literals > b.literals;
  if (a.wildcards != b.wildcards) return a.wildcards < b.wildcards;
  return a.segments > b.segments;
}

}  // namespace approval::policy
