// Which edits are edits of the rules themselves.
//
// Entries are matched by path segments, never against the disk (core.md 4.4, surfaces.md 1.7).
// Pure functions, any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/policy/policy.h"

namespace approval::policy {

// Whether an entry's text is allowed: relative, no `.` or `..` segment, no `//`, no white space,
// none of `* ? [ ] { } \`.
bool IsProtectedPathEntry(std::string_view entry);

// Whether a routed class is `policy.edit.` and one word.
bool IsRoutedClass(std::string_view text);

// An entry ending in `/` matches a path that contains its segments in a row, any other one a path
// that ends in them.
bool EntryMatches(std::string_view entry, std::string_view path);

// The class that the built-in set gives a path: `log.mutate`, `policy.core` (no entry can change
// these) or `policy.edit`; nothing for a path outside the set.
std::optional<std::string_view> BuiltinClass(std::string_view path);

// What protects a path: the first tier of surfaces.md 1.7 that answers.
struct Protection {
  int tier = 5;  // 1 the log, 2 the core set, 3 a routed entry, 4 the built-in rest, 5 an entry
  std::string policy_class;
};

// Letters are compared without regard to ASCII case, since some disks do so. An entry routed to
// what is no routed class matches nothing.
std::optional<Protection> ProtectionOf(std::string_view path,
                                       const std::vector<ProtectedPath>& entries);

}  // namespace approval::policy
