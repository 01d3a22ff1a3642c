// A message as styled spans: one text that becomes Telegram HTML or plain text (channels.md 2.9,
// 3.4).
//
// Spans hold raw text; escaping happens here alone, after every cut. The two forms hold the same
// characters, so the length that Telegram counts (UTF-16 units after parsing) is the plain form's.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace approval::telegram {

enum class Style {
  kText,
  kBold,
  kItalic,
  kCode,        // foreign text of one line; no links are made inside
  kPre,         // foreign text of several lines
  kExpandable,  // folded quote; holds no other style
};

struct Span {
  Style style = Style::kText;
  std::string text;
};

using Marked = std::vector<Span>;

inline constexpr std::size_t kMaxMessageUnits = 4096;

void Append(Marked& out, Style style, std::string text);
void Append(Marked& out, const Marked& more);

std::string ToHtml(const Marked& text);
std::string ToPlain(const Marked& text);
std::size_t UnitsOf(const Marked& text);

// A quoted line of render in at most about `max_units` UTF-16 units: whole when it fits, else cut
// between clusters, never inside a mark, with `«cut: N more characters»` behind it.
std::string CutQuoted(std::string_view quoted, std::size_t max_units);

}  // namespace approval::telegram
