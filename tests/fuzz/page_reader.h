// Reads the page's HTML stricter than a browser: every element that opens closes in its order,
// attributes are quoted, and `&`, `<` and `>` stand in text as entities alone.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace approval::fuzz {

struct ReadPage {
  std::string fault;                              // empty: well formed
  std::string text;                               // of all elements, entities read
  std::vector<std::vector<std::string>> regions;  // the lines of each `class="bytes"`
};

ReadPage ReadHtml(std::string_view html);

}  // namespace approval::fuzz
