#include "render/quote.h"

#include <algorithm>

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

// A printable ASCII character that nothing combines with: the common case, without a look-up.
bool IsPlainAscii(std::string_view text, std::size_t offset) {
  const auto plain = [&text](std::size_t at) {
    return static_cast<unsigned char>(text[at]) < 0x80;
  };
  return text[offset] > ' ' && text[offset] < 0x7F &&
         (offset + 1 == text.size() || plain(offset + 1));
}

struct Piece {
  std::string drawn;
  std::size_t bytes;        // of the text
  std::size_t code_points;  // of the text
};

Piece NextPiece(std::string_view text, std::size_t offset, TabRule tabs) {
  const Cluster cluster = NextCluster(text, offset);
  if (cluster.kind == ClusterKind::kText && text[offset] != ' ') {
    return {std::string(text.substr(offset, cluster.bytes)), cluster.bytes, cluster.code_points};
  }
  const std::size_t run = RunLength(text, offset, cluster);
  const bool space = cluster.kind == ClusterKind::kText;
  if (run >= (space ? kSpaceRun : kRun)) {
    return {MarkOf(cluster, run), cluster.bytes * run, run};
  }
  if (space) return {" ", 1, 1};
  if (cluster.value == '\n') return {" ⏎ ", 1, 1};
  if (tabs == TabRule::kArrow && cluster.value == '\t') return {"→   ", 1, 1};
  return {MarkOf(cluster, 1), cluster.bytes, 1};
}

std::string DrawLine(std::string_view text, TabRule tabs) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t offset = 0; offset < text.size();) {
    if (IsPlainAscii(text, offset)) {
      out.push_back(text[offset++]);
      continue;
    }
    const Piece piece = NextPiece(text, offset, tabs);
    out += piece.drawn;
    offset += piece.bytes;
  }
  return out;
}

std::string_view LineAt(std::string_view text, std::size_t start) {
  return text.substr(start, text.find('\n', start) - start);
}

}  // namespace

std::string QuoteLine(std::string_view text, std::size_t max_code_points) {
  std::string out;
  std::size_t drawn = 0;
  for (std::size_t offset = 0; offset < text.size();) {
    const Piece piece = NextPiece(text, offset, TabRule::kMark);
    const std::size_t width = base::CountCodePoints(piece.drawn);
    if (width > max_code_points - drawn) {
      std::size_t left = 0;
      for (; offset < text.size(); ++left) offset += base::DecodeAt(text, offset, true).length;
      return out + "«cut: " + std::to_string(left) +
             (left == 1 ? " more character»" : " more characters»");
    }
    drawn += width;
    out += piece.drawn;
    offset += piece.bytes;
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
  return quoted_line.empty() ? "│" : "│ " + std::string(quoted_line);
}

std::size_t CountInvisible(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t offset = 0; offset < text.size();) {
    if (IsPlainAscii(text, offset)) {
      ++offset;
      continue;
    }
    const Cluster cluster = NextCluster(text, offset);
    offset += cluster.bytes;
    if (cluster.kind != ClusterKind::kInvisible) continue;
    const bool line_end = cluster.value == '\r' && text.substr(offset, 1) == "\n";
    if (!line_end && cluster.value != '\n' && cluster.value != '\t') ++count;
  }
  return count;
}

bool HasPadding(std::string_view text) {
  return text.find(std::string(kSpaceRun, ' ')) != std::string_view::npos ||
         text.find(std::string(kBlankLineRun + 1, '\n')) != std::string_view::npos;
}

}  // namespace approval::render
