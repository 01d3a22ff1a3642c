// A line diff of two texts, for reading: which lines go, which come, which stay.
//
// Promise: the edits in order give back both line lists. Exact longest common subsequence while the
// changed middle has at most kMaxDiffCells pairs of lines; beyond that the middle is one
// replacement, in linear time. Deterministic.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace approval::render {

inline constexpr std::size_t kMaxDiffCells = std::size_t{1} << 22;

enum class Edit { kKeep, kRemove, kAdd };

struct DiffLine {
  Edit edit;
  std::string_view text;  // into the argument
  std::size_t before;     // number of the line in the old text, from 1; of the next one for kAdd
  std::size_t after;      // the same in the new text; of the next one for kRemove
};

// Lines without their line feeds; a final line feed begins no further line, and "" has no lines.
std::vector<std::string_view> SplitLines(std::string_view text);

// The views stay valid as long as the two texts.
std::vector<DiffLine> DiffLines(std::string_view before, std::string_view after);

}  // namespace approval::render
