#include "channels/cli/cells.h"

#include <algorithm>
#include <clocale>
#include <cwchar>

#include "core/base/utf8.h"
#include "render/clusters.h"

namespace approval::channels::cli {
namespace {

// wcwidth asks the thread's locale. Loaded once, since loading reads files.
locale_t Utf8Tables() {
  static const locale_t tables = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  return tables;
}

constexpr bool IsAscii(char c) { return c >= ' ' && c < 0x7f; }

class Utf8Locale {
 public:
  Utf8Locale() : locale_(Utf8Tables()) {
    if (locale_ != nullptr) before_ = ::uselocale(locale_);
  }
  ~Utf8Locale() {
    if (locale_ != nullptr) ::uselocale(before_);
  }
  Utf8Locale(const Utf8Locale&) = delete;
  Utf8Locale& operator=(const Utf8Locale&) = delete;

  std::size_t Of(std::string_view text) const {
    std::size_t cells = 0;
    for (std::size_t at = 0; at < text.size();) {
      if (IsAscii(text[at])) {
        ++cells;
        ++at;
        continue;
      }
      const base::CodePoint point = base::DecodeAt(text, at);
      at += point.length;
      cells += point.ok ? OfPoint(point.value) : 1;
    }
    return cells;
  }

 private:
  std::size_t OfPoint(char32_t value) const {
    // Without tables everything but ASCII may be wide.
    if (locale_ == nullptr) return 2;
    const int width = ::wcwidth(static_cast<wchar_t>(value));
    return width < 0 ? 1 : static_cast<std::size_t>(width);
  }

  locale_t locale_;
  locale_t before_ = nullptr;
};

// A piece that stays in one row: a mark `«...»` or a cluster.
struct Piece {
  std::size_t bytes = 0;
  std::size_t cells = 0;
};

// The mark that begins here, with its cells; no bytes for anything else. Quoting makes none longer.
Piece MarkAt(std::string_view text, std::size_t at, const Utf8Locale& locale) {
  constexpr std::string_view kOpen = "«";
  constexpr std::string_view kClose = "»";
  constexpr std::size_t kLongest = 64;
  const std::string_view here = text.substr(at, kLongest);
  if (!here.starts_with(kOpen)) return {};
  const std::size_t end = here.find(kClose);
  if (end == std::string_view::npos) return {};
  const std::size_t bytes = end + kClose.size();
  return {bytes, locale.Of(here.substr(0, bytes))};
}

Piece PieceAt(std::string_view text, std::size_t at, std::size_t row, const Utf8Locale& locale) {
  // An ASCII character is a cluster of its own unless what follows may combine with it.
  if (IsAscii(text[at]) && (at + 1 == text.size() || IsAscii(text[at + 1]))) return {1, 1};
  const Piece mark = MarkAt(text, at, locale);
  if (mark.bytes != 0 && mark.cells <= row) return mark;
  const std::size_t bytes = render::NextCluster(text, at).bytes;
  return {bytes, locale.Of(text.substr(at, bytes))};
}

}  // namespace

std::size_t Cells(std::string_view quoted) {
  if (std::all_of(quoted.begin(), quoted.end(), IsAscii)) return quoted.size();
  return Utf8Locale().Of(quoted);
}

std::vector<std::string> WrapCells(std::string_view quoted, std::size_t first_width,
                                   std::size_t rest_width) {
  const Utf8Locale locale;
  std::vector<std::string> rows;
  std::size_t begin = 0;
  std::size_t blank = 0;  // behind the last blank of the row; 0: none
  std::size_t used = 0;
  std::size_t width = std::max<std::size_t>(first_width, 2);
  for (std::size_t at = 0; at < quoted.size();) {
    const Piece piece = PieceAt(quoted, at, width, locale);
    if (used + piece.cells > width && at > begin) {
      if (blank > begin) at = blank;
      rows.emplace_back(quoted.substr(begin, at - begin));
      begin = at;
      used = 0;
      width = std::max<std::size_t>(rest_width, 2);
      continue;
    }
    if (piece.bytes == 1 && quoted[at] == ' ') blank = at + 1;
    at += piece.bytes;
    used += piece.cells;
  }
  rows.emplace_back(quoted.substr(begin));
  return rows;
}

std::string FitCells(std::string_view quoted, std::size_t width) {
  if (Cells(quoted) <= width) return std::string(quoted);
  if (width == 0) return "";
  const Utf8Locale locale;
  std::string out;
  std::size_t used = 0;
  for (std::size_t at = 0; at < quoted.size();) {
    const Piece piece = PieceAt(quoted, at, width - 1, locale);
    if (used + piece.cells > width - 1) break;
    out += quoted.substr(at, piece.bytes);
    used += piece.cells;
    at += piece.bytes;
  }
  return out + "…";
}

}  // namespace approval::channels::cli
