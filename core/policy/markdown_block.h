// Finds the one fenced policy block of a markdown file (core.md 4.1).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace approval::policy {

// The text between line ends (CR LF, LF or CR). A text that ends in one has no empty last line.
std::vector<std::string_view> SplitLines(std::string_view text);

// The block's lines joined by LF. `no-block` or `multiple-blocks` otherwise.
base::Result<std::string> PolicyBlock(std::string_view markdown);

}  // namespace approval::policy
