// The one way in which payload and agent text reaches a person (channels.md 2.9).
//
// Promise: what comes back holds no control, format, bidirectional, ignorable or unassigned code
// point, no unusual space and no unpaired combining mark; each is drawn `«U+XXXX»` (ill-formed
// bytes `«0xFF»`, a run of four or more of one kind `«U+XXXX×N»`). The mark characters « » ⏎ │ → in
// the text are marked themselves, so no text imitates a mark, and Unquote gives the text back. A
// joiner or U+FE0F inside a well-formed emoji sequence and at most four combining marks on a base
// stay. Runs of more than 40 spaces and of more than 8 blank lines are drawn as a count. The output
// holds quotes, `<` and `&` as they are: a surface escapes for its own markup, and only for that.
// Pure functions, any thread, any bytes in.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace approval::render {

inline constexpr std::size_t kWhole = std::numeric_limits<std::size_t>::max();

// One line; a line feed is drawn ` ⏎ `. When more than `max_code_points` code points would be
// drawn, it ends earlier, never inside a mark or a cluster, with `«cut: N more characters»` behind
// it (not counted in the limit). N counts code points of `text`.
std::string QuoteLine(std::string_view text, std::size_t max_code_points = kWhole);

enum class TabRule {
  kMark,   // a tab is `«U+0009»`
  kArrow,  // a tab is `→` and three spaces (command and file views; the view's legend says so)
};

// A region of several lines: a line feed ends a line, so the text `a\n` gives "a" and "". A run of
// blank lines is one line `«N blank lines»`. At least one line.
std::vector<std::string> QuoteLines(std::string_view text, TabRule tabs);

// The text that QuoteLine, or QuoteLines joined with line feeds, was given. Nothing for a cut text,
// for a mark that is not well formed, and for more than 64 MiB.
std::optional<std::string> Unquote(std::string_view quoted);

// The line behind the bar that no line of ours begins with: `│ text`, or `│` when empty.
std::string Barred(std::string_view quoted_line);

// Code points of the text that quoting hides behind a mark because they cannot be seen: not unusual
// spaces, tabs, the carriage return of a line end, or our own mark characters.
std::size_t CountInvisible(std::string_view text);

// The longest run of spaces or of blank lines was drawn as a count.
bool HasPadding(std::string_view text);

std::string EscapeHtml(std::string_view text);             // & < > " '
void AppendHtml(std::string& out, std::string_view text);  // the same behind `out`
std::string EscapeTelegram(std::string_view text);         // & < >

}  // namespace approval::render
