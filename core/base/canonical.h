// The canonical form of a JSON value (RFC 8785) and its digest, which identify payloads and
// records.
//
// Members sorted by UTF-16 units, no white space, numbers in ECMAScript's layout, lone surrogates
// as \udxxx. core.md 2.4. Pure functions, any thread.
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/json.h"

namespace approval::base {

// Deepest nesting of a value that gets a canonical form when writing.
inline constexpr std::size_t kMaxWriteDepth = 512;
// The same when proving what somebody else wrote.
inline constexpr std::size_t kMaxReadDepth = 4000;

// Fails `canonicalization` for NaN, infinities and nesting beyond `max_depth`; `out` untouched then
// is not promised.
Result<std::string> Canonicalize(const Json& value, std::size_t max_depth = kMaxWriteDepth);

// The canonical form of an object without the named member (a record without its `hash`).
Result<std::string> CanonicalizeWithout(const JsonObject& object, std::string_view left_out,
                                        std::size_t max_depth = kMaxWriteDepth);

// SHA-256, 64 lowercase hex, over the canonical form.
Result<std::string> CanonicalHash(const Json& value);

// The number's text in ECMAScript's layout; `number` must be finite.
std::string NumberText(double number);

}  // namespace approval::base
