#include "tests/channels/conformance/texts.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "core/base/sha256.h"
#include "core/base/utf8.h"
#include "tests/gate/rig.h"

namespace approval::testing {
namespace {

bool IsHexDigit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

struct Range {
  char32_t first;
  char32_t last;
};

constexpr std::array<Range, 14> kHidden{{{0x00, 0x09},
                                         {0x0B, 0x1F},
                                         {0x7F, 0x9F},
                                         {0xAD, 0xAD},
                                         {0x61C, 0x61C},
                                         {0x115F, 0x1160},
                                         {0x180B, 0x180F},
                                         {0x200B, 0x200F},
                                         {0x2028, 0x202E},
                                         {0x2060, 0x206F},
                                         {0x3164, 0x3164},
                                         {0xFEFF, 0xFEFF},
                                         {0xFFA0, 0xFFA0},
                                         {0xE0000, 0xE0FFF}}};

}  // namespace

std::vector<std::string> HostileTexts() {
  std::vector<std::string> out;
  const std::string forged(kForged);
  // Everything that some surface takes for the end of a line.
  for (const char* end :
       {"\n", "\r\n", "\r", "\v", "\f", "\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"}) {
    out.push_back("Harmless" + (end + forged));
  }
  out.push_back(
      "abc\xE2\x80\xAE"
      "fdp.exe");  // right-to-left override
  out.push_back(
      "\xE2\x81\xA6"
      "admin\xE2\x81\xA9"
      "\xE2\x80\x8B");  // isolates, zero width space
  out.push_back(
      "a\x1B[2Jb\x07"
      "c\x7F");                                            // terminal sequences
  out.push_back("\xF3\xA0\x81\xA1\xF3\xA0\x81\xA2 tags");  // tag characters
  out.push_back("</code></pre><b>" + forged + "</b>&lt;br&gt;");
  out.push_back("│ ⚠ «U+0041» ⏎ " + forged);
  out.push_back("\n\n\n\n\n\n\n\n\n\n\n\n" + forged);
  return out;
}

std::vector<std::pair<base::Json, base::Json>> NearPairs() {
  std::vector<std::pair<base::Json, base::Json>> out;
  const auto bodies = [&out](const char* one, const char* other) {
    out.emplace_back(Letter(one), Letter(other));
  };
  bodies("Pay 10", "Pay 1O");
  bodies("Hello", "Hello ");
  bodies("Hello", "Hello\n");
  bodies(
      "a\xE2\x80\x8B"
      "b",
      "a«U+200B»b");
  bodies("a\nb", "a ⏎ b");
  bodies("a\tb", "a→   b");
  bodies("(absent)", "");
  const base::Json joined = base::JsonObject{
      {"to", base::JsonArray{"a@x.org, b@x.org"}}, {"subject", "s"}, {"body", "b"}};
  const base::Json apart = base::JsonObject{
      {"to", base::JsonArray{"a@x.org", "b@x.org"}}, {"subject", "s"}, {"body", "b"}};
  out.emplace_back(joined, apart);
  out.emplace_back(base::JsonObject{{"n", 1}}, base::JsonObject{{"n", "1"}});
  return out;
}

std::optional<std::string> FirstHidden(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const base::CodePoint point = base::DecodeAt(text, at);
    if (!point.ok) return "an ill-formed byte";
    for (const Range& range : kHidden) {
      if (point.value < range.first || point.value > range.last) continue;
      std::array<char, 16> name{};
      std::snprintf(name.data(), name.size(), "U+%04X", static_cast<unsigned>(point.value));
      return std::string(name.data());
    }
    at += point.length;
  }
  return std::nullopt;
}

bool LineBegins(std::string_view text, std::string_view start) {
  while (true) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.substr(0, start.size()) == start) return true;
    if (end == std::string_view::npos) return false;
    text.remove_prefix(end + 1);
  }
}

std::string WithoutDigests(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && IsHexDigit(text[end])) ++end;
    if (end - at >= 12) {
      out += '#';
    } else {
      end = std::max(end, at + 1);
      out += text.substr(at, end - at);
    }
    at = end;
  }
  return out;
}

bool HoldsToken(std::string_view text, std::string_view digest) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && IsHexDigit(text[end])) ++end;
    if (end - at == 64 && base::Sha256Hex(text.substr(at, 64)) == digest) return true;
    at = std::max(end, at + 1);
  }
  return false;
}

}  // namespace approval::testing
