// What the policy says about one class: level, who may decide, limits, and how that came about.
//
// core.md 4.5 to 4.9. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/policy/load.h"
#include "core/policy/pattern.h"
#include "core/policy/policy.h"

namespace approval::policy {

enum class Provenance { kRule, kDefault, kFailClosed, kFloor, kInherited };
std::string_view Spelling(Provenance provenance);

struct Resolution {
  Autonomy autonomy = Autonomy::kManual;
  Provenance provenance = Provenance::kFailClosed;
  std::optional<std::string> pattern;  // of the winning rule
  std::optional<std::vector<std::string>> approvers;
  std::optional<Limits> limits;
  std::optional<double> live_rate;     // only at supervised-live
  std::optional<double> retro_rate;    // the rule's own; nothing: the global rate
  std::optional<Autonomy> overridden;  // what the floor replaced
  // A class below `harness.launch.` without a rule of its own: every verb refuses it.
  bool harness_launch_unruled = false;
};

// `reversible` is what the envelope declares; absent is not false. A result without policy gives
// manual, fail-closed.
Resolution Resolve(const LoadResult& load, std::string_view action_class,
                   std::optional<bool> reversible);

// The same against a policy that loaded.
Resolution ResolveWith(const Policy& policy, std::string_view action_class,
                       std::optional<bool> reversible);

// The object that `policy check --json` prints (core.md 4.9), members in that order.
base::JsonObject CheckReport(const LoadResult& load, std::string_view action_class,
                             std::optional<bool> reversible);

}  // namespace approval::policy
