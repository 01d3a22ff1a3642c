#include "core/policy/frontmatter.h"

#include <string>
#include <utility>
#include <vector>

#include "core/policy/markdown_block.h"
#include "core/policy/yaml.h"

namespace approval::policy {

base::Result<base::JsonObject> ParseFrontmatter(std::string_view text) {
  const std::vector<std::string_view> lines = SplitLines(text);
  if (lines.empty() || lines.front() != "---") {
    return base::Fail(base::Code::kNoFrontmatter,
                      "the file does not begin with a line of exactly ---; add its frontmatter");
  }
  std::string content;
  std::size_t at = 1;
  for (; at < lines.size() && lines[at] != "---"; ++at) {
    content += lines[at];
    content += '\n';
  }
  if (at == lines.size()) {
    return base::Fail(base::Code::kUnterminated,
                      "the frontmatter is never closed; end it with a line of exactly ---");
  }
  base::Result<base::Json> value = ParseYaml(content);
  if (!value) return base::Fail(std::move(value.error()));
  if (value->is_null()) return base::JsonObject();
  if (!value->is_object()) {
    return base::Fail(base::Code::kNotAMap, "the frontmatter is not a map of keys and values");
  }
  return std::move(value->get_object());
}

}  // namespace approval::policy
