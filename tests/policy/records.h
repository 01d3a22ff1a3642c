// Records for tests of the policy room: made by hand, or read from a vector's log without proof.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/instant.h"
#include "core/base/json.h"
#include "core/log/record.h"

namespace approval::testing {

inline log::Record MakeRecord(std::string event, std::string actor, std::int64_t at_ms) {
  log::Record record;
  record.event = std::move(event);
  record.actor = std::move(actor);
  record.ts = base::FormatInstant(at_ms);
  record.instant = at_ms;
  return record;
}

inline std::vector<log::Record> RecordsFrom(std::string_view lines) {
  std::vector<log::Record> out;
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    const auto value = base::ParseJson(lines.substr(0, end), base::kLenientJson);
    lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
    if (!value) continue;
    const base::JsonObject& object = value->as_object();
    const auto text = [&object](std::string_view name) {
      return std::string(base::StringMember(object, name).value_or(""));
    };
    log::Record record;
    record.seq = object.at("seq").to_number<std::int64_t>();
    record.ts = text("ts");
    record.instant = base::ParseInstant(record.ts);
    record.event = text("event");
    record.actor = text("actor");
    if (object.contains("task")) record.task = text("task");
    if (object.contains("action_key")) record.action_key = text("action_key");
    if (const base::Json* payload = object.if_contains("payload")) {
      record.payload = payload->as_object();
      record.has_payload = true;
    }
    out.push_back(std::move(record));
  }
  return out;
}

}  // namespace approval::testing
