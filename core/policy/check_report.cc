#include <fmt/format.h>

#include "core/policy/candidates.h"
#include "core/policy/resolve.h"

namespace approval::policy {
namespace {

boost::json::string_view View(std::string_view text) { return {text.data(), text.size()}; }

base::Json OutcomeJson(const Resolution& resolution, const Rule* winner) {
  base::JsonObject out;
  out["autonomy"] = View(Spelling(resolution.autonomy));
  // As the policy writes them: limits in the file's own numbers.
  for (const char* name : {"approvers", "limits"}) {
    const base::Json* written = winner == nullptr ? nullptr : winner->source.if_contains(name);
    out[name] = written == nullptr ? base::Json(nullptr) : *written;
  }
  if (resolution.live_rate) out["live_rate"] = *resolution.live_rate;
  if (resolution.retro_rate) out["retro_rate"] = *resolution.retro_rate;
  return out;
}

base::Json ManualBecause(const Resolution& resolution, bool loaded) {
  if (resolution.autonomy != Autonomy::kManual) return nullptr;
  if (!loaded) return "load-failure";
  if (resolution.provenance == Provenance::kFloor) return "irreversibility-floor";
  return "matched-rule";
}

base::Json MatchedJson(const Rule* winner) {
  if (winner == nullptr) return nullptr;
  base::JsonObject out;
  out["pattern"] = winner->pattern;
  out["rule"] = winner->source;
  return out;
}

base::Json OverriddenJson(const Resolution& resolution) {
  if (!resolution.overridden) return nullptr;
  base::JsonObject out;
  out["pattern"] = resolution.pattern ? base::Json(*resolution.pattern) : base::Json(nullptr);
  out["autonomy"] = View(Spelling(*resolution.overridden));
  return out;
}

base::Json CandidateJson(const Candidate& candidate) {
  base::JsonObject out;
  out["pattern"] = candidate.rule->pattern;
  const Specificity& key = candidate.specificity;
  out["specificity"] = base::JsonArray{key.literals, key.wildcards, key.segments};
  out["autonomy"] = View(Spelling(candidate.rule->autonomy));
  out["winner"] = candidate.winner;
  if (candidate.tie_break) out["tieBreak"] = View(Spelling(*candidate.tie_break));
  return out;
}

std::string WinnerSentence(const Ranking& ranking, const Policy& policy) {
  if (ranking.winner == nullptr) {
    return policy.defaults.autonomy ? "no rule matches; defaults.autonomy applies"
                                    : "no rule matches and the policy names no default; manual";
  }
  if (ranking.inherited) {
    return "the class has no rule of its own and takes the rule policy.edit";
  }
  for (const Candidate& candidate : ranking.candidates) {
    if (!candidate.winner || !candidate.tie_break) continue;
    return fmt::format("{} wins by {}: {}", candidate.rule->pattern, Spelling(*candidate.tie_break),
                       Spelling(candidate.rule->autonomy));
  }
  return "";
}

base::JsonArray DecisionPath(const LoadResult& load, const Ranking& ranking,
                             const Resolution& resolution, std::string_view action_class,
                             std::optional<bool> reversible) {
  base::JsonArray out;
  const auto say = [&out](const std::string& sentence) { out.emplace_back(sentence); };
  say(fmt::format("class \"{}\"; reversible: {}", action_class,
                  !reversible   ? "not stated"
                  : *reversible ? "true"
                                : "false"));
  if (load.policy) {
    say(fmt::format("policy loaded from {}", load.path));
    say(fmt::format("{} rule(s) matched, most specific first", ranking.candidates.size()));
    say(WinnerSentence(ranking, *load.policy));
  } else {
    say(fmt::format("the policy did not load ({}): {}", base::Spelling(load.failure->code),
                    load.failure->message));
  }
  if (resolution.overridden) {
    say(fmt::format("the action cannot be undone, so {} becomes manual",
                    Spelling(*resolution.overridden)));
  }
  if (resolution.harness_launch_unruled) {
    say("a launch needs a rule of its own below harness.launch; every verb refuses this class");
  }
  say(fmt::format("final: {}", Spelling(resolution.autonomy)));
  return out;
}

}  // namespace

base::JsonObject CheckReport(const LoadResult& load, std::string_view action_class,
                             std::optional<bool> reversible) {
  const Ranking ranking = load.policy ? Rank(*load.policy, action_class) : Ranking();
  const Resolution resolution = Resolve(load, action_class, reversible);
  base::JsonObject out;
  out["class"] = View(action_class);
  out["reversible"] = reversible ? base::Json(*reversible) : base::Json(nullptr);
  out["outcome"] = OutcomeJson(resolution, ranking.winner);
  out["provenance"] = View(Spelling(resolution.provenance));
  out["manualBecause"] = ManualBecause(resolution, load.policy.has_value());
  out["loadFailure"] = load.failure ? base::Json(FailureJson(*load.failure)) : base::Json(nullptr);
  out["matched"] = MatchedJson(ranking.winner);
  out["overridden"] = OverriddenJson(resolution);
  base::JsonArray candidates;
  for (const Candidate& candidate : ranking.candidates) {
    candidates.push_back(CandidateJson(candidate));
  }
  out["candidates"] = std::move(candidates);
  out["decisionPath"] = DecisionPath(load, ranking, resolution, action_class, reversible);
  return out;
}

}  // namespace approval::policy
