#include "core/policy/prompt_rows.h"

#include <array>

namespace approval::policy {
namespace {

constexpr std::array<std::string_view, kPromptRowCount> kNames = {"action_key",
                                                                  "task",
                                                                  "class",
                                                                  "command_breakdown",
                                                                  "protected_path",
                                                                  "policy_diff",
                                                                  "policy_load",
                                                                  "autonomy",
                                                                  "provenance",
                                                                  "state",
                                                                  "requested_ts",
                                                                  "waiting",
                                                                  "ttl_remaining_ms",
                                                                  "payload_hash",
                                                                  "attestation",
                                                                  "budgets",
                                                                  "chain",
                                                                  "token_delivery",
                                                                  "est_cost_usd",
                                                                  "gloss",
                                                                  "summary",
                                                                  "rationale",
                                                                  "confidence"};

}  // namespace

std::string_view Spelling(PromptRow row) { return kNames[static_cast<std::size_t>(row)]; }

std::optional<PromptRow> PromptRowFrom(std::string_view text) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == text) return static_cast<PromptRow>(i);
  }
  return std::nullopt;
}

bool IsRequired(PromptRow row) {
  return row == PromptRow::kActionKey || row == PromptRow::kClass ||
         row == PromptRow::kCommandBreakdown || row == PromptRow::kProtectedPath ||
         row == PromptRow::kPolicyDiff || row == PromptRow::kPolicyLoad;
}

}  // namespace approval::policy
