#include "render/canonical_block.h"

#include <algorithm>

#include "core/base/canonical.h"
#include "core/base/sha256.h"
#include "render/quote.h"
#include "render/views.h"

namespace approval::render {
namespace {

constexpr std::string_view kBegin = "===== the exact bytes begin =====";
constexpr std::string_view kEnd = "===== the exact bytes end =====";

std::string Join(const Lines& lines) {
  std::size_t size = 0;
  for (const std::string& line : lines) size += line.size() + 1;
  std::string out;
  out.reserve(size);
  for (const std::string& line : lines) {
    if (!out.empty()) out.push_back('\n');
    out += line;
  }
  return out;
}

}  // namespace

base::Result<Canonical> CanonicalBlock(const base::Json& payload, std::string_view action_class) {
  base::Result<std::string> bytes = base::Canonicalize(payload);
  if (!bytes) return base::Fail(base::Code::kPayloadUnrenderable, bytes.error().message);
  // Read back: members in canonical order and numbers as hashed, so that a payload out of the store
  // and the same one as it was handed in give the same block.
  auto value = base::ParseJson(*bytes, base::kStrictJson);
  if (!value) {
    return base::Fail(base::Code::kPayloadUnrenderable,
                      "the payload cannot be shown: " + value.error().message);
  }
  Canonical out;
  out.payload_hash = base::Sha256Hex(*bytes);
  out.shape = DetectShape(*value);
  Lines lines;
  lines.emplace_back(kBegin);
  lines.push_back("renderer: " + std::string(kRendererName));
  lines.push_back("class: " + QuoteLine(action_class));
  lines.push_back("payload kind: " + std::string(Spelling(out.shape)));
  lines.push_back("payload sha256: " + out.payload_hash);
  lines.emplace_back();
  for (std::string& line : ViewOf(out.shape, *value)) lines.push_back(std::move(line));
  lines.push_back("stored as .approval/payloads/" + out.payload_hash +
                  ".json, checked against this hash on every read");
  lines.emplace_back(kEnd);
  out.text = Join(lines);
  out.display_hash = base::Sha256Hex(out.text);
  out.payload = std::move(*value);
  return out;
}

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

}  // namespace approval::render
