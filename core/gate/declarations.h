// What tasks declared about an action when they were registered (core.md 5.5, 5.10).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/money.h"
#include "core/log/record.h"

namespace approval::gate {

struct Declaration {
  std::string task;
  std::string action_class;
  std::optional<std::string> summary;
  std::optional<bool> reversible;
  std::optional<base::Micros> est_cost;
  std::optional<std::string> payload_hash;
};

// For a request: the first action with that key in the latest registration of the task.
// `not-registered` when the task is unknown, `action-not-registered` when the key is.
base::Result<Declaration> DeclaredInTask(const log::VerifiedLog& log, std::string_view task,
                                         std::string_view key);

// For a run: the last action with that key over all registrations. `action-not-registered` when
// nobody declares it, or more than one task does.
base::Result<Declaration> DeclaredAnywhere(const log::VerifiedLog& log, std::string_view key);

// The task that declares the key in any registration, if one does.
std::optional<std::string> TaskDeclaring(const log::VerifiedLog& log, std::string_view key);

}  // namespace approval::gate
