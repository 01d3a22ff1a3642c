// What a plain YAML scalar stands for under the core schema of YAML 1.2 (core.md 4.2).
#pragma once

#include <string_view>

#include "core/base/json.h"

namespace approval::policy {

// null, a boolean, a number, or else the text itself.
base::Json PlainScalar(std::string_view text);

}  // namespace approval::policy
