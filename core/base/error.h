// An error is a stable code out of a closed enum and one sentence for a person.
//
// Codes are listed in codes.def; their spellings are part of the product's contract and pinned by
// tests. `details` holds the optional members that core.md section 6.4 allows beside code and
// message (`state`, `verdicts`, `seq`, ...). `cause` is the code of the layer below, where an exit
// code depends on it (`append-failed`). No message ever holds a secret.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <boost/json/object.hpp>
#include <tl/expected.hpp>

namespace approval::base {

enum class Code {
#define APPROVAL_CODE(name, spelling) name,
#include "core/base/codes.def"
#undef APPROVAL_CODE
};

// The stable spelling, valid for the life of the program.
std::string_view Spelling(Code code);

struct Error {
  Code code;
  std::string message;
  boost::json::object details{};
  std::optional<Code> cause{};
};

template <typename T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> Fail(Code code, std::string message) {
  return tl::unexpected<Error>(Error{code, std::move(message)});
}

inline tl::unexpected<Error> Fail(Error error) { return tl::unexpected<Error>(std::move(error)); }

}  // namespace approval::base
