// The task envelope: the value of `approval:` in a task file's frontmatter (core.md 5.1, 5.2).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/json.h"

namespace approval::gate {

struct EnvelopeFault {
  std::string path;
  std::string keyword;
  std::string message;
};

// Every way in which the value is no envelope; empty when it is one.
std::vector<EnvelopeFault> ValidateEnvelope(const base::Json& envelope);

// Why a task file holds no envelope at all, where its registration may be looked up by id.
enum class Missing { kNothing, kNoFrontmatter, kNoApprovalKey };

struct TaskFile {
  std::string id;  // of the frontmatter, or guessed from the file name
  Missing missing = Missing::kNothing;
  base::JsonObject envelope;  // valid when nothing is missing
};

// Reads and validates a task file. `task-file-unreadable`; `envelope-invalid`, with `errors` in the
// details when the schema refused it.
base::Result<TaskFile> ReadTaskFile(const std::string& path);

}  // namespace approval::gate
