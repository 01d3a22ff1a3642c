#include "core/policy/candidates.h"

#include <algorithm>

namespace approval::policy {
namespace {

constexpr std::string_view kPolicyEdit = "policy.edit";
constexpr std::string_view kBelowPolicyEdit = "policy.edit.";

std::vector<Candidate> MatchingRules(const Policy& policy, std::string_view action_class) {
  std::vector<Candidate> out;
  for (const Rule& rule : policy.rules) {
    if (!Matches(rule.pattern, action_class)) continue;
    out.push_back(Candidate{&rule, SpecificityOf(rule.pattern), false, std::nullopt});
  }
  // The rules stand by pattern already.
  std::stable_sort(out.begin(), out.end(), [](const Candidate& a, const Candidate& b) {
    return MoreSpecific(a.specificity, b.specificity);
  });
  return out;
}

const Rule* InheritedRule(const Policy& policy, const std::vector<Candidate>& candidates,
                          std::string_view action_class) {
  if (!action_class.starts_with(kBelowPolicyEdit)) return nullptr;
  for (const Candidate& candidate : candidates) {
    if (candidate.rule->pattern.starts_with(kBelowPolicyEdit)) return nullptr;
  }
  for (const Rule& rule : policy.rules) {
    if (rule.pattern == kPolicyEdit) return &rule;
  }
  return nullptr;
}

void Choose(Ranking& ranking) {
  std::vector<Candidate>& all = ranking.candidates;
  const auto tied_end = std::find_if(all.begin(), all.end(), [&](const Candidate& candidate) {
    return candidate.specificity != all.front().specificity;
  });
  int strictest = 0;
  for (auto it = all.begin(); it != tied_end; ++it) {
    strictest = std::max(strictest, Strictness(it->rule->autonomy));
  }
  const auto is_strictest = [&](const Candidate& candidate) {
    return Strictness(candidate.rule->autonomy) == strictest;
  };
  const auto winner = std::find_if(all.begin(), tied_end, is_strictest);
  const auto as_strict = std::count_if(all.begin(), tied_end, is_strictest);
  ranking.all_allow_irreversible = true;
  for (auto it = all.begin(); it != tied_end; ++it) {
    it->tie_break = TieBreak::kTiedSpecificity;
    ranking.all_allow_irreversible = ranking.all_allow_irreversible && it->rule->allow_irreversible;
  }
  winner->winner = true;
  ranking.winner = winner->rule;
  if (tied_end - all.begin() == 1) {
    winner->tie_break = TieBreak::kSpecificity;
  } else {
    winner->tie_break = as_strict == 1 ? TieBreak::kStrictestAutonomy : TieBreak::kLexicographic;
  }
}

}  // namespace

std::string_view Spelling(TieBreak tie_break) {
  switch (tie_break) {
    case TieBreak::kSpecificity:
      return "specificity";
    case TieBreak::kStrictestAutonomy:
      return "strictest-autonomy";
    case TieBreak::kLexicographic:
      return "lexicographic";
    case TieBreak::kTiedSpecificity:
      return "tied-specificity";
  }
  return "";
}

Ranking Rank(const Policy& policy, std::string_view action_class) {
  Ranking out;
  out.candidates = MatchingRules(policy, action_class);
  if (const Rule* rule = InheritedRule(policy, out.candidates, action_class)) {
    out.candidates.push_back(
        Candidate{rule, SpecificityOf(rule->pattern), true, TieBreak::kSpecificity});
    std::rotate(out.candidates.begin(), out.candidates.end() - 1, out.candidates.end());
    out.winner = rule;
    out.inherited = true;
    out.all_allow_irreversible = rule->allow_irreversible;
  } else if (!out.candidates.empty()) {
    Choose(out);
  }
  return out;
}

}  // namespace approval::policy
