// Cuts text into the pieces that quoting keeps or marks: the inside of quote.cc (channels.md 2.9).
//
// A base with its combining marks (at most four) is one piece, so is a joined emoji; everything
// that may not be shown raw is a piece of one code point. Every byte of the text is in exactly one
// piece.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/utf8.h"

namespace approval::render {

enum class ClusterKind {
  kText,       // shown as it is
  kInvisible,  // never raw: cannot be seen, or has no meaning yet
  kOddSpace,   // never raw: a space that is not U+0020
  kLoneMark,   // a combining mark without a base, or the fifth and later of one base
  kOurMark,    // « » ⏎ │ →
  kBadByte,    // not UTF-8
};

struct Cluster {
  ClusterKind kind;
  char32_t value;           // first code point, or the byte
  std::size_t bytes;        // at least 1
  std::size_t code_points;  // bad bytes count one each
};

// « » ⏎ │ →
bool IsOurMark(char32_t code_point);

// The piece at `offset`, which is inside the text and at the begin of a piece.
Cluster NextCluster(std::string_view text, std::size_t offset);

// `«U+202E»`, `«0xFF»`, with `×N` when `run` is above 1.
std::string MarkOf(const Cluster& cluster, std::size_t run);

}  // namespace approval::render
