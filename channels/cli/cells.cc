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

  std::size_t Of(std::string_view cluster) const {
    std::size_t cells = 0;
    for (std::size_t at = 0; at < cluster.size();) {
      const base::CodePoint point = base::DecodeAt(cluster, at);
      at += point.length;
      cells += point.ok ? OfPoint(point.value) : 1;
    }
    return cells;
  }

 private:
  std::size_t OfPoint(char32_t value) const {
    if (value >= ' ' && value < 0x7f) return 1;
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
  std::string_view text;
  std::size_t cells = 0;
};

Piece PieceAt(std::string_view text, std::size_t at, std::size_t row, const Utf8Locale& locale) {
  constexpr std::string_view kOpen = "«";
  constexpr std::string_view kClose = "»";
  const auto ascii = [text](std::size_t i) {
    return i == text.size() || (text[i] >= ' ' && text[i] < 0x7f);
  };
  // An ASCII character is a cluster of its own unless what follows may combine with it.
  if (ascii(at) && ascii(at + 1)) return {text.substr(at, 1), 1};
  if (text.substr(at).starts_with(kOpen)) {
    const std::size_t end = text.find(kClose, at);
    if (end != std::string_view::npos) {
      const std::string_view mark = text.substr(at, end + kClose.size() - at);
      if (const std::size_t cells = locale.Of(mark); cells <= row) return {mark, cells};
    }
  }
  const std::string_view cluster = text.substr(at, render::NextCluster(text, at).bytes);
  return {cluster, locale.Of(cluster)};
}

}  // namespace

std::size_t Cells(std::string_view quoted) { return Utf8Locale().Of(quoted); }

std::vector<std::string> WrapCells(std::string_view quoted, std::size_t first_width,
                                   std::size_t rest_width) {
  const Utf8Locale locale;
  std::vector<std::string> rows;
  std::size_t begin = 0;
  std::size_t blank = 0;  // behind the last blank of the row; 0: none
  std::size_t used = 0;
  for (std::size_t at = 0; at < quoted.size();) {
    const std::size_t width = std::max<std::size_t>(rows.empty() ? first_width : rest_width, 2);
    const Piece piece = PieceAt(quoted, at, width, locale);
    if (used + piece.cells > width && at > begin) {
      if (blank > begin) at = blank;
      rows.emplace_back(quoted.substr(begin, at - begin));
      begin = at;
      used = 0;
      continue;
    }
    at += piece.text.size();
    used += piece.cells;
    if (piece.text == " ") blank = at;
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
    out += piece.text;
    used += piece.cells;
    at += piece.text.size();
  }
  return out + "…";
}

}  // namespace approval::channels::cli
