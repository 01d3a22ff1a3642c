// The YAML map at the head of a task file (core.md 5.2).
#pragma once

#include <string_view>

#include "core/base/error.h"
#include "core/base/json.h"

namespace approval::policy {

// Fails no-frontmatter, unterminated, yaml-error or not-a-map. Empty content is an empty map.
base::Result<base::JsonObject> ParseFrontmatter(std::string_view text);

}  // namespace approval::policy
