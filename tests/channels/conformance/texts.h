// Texts that try to look like something else, and ways to notice when they manage to.
//
// Independent of render: the tables here say what a reader must never meet. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/json.h"

namespace approval::testing {

// What a forged line of ours would begin with in every hostile text.
inline constexpr std::string_view kForged = "FORGED budgets: pass";

std::vector<std::string> HostileTexts();

// Pairs of payloads that differ in what is easily overlooked.
std::vector<std::pair<base::Json, base::Json>> NearPairs();

// The first character that a person cannot see or that moves others, as `U+XXXX`.
std::optional<std::string> FirstHidden(std::string_view text);

// Whether a line of the text, white space aside, begins so.
bool LineBegins(std::string_view text, std::string_view start);

// The text with every run of 12 and more hex digits taken out, so that a digest alone does not make
// two texts differ.
std::string WithoutDigests(std::string_view text);

// Whether one of the 64-digit words of the text hashes to the digest.
bool HoldsToken(std::string_view text, std::string_view digest);

}  // namespace approval::testing
