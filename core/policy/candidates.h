// The rules that match a class, ranked, and the one that wins (core.md 4.7).
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/policy/pattern.h"
#include "core/policy/policy.h"

namespace approval::policy {

enum class TieBreak { kSpecificity, kStrictestAutonomy, kLexicographic, kTiedSpecificity };
std::string_view Spelling(TieBreak tie_break);

struct Candidate {
  const Rule* rule;  // into the policy
  Specificity specificity;
  bool winner = false;
  std::optional<TieBreak> tie_break;
};

struct Ranking {
  std::vector<Candidate> candidates;    // most specific first, then by pattern
  const Rule* winner = nullptr;         // nothing matched
  bool inherited = false;               // the winner is `policy.edit`, for a class below it
  bool all_allow_irreversible = false;  // every rule tied with the winner
};

// A class below `policy.edit.` without a rule of its own (a pattern that begins with
// `policy.edit.`) takes the rule `policy.edit` when there is one, whatever broader pattern matches
// it.
Ranking Rank(const Policy& policy, std::string_view action_class);

}  // namespace approval::policy
