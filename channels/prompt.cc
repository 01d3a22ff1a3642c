#include "channels/prompt.h"

#include "core/base/time_zone.h"

namespace approval::channels {
namespace {

std::vector<std::string> Names(const std::vector<policy::PromptRow>& rows) {
  std::vector<std::string> names;
  for (const policy::PromptRow row : rows) names.emplace_back(policy::Spelling(row));
  return names;
}

}  // namespace

std::optional<render::LocalTime> LocalTimeFor(const policy::Policy& policy,
                                              const std::string& channel) {
  const auto named = policy.channels.zones.find(channel);
  if (named == policy.channels.zones.end()) return std::nullopt;
  const auto zone = base::TimeZone::Load(named->second);
  if (!zone) return std::nullopt;
  return render::LocalTime{zone->place(),
                           [zone = *zone](std::int64_t at) { return zone.OffsetMs(at); }};
}

render::PromptRows PromptFor(const policy::Policy& policy, const std::string& channel) {
  render::PromptRows prompt;
  prompt.local = LocalTimeFor(policy, channel);
  const auto block = policy.channels.prompts.find(channel);
  if (block == policy.channels.prompts.end()) return prompt;
  prompt.rows = Names(block->second.rows);
  prompt.always = Names(block->second.always);
  prompt.hide = Names(block->second.hide);
  return prompt;
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
