// What the event types demand of their payloads (core.md 3.1, 3.3).
#pragma once

#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/log/event_schema.h"

namespace approval::log {

using Violations = std::vector<Violation>;

// Adds what is wrong with the payload of a record of this type. Constraints that level N puts on
// payloads of level A types are judged only when writing.
void ValidatePayload(const base::JsonObject& record, std::string_view event, SchemaUse use,
                     Violations& found);

}  // namespace approval::log
