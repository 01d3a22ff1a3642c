#include "core/policy/autonomy.h"

#include <array>

namespace approval::policy {
namespace {

constexpr std::array kLevels = {Autonomy::kHumanOnly,       Autonomy::kManual,
                                Autonomy::kSupervisedLive,  Autonomy::kSupervised,
                                Autonomy::kSupervisedRetro, Autonomy::kAutonomous};

}  // namespace

std::string_view Spelling(Autonomy autonomy) {
  switch (autonomy) {
    case Autonomy::kHumanOnly:
      return "human-only";
    case Autonomy::kManual:
      return "manual";
    case Autonomy::kSupervisedLive:
      return "supervised-live";
    case Autonomy::kSupervised:
      return "supervised";
    case Autonomy::kSupervisedRetro:
      return "supervised-retro";
    case Autonomy::kAutonomous:
      return "autonomous";
  }
  return "";
}

std::optional<Autonomy> AutonomyFrom(std::string_view text) {
  for (const Autonomy level : kLevels) {
    if (Spelling(level) == text) return level;
  }
  return std::nullopt;
}

int Strictness(Autonomy autonomy) {
  switch (autonomy) {
    case Autonomy::kHumanOnly:
      return 4;
    case Autonomy::kManual:
      return 3;
    case Autonomy::kSupervisedLive:
      return 2;
    case Autonomy::kSupervised:
    case Autonomy::kSupervisedRetro:
      return 1;
    case Autonomy::kAutonomous:
      return 0;
  }
  return 4;
}

bool IsSupervised(Autonomy autonomy) {
  return autonomy == Autonomy::kSupervisedLive || IsRetrospective(autonomy);
}

bool IsRetrospective(Autonomy autonomy) {
  return autonomy == Autonomy::kSupervised || autonomy == Autonomy::kSupervisedRetro;
}

}  // namespace approval::policy
