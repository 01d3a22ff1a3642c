#include "core/policy/resolve.h"

#include "core/policy/candidates.h"

namespace approval::policy {
namespace {

constexpr std::string_view kBelowLaunch = "harness.launch.";

// A launch hands over a whole session, so a broad `*` or the default is not enough to allow it.
bool IsUnruledLaunch(std::string_view action_class, const Rule* winner) {
  return action_class.starts_with(kBelowLaunch) &&
         (winner == nullptr || !winner->pattern.starts_with(kBelowLaunch));
}

bool FloorApplies(const Resolution& resolution, const Ranking& ranking,
                  std::optional<bool> reversible) {
  if (reversible.value_or(true)) return false;
  if (ranking.winner != nullptr && ranking.all_allow_irreversible) return false;
  return Strictness(resolution.autonomy) < Strictness(Autonomy::kManual);
}

}  // namespace

std::string_view Spelling(Provenance provenance) {
  switch (provenance) {
    case Provenance::kRule:
      return "rule";
    case Provenance::kDefault:
      return "default";
    case Provenance::kFailClosed:
      return "fail-closed";
    case Provenance::kFloor:
      return "floor";
    case Provenance::kInherited:
      return "inherited";
  }
  return "";
}

Resolution ResolveWith(const Policy& policy, std::string_view action_class,
                       std::optional<bool> reversible) {
  const Ranking ranking = Rank(policy, action_class);
  Resolution out;
  if (ranking.winner != nullptr) {
    const Rule& rule = *ranking.winner;
    out.autonomy = rule.autonomy;
    out.provenance = ranking.inherited ? Provenance::kInherited : Provenance::kRule;
    out.pattern = rule.pattern;
    out.approvers = rule.approvers;
    out.limits = rule.limits;
    out.live_rate = rule.live_rate;
    out.retro_rate = rule.retro_rate;
  } else {
    out.autonomy = policy.defaults.autonomy.value_or(Autonomy::kManual);
    out.provenance = Provenance::kDefault;
  }
  if (FloorApplies(out, ranking, reversible)) {
    out.overridden = out.autonomy;
    out.autonomy = Autonomy::kManual;
    out.provenance = Provenance::kFloor;
    out.live_rate.reset();
    out.retro_rate.reset();
  }
  out.harness_launch_unruled = IsUnruledLaunch(action_class, ranking.winner);
  return out;
}

Resolution Resolve(const LoadResult& load, std::string_view action_class,
                   std::optional<bool> reversible) {
  if (load.policy) return ResolveWith(*load.policy, action_class, reversible);
  Resolution out;
  out.harness_launch_unruled = IsUnruledLaunch(action_class, nullptr);
  return out;
}

}  // namespace approval::policy
