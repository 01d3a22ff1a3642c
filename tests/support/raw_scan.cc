#include "tests/support/raw_scan.h"

#include <algorithm>

#include "core/base/char_table.h"
#include "core/base/utf8.h"

namespace approval::testing {
namespace {

// What may carry a joiner or a presentation selector.
bool CarriesEmojiParts(char32_t value) {
  return base::IsPictographic(value) || value == 0xFE0F || (value >= 0x1F3FB && value <= 0x1F3FF) ||
         value == '#' || value == '*' || (value >= '0' && value <= '9');
}

}  // namespace

std::string RawFault(std::string_view shown) {
  char32_t before = '\n';
  std::size_t marks = 0;
  for (std::size_t at = 0; at < shown.size();) {
    const base::CodePoint cp = base::DecodeAt(shown, at);
    if (!cp.ok) return "ill-formed UTF-8 at byte " + std::to_string(at);
    const std::string place = " at byte " + std::to_string(at) + " U+" + std::to_string(cp.value);
    at += cp.length;
    switch (base::ClassOf(cp.value)) {
      case base::CharClass::kPlain:
        marks = 0;
        break;
      case base::CharClass::kSpace:
        return "an odd space" + place;
      case base::CharClass::kMark:
        if (before == '\n' || before == ' ') return "a mark without a base" + place;
        // A keycap's own mark does not count among the four of its base.
        if (++marks > 4 && !(before == 0xFE0F && cp.value == 0x20E3)) {
          if (marks > 5) return "stacked marks" + place;
        }
        break;
      case base::CharClass::kInvisible: {
        if (cp.value == '\n') break;
        const bool part = cp.value == 0x200D || cp.value == 0xFE0F;
        if (!part || !CarriesEmojiParts(before)) return "raw and invisible" + place;
        const char32_t next = at < shown.size() ? base::DecodeAt(shown, at).value : U'\n';
        if (cp.value == 0x200D && !base::IsPictographic(next)) return "a loose joiner" + place;
        break;
      }
    }
    before = cp.value;
  }
  return "";
}

std::string RawFaultOfOutput(std::string_view output) {
  for (std::size_t at = 0; at < output.size();) {
    const std::size_t end = std::min(output.find('\n', at), output.size());
    std::string line(output.substr(at, end - at));
    at = end + 1;
    if (line.starts_with('{') || line.starts_with('[')) continue;
    std::replace(line.begin(), line.end(), '\t', ' ');
    if (std::string fault = RawFault(line); !fault.empty()) return fault + " in: " + line;
  }
  return "";
}

std::string RawFaultOfTerminal(std::string_view bytes) {
  static constexpr std::string_view kOurs[] = {
      "\x1b[?1049h\x1b[?2004h\x1b[?25l\x1b[2J",
      "\x1b[0m\x1b[?25h\x1b[?2004l\x1b[?1049l",
      "\x1b[?25l\x1b[H",
      "\x1b[?25h",
      "\x1b[K",
      "\x1b[J",
      "\x1b[0m",
      "\x1b[1m",
      "\x1b[2m",
      "\x1b[33m",
      "\r\n",
      "\a",
      "\r",
  };
  std::string text;
  for (std::size_t at = 0; at < bytes.size();) {
    const auto* ours = std::find_if(std::begin(kOurs), std::end(kOurs), [&](std::string_view s) {
      return bytes.substr(at).starts_with(s);
    });
    if (ours == std::end(kOurs)) {
      text += bytes[at++];
      continue;
    }
    if (*ours == "\r\n") text += '\n';
    at += ours->size();
  }
  // The terminal itself echoes what erases a character as blank and backspaces.
  std::erase(text, '\b');
  return RawFaultOfOutput(text);
}

}  // namespace approval::testing
