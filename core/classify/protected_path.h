// The protected path that a bound payload names, for the row `protected_path` (channels.md 2.4,
// surfaces.md 1.7).
//
// Pure functions; the disk is never asked. Reading is not told from writing, so that a command that
// only reads a protected path has the row as well: stricter than the class alone. What a variable,
// a glob or a link stands for is not known here. The text is raw: a surface quotes it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/policy/policy.h"

namespace approval::classify {

// `<path> (rule <rule>)` of the strictest protected path, the first one of several: among the words
// and the redirection targets of a `command`, substitutions included, and behind a `=` or `@` in
// them; among the arguments of an `argv`; the `file` of a change. The rule is the payload's own
// `rule` when that is `protected-path`, `protected-path-proposal` or `protected-name-elsewhere`,
// else `redirect-protected` for a redirection's target and `protected-path` for any other. Nothing
// when none is protected, and for a command that the tokenizer refuses.
std::optional<std::string> ProtectedPathOf(const base::Json& payload,
                                           const std::vector<policy::ProtectedPath>& entries);

}  // namespace approval::classify
