// Reads JSON text into Boost.JSON values, strictly and within bounds.
//
// Boost's own parser is not used: 1.81 rounds numbers inexactly and refuses lone surrogates, and
// both decide hashes. Numbers become int64 when written as integers within +-2^53, else the
// correctly rounded double (1e400 is infinity, 1e-400 is zero, -0 is minus zero). Strings are
// UTF-8; in lenient mode a lone surrogate escape is kept as three WTF-8 bytes. core.md 2.3.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <boost/json/value.hpp>
#include <tl/expected.hpp>

namespace approval::base {

using Json = boost::json::value;
using JsonObject = boost::json::object;
using JsonArray = boost::json::array;

struct JsonLimits {
  std::size_t max_depth;         // nesting of arrays and objects
  std::size_t max_bytes;         // size of the text
  bool allow_duplicate_members;  // the last one counts
  bool allow_lone_surrogates;    // kept as WTF-8
};

// For what enters: payloads, API bodies, arguments (spec README item 19).
inline constexpr JsonLimits kStrictJson{512, std::size_t{16} << 20, false, false};
// For lines of a log and other files that were written earlier.
inline constexpr JsonLimits kLenientJson{4000, std::size_t{1} << 30, true, true};

enum class JsonFault { kSyntax, kTooDeep, kTooLarge, kDuplicateMember, kLoneSurrogate, kBadUtf8 };

struct JsonError {
  JsonFault fault;
  std::size_t offset;   // bytes from the start of the text
  std::string message;  // one sentence, holds no part of the text
};

// One whole JSON text, white space around it allowed. Never throws, never reads past the view.
tl::expected<Json, JsonError> ParseJson(std::string_view text, const JsonLimits& limits);

// The value as an integer when it is a number without fraction in the range of int64 that a double
// holds exactly (1, 1.0 and 2e0 are integers), else nothing.
std::optional<std::int64_t> AsInteger(const Json& value);

// Whether the value is a number without fraction, whatever its size (1e300 is).
bool IsIntegral(const Json& value);

// Any number as a double, else nothing.
std::optional<double> AsDouble(const Json& value);

// The member as a string view into `object`, else nothing.
std::optional<std::string_view> StringMember(const JsonObject& object, std::string_view name);

// A list of these strings.
JsonArray TextArray(std::span<const std::string> texts);

// Compact text with members in their own order; for output to programs, not for hashing. A value
// that has no JSON form (a number that is not finite) is `null`.
std::string ToText(const Json& value);

}  // namespace approval::base
