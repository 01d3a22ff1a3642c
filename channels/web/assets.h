// The page's two fixed files: one style sheet, one script. Both names carry their digest.
#pragma once

#include <string>
#include <string_view>

namespace approval::channels::web {

struct Asset {
  std::string path;       // `/style-<12 hex>.css`
  std::string integrity;  // `sha256-<base64>`
  std::string_view content_type;
  std::string_view body;
};

const Asset& StyleSheet();
const Asset& Script();

}  // namespace approval::channels::web
