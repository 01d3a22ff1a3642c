// The rules a record must satisfy by its event type (core.md 2.1, section 3).
//
// Reading accepts every record of level A and N. Writing also demands what level N constrains in
// payloads (decimal-string costs, note beside an extreme reaction, closed members).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"

namespace approval::log {

struct Violation {
  std::string path;     // JSON pointer from the record
  std::string keyword;  // `required`, `type`, `pattern`, `enum`, `additionalProperties`, ...
  std::string message;
};

enum class SchemaUse { kRead, kWrite };

// Every violation found, empty when the record is valid. `record` includes `hash`.
std::vector<Violation> ValidateRecord(const base::JsonObject& record, SchemaUse use);

// Whether the type is one of levels A and N.
bool IsKnownEvent(std::string_view event);

// Types whose order in time is watched: approval.*, execution.*, budget.*, audit.*, gate.*,
// policy.updated, log.checkpoint (core.md 2.10).
bool IsGateEvent(std::string_view event);

}  // namespace approval::log
