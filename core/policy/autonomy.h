// The levels of autonomy, how strict each is, and their spellings (core.md 4.4, 4.5).
#pragma once

#include <optional>
#include <string_view>

namespace approval::policy {

// `supervised` and `supervised-retro` mean the same; the spelling of the policy is kept for output.
enum class Autonomy {
  kHumanOnly,
  kManual,
  kSupervisedLive,
  kSupervised,
  kSupervisedRetro,
  kAutonomous,
};

std::string_view Spelling(Autonomy autonomy);
std::optional<Autonomy> AutonomyFrom(std::string_view text);

// Greater is stricter; the two spellings of retrospective supervision are equal.
int Strictness(Autonomy autonomy);

// Any of the three supervised levels.
bool IsSupervised(Autonomy autonomy);

// Retrospective supervision under either spelling.
bool IsRetrospective(Autonomy autonomy);

}  // namespace approval::policy
