// Policy files for tests, written as the block's lines.
#pragma once

#include <string>
#include <string_view>

#include "core/policy/load.h"

namespace approval::testing {

inline std::string PolicyFile(std::string_view lines) {
  return "# Policy\n\n```yaml approval-policy\nversion: \"0.1\"\n" + std::string(lines) + "```\n";
}

inline policy::LoadResult LoadLines(std::string_view lines) {
  return policy::LoadPolicyBytes(PolicyFile(lines), "APPROVAL.md");
}

// "path keyword" of the first finding, or the code of another failure, or "loaded".
inline std::string FirstFinding(std::string_view lines) {
  const policy::LoadResult load = LoadLines(lines);
  if (load.policy) return "loaded";
  if (load.failure->code != base::Code::kSchemaInvalid) {
    return std::string(base::Spelling(load.failure->code));
  }
  const base::JsonObject& first = load.failure->details.at("errors").as_array().at(0).as_object();
  return std::string(first.at("path").as_string().c_str()) + " " +
         first.at("keyword").as_string().c_str();
}

}  // namespace approval::testing
