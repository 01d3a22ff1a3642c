// Strict YAML 1.2 (core schema) into JSON values.
//
// Total and bounded: every byte string gives a value or `yaml-error`. Refused beside plain syntax
// errors: invalid UTF-8, control characters, a second document, directives, tags, anchors and
// aliases, a key that is there twice (compared as text), tabs as indentation, nesting beyond
// kMaxYamlDepth, text beyond kMaxYamlBytes (core.md 4.2, spec README item 5). Numbers follow
// base::ParseJson's rule; `.inf` and `.nan` become the doubles, which no schema accepts. Members
// keep the order of the text. The sentence of a failure names line and column and holds none of
// the text. Any thread.
#pragma once

#include <cstddef>
#include <string_view>

#include "core/base/error.h"
#include "core/base/json.h"

namespace approval::policy {

inline constexpr std::size_t kMaxYamlBytes = std::size_t{1} << 20;
inline constexpr int kMaxYamlDepth = 64;

base::Result<base::Json> ParseYaml(std::string_view text);

}  // namespace approval::policy
