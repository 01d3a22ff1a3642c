// Random texts for property tests and fuzz targets of rendering, rich in what rendering treats
// specially: from a fixed seed, or cut out of the bytes that a fuzzer hands over.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <string>

#include "core/base/utf8.h"

namespace approval::render {

class RandomText {
 public:
  explicit RandomText(std::uint32_t seed) : engine_(seed) {}

  // Behind the end of the bytes every number is 0 and every text is empty.
  explicit RandomText(std::string bytes) : bytes_(std::move(bytes)) {}

  std::size_t Below(std::size_t bound) {
    if (!bytes_) return engine_() % bound;
    std::size_t number = Byte();
    if (bound > 256) number = number * 256 + Byte();
    return number % bound;
  }

  bool HasBytes() const { return bytes_.has_value(); }

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
    if (bytes_) {
      const std::size_t length = Below(max_length + 1);
      while (out.size() < length && at_ < bytes_->size()) out.push_back((*bytes_)[at_++]);
      return base::ReplaceIllFormed(out);
    }
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

  std::size_t Byte() {
    return at_ < bytes_->size() ? static_cast<unsigned char>((*bytes_)[at_++]) : 0;
  }

  std::mt19937 engine_;
  std::optional<std::string> bytes_;
  std::size_t at_ = 0;
};

}  // namespace approval::render
