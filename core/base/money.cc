#include "core/base/money.h"

#include <charconv>
#include <cmath>

#include <boost/json/string.hpp>

namespace approval::base {
namespace {

constexpr Micros kPerDollar = 1'000'000;
constexpr Micros kMaxSafe = (Micros{1} << 53) - 1;

}  // namespace

std::string MoneyText(Micros micros) {
  std::string out = micros < 0 ? "-" : "";
  const Micros absolute = micros < 0 ? -micros : micros;
  out += std::to_string(absolute / kPerDollar);
  const Micros rest = absolute % kPerDollar;
  if (rest == 0) return out;
  std::string digits = std::to_string(rest);
  digits.insert(0, 6 - digits.size(), '0');
  while (digits.back() == '0') digits.pop_back();
  return out + "." + digits;
}

std::optional<Micros> ParseMoneyText(std::string_view text) {
  const std::size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  if (whole.empty() || (whole.size() > 1 && whole.front() == '0')) return std::nullopt;
  Micros dollars = 0;
  const auto read = std::from_chars(whole.data(), whole.data() + whole.size(), dollars);
  if (whole.front() == '-' || read.ec != std::errc() || read.ptr != whole.data() + whole.size() ||
      dollars > kMaxSafe / kPerDollar) {
    return std::nullopt;
  }
  Micros fraction = 0;
  if (point != std::string_view::npos) {
    std::string_view digits = text.substr(point + 1);
    if (digits.empty() || digits.size() > 6 || digits.back() == '0' ||
        digits.find_first_not_of("0123456789") != std::string_view::npos) {
      return std::nullopt;
    }
    for (std::size_t i = 0; i < 6; ++i) {
      fraction = fraction * 10 + (i < digits.size() ? digits[i] - '0' : 0);
    }
  }
  return dollars * kPerDollar + fraction;
}

std::optional<Micros> MoneyFromJson(const Json& value) {
  if (value.is_string()) {
    const boost::json::string& text = value.get_string();
    return ParseMoneyText(std::string_view(text.data(), text.size()));
  }
  const std::optional<double> number = AsDouble(value);
  if (!number || !std::isfinite(*number) || *number < 0) return std::nullopt;
  const double micros = std::floor(*number * static_cast<double>(kPerDollar) + 0.5);
  if (micros > static_cast<double>(kMaxSafe)) return std::nullopt;
  return static_cast<Micros>(micros);
}

std::string DollarText(Micros micros) {
  std::string text = MoneyText(micros);
  const std::size_t point = text.find('.');
  if (point == std::string::npos) {
    text += ".00";
  } else if (text.size() - point == 2) {
    text += "0";
  }
  return "$" + text;
}

}  // namespace approval::base
