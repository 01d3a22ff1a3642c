#include "render/punycode.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/base/utf8.h"

namespace approval::render {
namespace {

constexpr std::uint64_t kBase = 36;
constexpr std::uint64_t kFirstNonAscii = 128;
constexpr std::uint64_t kInitialBias = 72;
constexpr std::string_view kDigits = "abcdefghijklmnopqrstuvwxyz0123456789";
constexpr std::size_t kMaxLabel = 256;

std::uint64_t Adapted(std::uint64_t delta, std::uint64_t points, bool first) {
  delta = first ? delta / 700 : delta / 2;
  delta += delta / points;
  std::uint64_t k = 0;
  for (; delta > 455; k += kBase) delta /= 35;
  return k + 36 * delta / (delta + 38);
}

std::uint64_t Threshold(std::uint64_t k, std::uint64_t bias) {
  if (k <= bias) return 1;
  return std::min<std::uint64_t>(k - bias, 26);
}

std::string Lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  }
  return out;
}

void AppendVariable(std::string& out, std::uint64_t delta, std::uint64_t bias) {
  for (std::uint64_t k = kBase;; k += kBase) {
    const std::uint64_t t = Threshold(k, bias);
    if (delta < t) break;
    out.push_back(kDigits[t + (delta - t) % (kBase - t)]);
    delta = (delta - t) / (kBase - t);
  }
  out.push_back(kDigits[delta]);
}

}  // namespace

std::optional<std::string> ToAsciiLabel(std::string_view label) {
  std::vector<char32_t> points;
  std::string basic;
  for (std::size_t at = 0; at < label.size();) {
    const base::CodePoint cp = base::DecodeAt(label, at);
    if (!cp.ok || points.size() > kMaxLabel) return std::nullopt;
    points.push_back(cp.value);
    if (cp.value < kFirstNonAscii) basic.push_back(static_cast<char>(cp.value));
    at += cp.length;
  }
  basic = Lower(basic);
  if (basic.size() == points.size()) return basic;
  std::string out = "xn--" + basic;
  if (!basic.empty()) out.push_back('-');
  std::uint64_t handled = basic.size();
  std::uint64_t n = kFirstNonAscii;
  std::uint64_t delta = 0;
  std::uint64_t bias = kInitialBias;
  while (handled < points.size()) {
    std::uint64_t next = 0x110000;
    for (const char32_t cp : points) {
      if (cp >= n) next = std::min<std::uint64_t>(next, cp);
    }
    delta += (next - n) * (handled + 1);
    n = next;
    for (const char32_t cp : points) {
      if (cp < n) ++delta;
      if (cp != n) continue;
      AppendVariable(out, delta, bias);
      bias = Adapted(delta, handled + 1, handled == basic.size());
      delta = 0;
      ++handled;
    }
    ++delta;
    ++n;
  }
  return out;
}

std::optional<std::string> FromAsciiLabel(std::string_view label) {
  const std::string text = Lower(label);
  if (!text.starts_with("xn--") || text.size() > kMaxLabel) return std::nullopt;
  std::string_view rest = std::string_view(text).substr(4);
  std::vector<char32_t> points;
  if (const std::size_t dash = rest.rfind('-'); dash != std::string_view::npos) {
    for (const char c : rest.substr(0, dash)) points.push_back(static_cast<unsigned char>(c));
    rest.remove_prefix(dash + 1);
  }
  std::uint64_t n = kFirstNonAscii;
  std::uint64_t i = 0;
  std::uint64_t bias = kInitialBias;
  while (!rest.empty()) {
    const std::uint64_t start = i;
    std::uint64_t weight = 1;
    for (std::uint64_t k = kBase;; k += kBase) {
      if (rest.empty()) return std::nullopt;
      const std::size_t digit = kDigits.find(rest.front());
      rest.remove_prefix(1);
      if (digit == std::string_view::npos) return std::nullopt;
      i += digit * weight;
      const std::uint64_t t = Threshold(k, bias);
      if (digit < t) break;
      weight *= kBase - t;
      if (weight > (std::uint64_t{1} << 40) || i > (std::uint64_t{1} << 48)) return std::nullopt;
    }
    const std::uint64_t size = points.size() + 1;
    bias = Adapted(i - start, size, start == 0);
    n += i / size;
    i %= size;
    if (n > 0x10FFFF || (n >= 0xD800 && n <= 0xDFFF)) return std::nullopt;
    points.insert(points.begin() + static_cast<std::ptrdiff_t>(i), static_cast<char32_t>(n));
    ++i;
  }
  std::string out;
  for (const char32_t cp : points) base::AppendUtf8(out, cp);
  return out;
}

}  // namespace approval::render
