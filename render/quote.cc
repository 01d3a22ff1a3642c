#include "render/quote.h"

#include <algorithm>

#include "core/base/char_table.h"
#include "core/base/utf8.h"
#include "render/clusters.h"

namespace approval::render {
namespace {

constexpr std::size_t kRun = 4;           // equal marks from here on are counted
constexpr std::size_t kSpaceRun = 41;     // spaces from here on are counted
constexpr std::size_t kBlankLineRun = 9;  // blank lines from here on are counted

std::size_t RunLength(std::string_view text, std::size_t offset, const Cluster& cluster) {
  const std::string_view unit = text.substr(offset, cluster.bytes);
  std::size_t count = 0;
  for (std::size_t at = offset; text.substr(at, unit.size()) == unit; at += unit.size()) ++count;
  return count;
}

bool IsAscii(char c) { return static_cast<unsigned char>(c) < 0x80; }

// Printable ASCII other than the space.
bool IsGraphic(char c) { return c > ' ' && c < 0x7F; }

// A character beyond ASCII that is drawn as it is and joins nothing but marks behind it.
bool IsPlainLetter(char32_t cp) {
  return base::ClassOf(cp) == base::CharClass::kPlain && !IsOurMark(cp) &&
         !base::IsPictographic(cp);
}

// Where the characters end, from `offset` on, that are drawn as they are and with which nothing
// combines; found without cutting them into clusters.
std::size_t PlainEnd(std::string_view text, std::size_t offset) {
  std::size_t last = offset;  // where the last of them begins
  for (std::size_t at = offset; at < text.size();) {
    std::size_t length = 1;
    if (!IsGraphic(text[at])) {
      if (IsAscii(text[at])) return at;
      const base::CodePoint cp = base::DecodeAt(text, at, true);
      // What is special may combine with the one before it.
      if (!cp.ok || !IsPlainLetter(cp.value)) return last;
      length = cp.length;
    }
    last = at;
    at += length;
  }
  return text.size();
}

// Draws the piece at `offset` behind `out`; the bytes of the text that it stands for.
std::size_t DrawPiece(std::string& out, std::string_view text, std::size_t offset, TabRule tabs) {
  const Cluster cluster = NextCluster(text, offset);
  if (cluster.kind == ClusterKind::kText && text[offset] != ' ') {
    out.append(text, offset, cluster.bytes);
    return cluster.bytes;
  }
  const std::size_t run = RunLength(text, offset, cluster);
  const bool space = cluster.kind == ClusterKind::kText;
  if (run >= (space ? kSpaceRun : kRun)) {
    out += MarkOf(cluster, run);
    return cluster.bytes * run;
  }
  if (space) {
    out.push_back(' ');
    return 1;
  }
  if (cluster.value == '\n') {
    out += " ⏎ ";
  } else if (tabs == TabRule::kArrow && cluster.value == '\t') {
    out += "→   ";
  } else {
    out += MarkOf(cluster, 1);
  }
  return cluster.bytes;
}

std::string DrawLine(std::string_view text, TabRule tabs) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t offset = 0; offset < text.size();) {
    if (const std::size_t end = PlainEnd(text, offset); end > offset) {
      out.append(text, offset, end - offset);
      offset = end;
    } else if (text[offset] == ' ') {
      const std::size_t first = text.find_first_not_of(' ', offset);
      const std::size_t run = std::min(first, text.size()) - offset;
      if (run >= kSpaceRun) {
        out += MarkOf({ClusterKind::kText, U' ', 1, 1}, run);
      } else {
        out.append(run, ' ');
      }
      offset += run;
    } else {
      offset += DrawPiece(out, text, offset, tabs);
    }
  }
  return out;
}

// Looks at the end of where a run could be and goes back, so most characters are never read.
bool HasRun(std::string_view text, char c, std::size_t length) {
  for (std::size_t end = length; end <= text.size();) {
    std::size_t same = 0;
    while (same < length && text[end - 1 - same] == c) ++same;
    if (same == length) return true;
    end += length - same;
  }
  return false;
}

std::string_view LineAt(std::string_view text, std::size_t start) {
  return text.substr(start, text.find('\n', start) - start);
}

}  // namespace

std::string QuoteLine(std::string_view text, std::size_t max_code_points) {
  if (max_code_points == kWhole) return DrawLine(text, TabRule::kMark);
  std::string out;
  std::size_t drawn = 0;
  for (std::size_t offset = 0; offset < text.size();) {
    const std::size_t before = out.size();
    const std::size_t bytes = DrawPiece(out, text, offset, TabRule::kMark);
    const std::size_t width = base::CountCodePoints(std::string_view(out).substr(before));
    if (width > max_code_points - drawn) {
      out.resize(before);
      std::size_t left = 0;
      for (; offset < text.size(); ++left) offset += base::DecodeAt(text, offset, true).length;
      return out + "«cut: " + std::to_string(left) +
             (left == 1 ? " more character»" : " more characters»");
    }
    drawn += width;
    offset += bytes;
  }
  return out;
}

std::vector<std::string> QuoteLines(std::string_view text, TabRule tabs) {
  std::vector<std::string> lines;
  std::size_t start = 0;
  for (;;) {
    const std::string_view line = LineAt(text, start);
    std::size_t blanks = 0;
    std::size_t after = start;
    while (line.empty() && after <= text.size() && LineAt(text, after).empty()) {
      ++blanks;
      after += 1;
    }
    if (blanks >= kBlankLineRun) {
      lines.push_back("«" + std::to_string(blanks) + " blank lines»");
      start = after;
    } else {
      lines.push_back(DrawLine(line, tabs));
      start += line.size() + 1;
    }
    if (start > text.size()) return lines;
  }
}

std::string Barred(std::string_view quoted_line) {
  constexpr std::string_view kBar = "│ ";
  if (quoted_line.empty()) return "│";
  std::string out;
  out.reserve(kBar.size() + quoted_line.size());
  out += kBar;
  out += quoted_line;
  return out;
}

std::size_t CountInvisible(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t offset = 0; offset < text.size();) {
    if (text[offset] == ' ' || text[offset] == '\n' || text[offset] == '\t') {
      ++offset;
      continue;
    }
    if (const std::size_t end = PlainEnd(text, offset); end > offset) {
      offset = end;
      continue;
    }
    const Cluster cluster = NextCluster(text, offset);
    offset += cluster.bytes;
    if (cluster.kind != ClusterKind::kInvisible) continue;
    const bool line_end = cluster.value == '\r' && text.substr(offset, 1) == "\n";
    if (!line_end) ++count;
  }
  return count;
}

bool HasPadding(std::string_view text) {
  return HasRun(text, ' ', kSpaceRun) || HasRun(text, '\n', kBlankLineRun + 1);
}

}  // namespace approval::render
