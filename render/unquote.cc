#include <charconv>

#include "core/base/utf8.h"
#include "render/quote.h"

namespace approval::render {
namespace {

constexpr std::string_view kOpen = "«";
constexpr std::string_view kClose = "»";
constexpr std::string_view kTimes = "×";
// Bytes: a few marks that nobody drew must not fill the memory.
constexpr std::size_t kMaxText = std::size_t{1} << 26;

template <typename T>
bool ReadNumber(std::string_view digits, T& out, int radix) {
  const char* end = digits.data() + digits.size();
  const auto read = std::from_chars(digits.data(), end, out, radix);
  return read.ec == std::errc() && read.ptr == end && !digits.empty();
}

// The inside of one mark: `U+202E`, `U+0007×12`, `0xFF`, `299 blank lines`.
bool AppendMark(std::string& out, std::string_view mark) {
  constexpr std::string_view kBlank = " blank lines";
  std::size_t run = 1;
  if (mark.ends_with(kBlank)) {
    mark.remove_suffix(kBlank.size());
    if (!ReadNumber(mark, run, 10) || run == 0 || run > kMaxText - out.size()) return false;
    out.append(run - 1, '\n');
    return true;
  }
  if (const std::size_t times = mark.find(kTimes); times != std::string_view::npos) {
    if (!ReadNumber(mark.substr(times + kTimes.size()), run, 10)) return false;
    mark = mark.substr(0, times);
  }
  std::uint32_t value = 0;
  if (mark.size() < 4 || !ReadNumber(mark.substr(2), value, 16)) return false;
  std::string unit;
  if (mark.starts_with("U+") && value <= 0x10FFFF) {
    base::AppendUtf8(unit, value);
  } else if (mark.starts_with("0x") && value <= 0xFF) {
    unit.push_back(static_cast<char>(value));
  } else {
    return false;
  }
  if (run > (kMaxText - out.size()) / unit.size()) return false;
  for (std::size_t i = 0; i < run; ++i) out += unit;
  return true;
}

}  // namespace

std::optional<std::string> Unquote(std::string_view quoted) {
  constexpr std::string_view kBreak = " ⏎ ";
  constexpr std::string_view kTab = "→   ";
  std::string out;
  while (!quoted.empty()) {
    if (out.size() >= kMaxText) return std::nullopt;
    if (quoted.starts_with(kBreak)) {
      out.push_back('\n');
      quoted.remove_prefix(kBreak.size());
    } else if (quoted.starts_with(kTab)) {
      out.push_back('\t');
      quoted.remove_prefix(kTab.size());
    } else if (quoted.starts_with(kOpen)) {
      const std::size_t end = quoted.find(kClose);
      if (end == std::string_view::npos) return std::nullopt;
      if (!AppendMark(out, quoted.substr(kOpen.size(), end - kOpen.size()))) return std::nullopt;
      quoted.remove_prefix(end + kClose.size());
    } else {
      out.push_back(quoted.front());
      quoted.remove_prefix(1);
    }
  }
  return out;
}

}  // namespace approval::render
