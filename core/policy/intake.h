// Intake limits: how many requests may wait, and how many an actor may make in an hour.
//
// core.md 4.13: manual path only, after duplicate and already-executed, before budgets; nothing is
// appended for a refusal. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/log/record.h"
#include "core/policy/policy.h"
#include "core/policy/resolve.h"

namespace approval::policy {

struct IntakeVerdict {
  std::string limit;   // `max_pending`, `requests_per_hour`, `<scope>.max_pending`
  std::string scope;   // `class`, `global`
  std::string window;  // `simultaneous`, `rolling-1h`
  base::Code refusal = base::Code::kQueueFull;
  std::int64_t observed = 0;
  std::int64_t requested = 1;
  std::int64_t remaining = 0;  // ceiling - observed - 1
  std::int64_t ceiling = 0;
  bool pass = false;
};

struct IntakeQuestion {
  std::string_view actor;
  std::span<const std::string>
      pending_classes;                 // one per key now in state requested; "" if unknown
  std::optional<std::int64_t> now_ms;  // nothing refuses a limit per hour
};

// The first limit that fails, else nothing: class limits by name, then scopes by name.
std::optional<IntakeVerdict> CheckIntake(std::span<const log::Record> records, const Policy& policy,
                                         const Resolution& resolution,
                                         const IntakeQuestion& question);

// The member `limits` of a queue-full or rate-limited refusal.
base::JsonObject IntakeVerdictJson(const IntakeVerdict& verdict);

}  // namespace approval::policy
