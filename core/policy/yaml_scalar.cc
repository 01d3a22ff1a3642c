#include "core/policy/yaml_scalar.h"

#include <limits>
#include <optional>
#include <string>

namespace approval::policy {
namespace {

constexpr std::string_view kDigits = "0123456789";

bool TakeOne(std::string_view& text, std::string_view choices) {
  if (text.empty() || choices.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

std::string_view TakeDigits(std::string_view& text) {
  const std::string_view digits = text.substr(0, text.find_first_not_of(kDigits));
  text.remove_prefix(digits.size());
  return digits;
}

// The scalar's number as JSON spells it, so that one reader rounds every number of the product.
std::optional<std::string> JsonSpelling(std::string_view text) {
  std::string out = text.starts_with('-') ? "-" : "";
  TakeOne(text, "+-");
  std::string_view whole = TakeDigits(text);
  const bool point = TakeOne(text, ".");
  const std::string_view fraction = point ? TakeDigits(text) : std::string_view();
  if (whole.empty() && fraction.empty()) return std::nullopt;
  while (whole.size() > 1 && whole.front() == '0') whole.remove_prefix(1);
  out += whole.empty() ? "0" : whole;
  if (!fraction.empty()) out.append(".").append(fraction);
  if (TakeOne(text, "eE")) {
    out += 'e';
    if (text.starts_with('-')) out += '-';
    TakeOne(text, "+-");
    const std::string_view exponent = TakeDigits(text);
    if (exponent.empty()) return std::nullopt;
    out += exponent;
  }
  if (!text.empty()) return std::nullopt;
  return out;
}

std::optional<base::Json> Based(std::string_view text, std::string_view prefix,
                                std::string_view digits) {
  if (!text.starts_with(prefix) || text.size() == prefix.size()) return std::nullopt;
  double value = 0;
  for (char c : text.substr(prefix.size())) {
    if (c >= 'A' && c <= 'F') c = static_cast<char>(c - 'A' + 'a');
    const std::size_t digit = digits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    value = value * static_cast<double>(digits.size()) + static_cast<double>(digit);
  }
  if (value <= 9007199254740992.0) return base::Json(static_cast<std::int64_t>(value));
  return base::Json(value);
}

std::optional<double> NotFinite(std::string_view text) {
  if (text == ".nan" || text == ".NaN" || text == ".NAN") {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const bool negative = text.starts_with('-');
  TakeOne(text, "+-");
  if (text != ".inf" && text != ".Inf" && text != ".INF") return std::nullopt;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return negative ? -kInfinity : kInfinity;
}

}  // namespace

base::Json PlainScalar(std::string_view text) {
  if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL") {
    return nullptr;
  }
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  if (const auto value = Based(text, "0o", "01234567")) return *value;
  if (const auto value = Based(text, "0x", "0123456789abcdef")) return *value;
  if (const auto value = NotFinite(text)) return *value;
  if (const auto spelling = JsonSpelling(text)) {
    if (auto value = base::ParseJson(*spelling, base::kLenientJson)) return std::move(*value);
  }
  return base::Json(boost::json::string_view(text.data(), text.size()));
}

}  // namespace approval::policy
