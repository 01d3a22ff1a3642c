// The closed list of rows of a prompt, and the policy's block that orders, raises and hides them.
//
// channels.md 1.10, core.md 4.5. Loading has proved the block: no row is in both `always` and
// `hide`, no required row is hidden, no row is listed twice.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace approval::policy {

// In the order of the vocabulary.
enum class PromptRow {
  kActionKey,
  kTask,
  kClass,
  kCommandBreakdown,
  kProtectedPath,
  kPolicyDiff,
  kPolicyLoad,
  kAutonomy,
  kProvenance,
  kState,
  kRequestedTs,
  kWaiting,
  kTtlRemainingMs,
  kPayloadHash,
  kAttestation,
  kBudgets,
  kChain,
  kTokenDelivery,
  kEstCostUsd,
  kGloss,
  kSummary,
  kRationale,
  kConfidence,
};

inline constexpr int kPromptRowCount = 23;

std::string_view Spelling(PromptRow row);
std::optional<PromptRow> PromptRowFrom(std::string_view text);

// Whether `hide` may not name the row.
bool IsRequired(PromptRow row);

enum class PromptStyle { kTechnical, kMinimal };

// How the short card words one class.
struct PromptSay {
  std::optional<std::string> does;  // absent for a class with its own phrase
  std::map<std::string, std::optional<std::string>> quote;  // payload key -> label; nothing: hidden
  bool note_is_summary = true;
};

struct PromptBlock {
  std::vector<PromptRow> rows;  // these first, in this order; all others keep their place behind
  std::vector<PromptRow> always;
  std::vector<PromptRow> hide;
  PromptStyle style = PromptStyle::kTechnical;
  std::map<std::string, PromptSay> say;  // by concrete class
};

}  // namespace approval::policy
