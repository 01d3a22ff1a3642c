// The policy's prompt block of a channel in the form that rendering takes.
#pragma once

#include <string>

#include "core/policy/policy.h"
#include "render/rows.h"

namespace approval::channels {

// Nothing named for the channel means the shipped layout.
render::PromptRows PromptFor(const policy::Policy& policy, const std::string& channel);

}  // namespace approval::channels
