// Random texts for property tests of rendering, from a fixed seed, rich in what rendering treats
// specially.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <string>

#include "core/base/utf8.h"

namespace approval::render {

class RandomText {
 public:
  explicit RandomText(std::uint32_t seed) : engine_(seed) {}

  std::size_t Below(std::size_t bound) { return engine_() % bound; }

  char32_t CodePoint() {
    static constexpr std::array<char32_t, 44> kSpecial = {
        '\n',   '\n',   '\t',   '\r',   ' ',    ' ',    '"',    '\\',    'n',     '(',   ')',
        '-',    '+',    '@',    ',',    0xAB,   0xBB,   0x23CE, 0x2502,  0x2192,  0xD7,  0x301,
        0x302,  0x20E3, 0xFE0F, 0xFE00, 0x200D, 0x200B, 0x202E, 0x1F468, 0x1F469, '1',   0xA0,
        0x3164, 0xAD,   0x430,  'a',    'U',    '0',    0x7F,   0x85,    0xE0061, 0x378, 0x1F3FD};
    switch (Below(4)) {
      case 0:
        return static_cast<char32_t>(' ' + Below(95));
      case 1:
        return Scalar();
      default:
        return kSpecial[Below(kSpecial.size())];
    }
  }

  std::string Text(std::size_t max_length) {
    std::string out;
    for (std::size_t left = Below(max_length + 1); left > 0; --left) {
      const char32_t cp = CodePoint();
      const std::size_t times = Below(40) == 0 ? 1 + Below(60) : 1;
      for (std::size_t i = 0; i < times; ++i) base::AppendUtf8(out, cp);
    }
    return out;
  }

 private:
  char32_t Scalar() {
    const auto cp = static_cast<char32_t>(Below(0x110000));
    return cp >= 0xD800 && cp <= 0xDFFF ? U'x' : cp;
  }

  std::mt19937 engine_;
};

}  // namespace approval::render
