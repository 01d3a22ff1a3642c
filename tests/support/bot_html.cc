#include "tests/support/bot_html.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace approval::testing {
namespace {

constexpr std::array<std::pair<std::string_view, char>, 4> kEntities = {
    {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}}};

bool IsOpen(const std::vector<std::string>& stack, std::string_view name) {
  return std::find(stack.begin(), stack.end(), name) != stack.end();
}

// What is wrong with opening this tag here; empty: nothing.
std::string Opening(const std::vector<std::string>& stack, std::string_view name) {
  if (IsOpen(stack, "code") || IsOpen(stack, "pre")) return "a tag inside code";
  const bool block = name == "code" || name == "pre" || name == "blockquote";
  if (block && IsOpen(stack, "blockquote")) return "code or a quote inside a quote";
  return "";
}

}  // namespace

tl::expected<std::string, std::string> ParseBotHtml(std::string_view html) {
  std::string out;
  std::vector<std::string> stack;
  for (std::size_t i = 0; i < html.size();) {
    const std::string_view rest = html.substr(i);
    if (rest.front() == '&') {
      const auto* entity = std::find_if(kEntities.begin(), kEntities.end(),
                                        [&](const auto& e) { return rest.starts_with(e.first); });
      if (entity == kEntities.end()) return tl::unexpected<std::string>("a bare &");
      out.push_back(entity->second);
      i += entity->first.size();
      continue;
    }
    if (rest.front() != '<') {
      out.push_back(rest.front());
      ++i;
      continue;
    }
    const std::size_t end = rest.find('>');
    if (end == std::string_view::npos) return tl::unexpected<std::string>("an open tag");
    std::string_view tag = rest.substr(1, end - 1);
    i += end + 1;
    if (tag.starts_with('/')) {
      if (stack.empty() || stack.back() != tag.substr(1)) {
        return tl::unexpected<std::string>("a closing tag that closes nothing");
      }
      stack.pop_back();
      continue;
    }
    if (tag == "blockquote expandable") tag = "blockquote";
    if (tag != "b" && tag != "i" && tag != "code" && tag != "pre" && tag != "blockquote") {
      return tl::unexpected<std::string>("unsupported start tag");
    }
    if (std::string fault = Opening(stack, tag); !fault.empty()) {
      return tl::unexpected<std::string>(std::move(fault));
    }
    stack.emplace_back(tag);
  }
  if (!stack.empty()) return tl::unexpected<std::string>("a tag that is never closed");
  return out;
}

}  // namespace approval::testing
