#include "core/policy/markdown_block.h"

#include <optional>

#include "core/base/utf8.h"

namespace approval::policy {
namespace {

struct Fence {
  std::size_t ticks;
  std::string_view rest;  // behind the ticks
};

std::optional<Fence> FenceOf(std::string_view line) {
  std::size_t start = 0;
  while (start < line.size() && start < 4 && line[start] == ' ') ++start;
  if (start > 3) return std::nullopt;
  std::size_t end = start;
  while (end < line.size() && line[end] == '`') ++end;
  if (end - start < 3) return std::nullopt;
  return Fence{end - start, line.substr(end)};
}

// Ends trimmed, each run of white space one space.
std::string NormalInfo(std::string_view info) {
  std::string out;
  bool gap = false;
  for (std::size_t at = 0; at < info.size();) {
    const base::CodePoint point = base::DecodeAt(info, at);
    if (point.ok && base::IsEcmaSpace(point.value)) {
      gap = !out.empty();
    } else {
      if (gap) out += ' ';
      gap = false;
      out += info.substr(at, point.length);
    }
    at += point.length;
  }
  return out;
}

bool Closes(std::string_view line, std::size_t ticks) {
  const std::optional<Fence> fence = FenceOf(line);
  return fence && fence->ticks >= ticks &&
         fence->rest.find_first_not_of(" \t") == std::string_view::npos;
}

}  // namespace

std::vector<std::string_view> SplitLines(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t end = text.find_first_of("\r\n");
    out.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    const bool pair = text[end] == '\r' && end + 1 < text.size() && text[end + 1] == '\n';
    text.remove_prefix(end + (pair ? 2 : 1));
  }
  return out;
}

base::Result<std::string> PolicyBlock(std::string_view markdown) {
  std::optional<std::string> found;
  std::size_t ticks = 0;  // of the open fence, 0 outside
  bool is_policy = false;
  std::string block;
  std::size_t blocks = 0;
  for (const std::string_view line : SplitLines(markdown)) {
    if (ticks == 0) {
      const std::optional<Fence> fence = FenceOf(line);
      if (!fence || fence->rest.find('`') != std::string_view::npos) continue;
      ticks = fence->ticks;
      is_policy = NormalInfo(fence->rest) == "yaml approval-policy";
      block.clear();
    } else if (Closes(line, ticks)) {
      ticks = 0;
      if (!is_policy) continue;
      ++blocks;
      if (!block.empty()) block.pop_back();
      found = block;
    } else if (is_policy) {
      block += line;
      block += '\n';
    }
  }
  if (ticks != 0 && is_policy) {
    return base::Fail(base::Code::kNoBlock,
                      "the policy fence is never closed; end it with a line of backticks");
  }
  if (blocks > 1) {
    return base::Fail(base::Code::kMultipleBlocks,
                      "the file holds more than one ```yaml approval-policy block; keep one");
  }
  if (!found) {
    return base::Fail(base::Code::kNoBlock,
                      "the file holds no ```yaml approval-policy block; add one");
  }
  return *found;
}

}  // namespace approval::policy
