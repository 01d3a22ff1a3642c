// Proves a parsed policy block and turns it into a Policy (core.md 4.3 to 4.5, channels.md 1.10).
//
// Closed: an unknown key anywhere fails the whole, but for names of channels, scopes and limits.
// The error of schema-invalid holds details["errors"], every finding as {path, keyword, message};
// `path` is a JSON pointer, `keyword` one of JSON Schema's, `duration`, or a prompt-... name. The
// other codes are protected-route-floor, sender-ambiguous and delegation-not-supported. Pure.
#pragma once

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/policy/policy.h"

namespace approval::policy {

base::Result<Policy> PolicyFromJson(const base::Json& block);

}  // namespace approval::policy
