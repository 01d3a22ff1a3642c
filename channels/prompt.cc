#include "channels/prompt.h"

namespace approval::channels {
namespace {

std::vector<std::string> Names(const std::vector<policy::PromptRow>& rows) {
  std::vector<std::string> names;
  for (const policy::PromptRow row : rows) names.emplace_back(policy::Spelling(row));
  return names;
}

}  // namespace

render::PromptRows PromptFor(const policy::Policy& policy, const std::string& channel) {
  const auto block = policy.channels.prompts.find(channel);
  if (block == policy.channels.prompts.end()) return {};
  return {Names(block->second.rows), Names(block->second.always), Names(block->second.hide)};
}

std::optional<render::MinimalStyle> MinimalFor(const policy::Policy& policy,
                                               const std::string& channel) {
  const auto block = policy.channels.prompts.find(channel);
  if (block == policy.channels.prompts.end() ||
      block->second.style != policy::PromptStyle::kMinimal) {
    return std::nullopt;
  }
  render::MinimalStyle style;
  for (const auto& [name, say] : block->second.say) {
    style.say[name] = {say.does, say.quote, say.note_is_summary};
  }
  return style;
}

}  // namespace approval::channels
