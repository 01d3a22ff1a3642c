// Class patterns: which classes one matches, and which of two is the more specific (core.md 4.6).
#pragma once

#include <string_view>

namespace approval::policy {

struct Specificity {
  int literals = 0;
  int wildcards = 0;
  int segments = 0;
  bool operator==(const Specificity&) const = default;
};

// Segments `[a-z0-9][a-z0-9_-]*` or `*`, joined by dots.
bool IsPattern(std::string_view text);

// Both must be well formed; a class may be looser (an envelope's), then only `*` takes its segment.
// The empty class, of a record that names none, matches nothing.
bool Matches(std::string_view pattern, std::string_view action_class);

Specificity SpecificityOf(std::string_view pattern);

// More literals, then fewer wildcards, then more segments.
bool MoreSpecific(const Specificity& a, const Specificity& b);

}  // namespace approval::policy
