// The canonical block: the text of a payload that every surface shows, and its digest
// (channels.md 2.1, 2.3 to 2.7).
//
// A pure function of (payload, class): no clock, locale, environment or randomness. Equal canonical
// forms give equal bytes, whatever the order of members; two payloads that differ, or two classes,
// never give equal lines, the hash line aside. Every byte of the payload is in it, quoted.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/json.h"
#include "render/shape.h"

namespace approval::render {

// Part of the hashed text: every change of output is a new name.
inline constexpr std::string_view kRendererName = "approval/canonical/1";

struct Canonical {
  std::string text;          // lines joined with U+000A, none at the end
  std::string display_hash;  // SHA-256 of `text`, 64 hex
  std::string payload_hash;  // SHA-256 of the payload's RFC 8785 form, 64 hex
  Shape shape;
  base::Json payload;  // the same payload, members in canonical order, numbers as hashed
};

// Fails `payload-unrenderable` for a payload without a canonical form (a number that is not finite,
// a lone surrogate, nesting beyond 512, more than 16 MiB).
base::Result<Canonical> CanonicalBlock(const base::Json& payload, std::string_view action_class);

// The lines of a text without their ends, at least one; views into it.
std::vector<std::string_view> LinesOf(std::string_view text);

}  // namespace approval::render
