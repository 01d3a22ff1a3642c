#include "channels/telegram/markup.h"

#include <algorithm>

#include "core/base/utf8.h"
#include "render/clusters.h"
#include "render/quote.h"

namespace approval::telegram {
namespace {

constexpr std::string_view kMarkBegin = "«";
constexpr std::string_view kMarkEnd = "»";

struct Tags {
  std::string_view open;
  std::string_view close;
};

Tags TagsOf(Style style) {
  switch (style) {
    case Style::kText:
      break;
    case Style::kBold:
      return {"<b>", "</b>"};
    case Style::kItalic:
      return {"<i>", "</i>"};
    case Style::kCode:
      return {"<code>", "</code>"};
    case Style::kPre:
      return {"<pre>", "</pre>"};
    case Style::kExpandable:
      return {"<blockquote expandable>", "</blockquote>"};
  }
  return {"", ""};
}

// Bytes of the piece at `offset` that may not be cut: a whole mark or one cluster.
std::size_t PieceAt(std::string_view quoted, std::size_t offset) {
  const std::string_view rest = quoted.substr(offset);
  if (rest.starts_with(kMarkBegin)) {
    const std::size_t end = rest.find(kMarkEnd);
    if (end != std::string_view::npos) return end + kMarkEnd.size();
  }
  return render::NextCluster(quoted, offset).bytes;
}

}  // namespace

void Append(Marked& out, Style style, std::string text) {
  if (text.empty()) return;
  if (style == Style::kText && !out.empty() && out.back().style == Style::kText) {
    out.back().text += text;
    return;
  }
  out.push_back({style, std::move(text)});
}

void Append(Marked& out, const Marked& more) {
  for (const Span& span : more) Append(out, span.style, span.text);
}

std::string ToHtml(const Marked& text) {
  std::string out;
  for (const Span& span : text) {
    const Tags tags = TagsOf(span.style);
    out += std::string(tags.open) + render::EscapeTelegram(span.text) + std::string(tags.close);
  }
  return out;
}

std::string ToPlain(const Marked& text) {
  std::string out;
  for (const Span& span : text) out += span.text;
  return out;
}

std::size_t UnitsOf(const Marked& text) {
  std::size_t units = 0;
  for (const Span& span : text) units += base::CountUtf16Units(span.text);
  return units;
}

std::string CutQuoted(std::string_view quoted, std::size_t max_units) {
  if (quoted.size() <= max_units || base::CountUtf16Units(quoted) <= max_units) {
    return std::string(quoted);
  }
  std::size_t end = 0;
  std::size_t units = 0;
  while (end < quoted.size()) {
    const std::size_t bytes = PieceAt(quoted, end);
    units += base::CountUtf16Units(quoted.substr(end, bytes));
    if (units > max_units) break;
    end += bytes;
  }
  return std::string(quoted.substr(0, end)) +
         "«cut: " + std::to_string(base::CountCodePoints(quoted.substr(end))) + " more characters»";
}

}  // namespace approval::telegram
