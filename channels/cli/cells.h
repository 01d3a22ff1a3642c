// How wide quoted text stands on a terminal, and where it may be cut into rows.
//
// A cell is one column. Widths are those of the C library's Unicode tables; a joined emoji counts
// the sum of its parts, so a row is never wider than said. Pure functions, any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace approval::channels::cli {

// Cells of quoted text; what may not be shown raw counts one per code point.
std::size_t Cells(std::string_view quoted);

// Rows that give the text back when they are joined. A row ends behind a blank where it can, never
// inside a cluster, and inside a mark only when the mark alone is wider than a row. At least one
// row; widths count as at least 2, since an ideograph needs them.
std::vector<std::string> WrapCells(std::string_view quoted, std::size_t first_width,
                                   std::size_t rest_width);

// The text in one row of at most `width` cells; `…` ends what was cut. For labels of ours.
std::string FitCells(std::string_view quoted, std::size_t width);

}  // namespace approval::channels::cli
