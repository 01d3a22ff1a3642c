// The policy's prompt block of a channel in the form that rendering takes.
#pragma once

#include <optional>
#include <string>

#include "core/policy/policy.h"
#include "render/minimal.h"
#include "render/rows.h"
#include "render/words.h"

namespace approval::channels {

// The clock of a channel's approver; nothing without a zone in the policy, or with one that this
// system does not know (doctor says so): times are UTC then.
std::optional<render::LocalTime> LocalTimeFor(const policy::Policy& policy,
                                              const std::string& channel);

// Nothing named for the channel means the shipped layout. Holds the channel's clock as well.
render::PromptRows PromptFor(const policy::Policy& policy, const std::string& channel);

// Nothing unless the channel's block says `style: minimal`. Telegram draws it; other surfaces take
// the block and ignore the style.
std::optional<render::MinimalStyle> MinimalFor(const policy::Policy& policy,
                                               const std::string& channel);

}  // namespace approval::channels
