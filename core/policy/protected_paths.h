// Which edits are edits of the rules themselves, as far as the policy loader needs to know.
//
// Entries are matched by path segments, never against the disk (core.md 4.4, surfaces.md 1.7).
#pragma once

#include <optional>
#include <string>
#include <string_view>

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

}  // namespace approval::policy
