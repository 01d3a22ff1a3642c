// The shapes of names that the convention fixes: actors, classes, keys.
#pragma once

#include <string>
#include <string_view>

namespace approval::base {

// `human:` or `agent:` or `system:` and at least one character that is not LF, CR, U+2028, U+2029;
// the rest is free (core.md 2.1).
bool IsActor(std::string_view text);

// The same with this one prefix ("human:", "agent:").
bool IsActorOf(std::string_view prefix, std::string_view text);

bool IsHuman(std::string_view text);
bool IsHumanOrAgent(std::string_view text);

// A concrete class: segments `[a-z0-9][a-z0-9_-]*` joined by dots (core.md 4.6).
bool IsConcreteClass(std::string_view text);

// One segment of the same.
bool IsIdentifier(std::string_view text);

}  // namespace approval::base
