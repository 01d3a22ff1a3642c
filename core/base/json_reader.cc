#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/string.hpp>

#include "core/base/json.h"
#include "core/base/utf8.h"

namespace approval::base {
namespace {

constexpr std::int64_t kMaxExact = std::int64_t{1} << 53;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// A literal that from_chars calls out of range is infinite when its digits stand far left of the
// point, else zero.
double OverflowOrZero(std::string_view literal) {
  const bool negative = literal.front() == '-';
  long long exponent = 0;
  const std::size_t e = literal.find_first_of("eE");
  bool exponent_huge = false;
  bool exponent_negative = false;
  if (e != std::string_view::npos) {
    std::string_view digits = literal.substr(e + 1);
    if (digits.front() == '+' || digits.front() == '-') {
      exponent_negative = digits.front() == '-';
      digits.remove_prefix(1);
    }
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    exponent_huge = read.ec != std::errc();
    if (exponent_negative) exponent = -exponent;
  }
  bool infinite = false;
  if (exponent_huge) {
    infinite = !exponent_negative;
  } else {
    // Place of the first non-zero digit relative to the point, moved by the exponent.
    const std::string_view mantissa = literal.substr(0, e);
    const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
    const std::size_t first = mantissa.find_first_of("123456789");
    const auto place = static_cast<long long>(point) - static_cast<long long>(first);
    infinite = place + exponent > 0;
  }
  const double magnitude = infinite ? std::numeric_limits<double>::infinity() : 0.0;
  return negative ? -magnitude : magnitude;
}

class Reader {
 public:
  Reader(std::string_view text, const JsonLimits& limits) : text_(text), limits_(limits) {}

  tl::expected<Json, JsonError> Run() {
    if (text_.size() > limits_.max_bytes) {
      Refuse(JsonFault::kTooLarge, "the JSON text is larger than allowed");
      return tl::unexpected(std::move(error_));
    }
    Json out;
    SkipSpace();
    if (Value(out, 0)) {
      SkipSpace();
      if (at_ == text_.size()) return out;
      Refuse(JsonFault::kSyntax, "text follows the JSON value");
    }
    return tl::unexpected(std::move(error_));
  }

 private:
  bool Refuse(JsonFault fault, std::string message) {
    error_ = {fault, at_, std::move(message)};
    return false;
  }

  bool Syntax(const char* message) { return Refuse(JsonFault::kSyntax, message); }

  void SkipSpace() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c != ' ' && c != '\t' && c != '\n' && c != '\r') return;
      ++at_;
    }
  }

  bool Take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool Value(Json& out, std::size_t depth) {
    if (at_ >= text_.size()) return Syntax("the JSON text ends where a value is due");
    switch (text_[at_]) {
      case '{':
        return Object(out, depth + 1);
      case '[':
        return Array(out, depth + 1);
      case '"': {
        boost::json::string& text = out.emplace_string();
        return String(text);
      }
      case 't':
        out = true;
        return Word("true");
      case 'f':
        out = false;
        return Word("false");
      case 'n':
        out = nullptr;
        return Word("null");
      default:
        return Number(out);
    }
  }

  bool Word(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return Syntax("not a JSON value");
    at_ += word.size();
    return true;
  }

  bool Object(Json& out, std::size_t depth) {
    if (depth > limits_.max_depth) return Refuse(JsonFault::kTooDeep, "JSON nested too deep");
    JsonObject& object = out.emplace_object();
    ++at_;
    SkipSpace();
    if (Take('}')) return true;
    for (;;) {
      if (at_ >= text_.size() || text_[at_] != '"') return Syntax("a member name is due");
      boost::json::string key;
      if (!String(key)) return false;
      SkipSpace();
      if (!Take(':')) return Syntax("a colon is due after a member name");
      SkipSpace();
      const auto [slot, fresh] = object.emplace(std::string_view(key), nullptr);
      if (!fresh && !limits_.allow_duplicate_members) {
        return Refuse(JsonFault::kDuplicateMember, "an object names the same member twice");
      }
      if (!Value(slot->value(), depth)) return false;
      SkipSpace();
      if (Take('}')) return true;
      if (!Take(',')) return Syntax("a comma or closing brace is due");
      SkipSpace();
    }
  }

  bool Array(Json& out, std::size_t depth) {
    if (depth > limits_.max_depth) return Refuse(JsonFault::kTooDeep, "JSON nested too deep");
    JsonArray& array = out.emplace_array();
    ++at_;
    SkipSpace();
    if (Take(']')) return true;
    for (;;) {
      if (!Value(array.emplace_back(nullptr), depth)) return false;
      SkipSpace();
      if (Take(']')) return true;
      if (!Take(',')) return Syntax("a comma or closing bracket is due");
      SkipSpace();
    }
  }

  bool String(boost::json::string& out) {
    ++at_;
    for (;;) {
      std::size_t plain = at_;
      while (plain < text_.size() && text_[plain] != '"' && text_[plain] != '\\' &&
             static_cast<unsigned char>(text_[plain]) >= 0x20) {
        if (static_cast<unsigned char>(text_[plain]) < 0x80) {
          ++plain;
          continue;
        }
        const CodePoint cp = DecodeAt(text_, plain);
        if (!cp.ok) {
          at_ = plain;
          return Refuse(JsonFault::kBadUtf8, "a string is not valid UTF-8");
        }
        plain += cp.length;
      }
      out.append(text_.substr(at_, plain - at_));
      at_ = plain;
      if (at_ >= text_.size()) return Syntax("a string is not closed");
      if (text_[at_] == '"') {
        ++at_;
        return true;
      }
      if (text_[at_] != '\\') return Syntax("a control character stands in a string");
      ++at_;
      if (!Escape(out)) return false;
    }
  }

  bool Escape(boost::json::string& out) {
    if (at_ >= text_.size()) return Syntax("a string is not closed");
    const char c = text_[at_++];
    switch (c) {
      case '"':
      case '\\':
      case '/':
        out.push_back(c);
        return true;
      case 'b':
        out.push_back('\b');
        return true;
      case 'f':
        out.push_back('\f');
        return true;
      case 'n':
        out.push_back('\n');
        return true;
      case 'r':
        out.push_back('\r');
        return true;
      case 't':
        out.push_back('\t');
        return true;
      case 'u':
        return UnicodeEscape(out);
      default:
        return Syntax("an unknown escape stands in a string");
    }
  }

  bool UnicodeEscape(boost::json::string& out) {
    char32_t unit = 0;
    if (!Hex4(unit)) return false;
    if (unit >= 0xD800 && unit <= 0xDBFF && text_.substr(at_, 2) == "\\u") {
      const std::size_t back = at_;
      at_ += 2;
      char32_t low = 0;
      if (!Hex4(low)) return false;
      if (low >= 0xDC00 && low <= 0xDFFF) {
        unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
      } else {
        at_ = back;
      }
    }
    if (unit >= 0xD800 && unit <= 0xDFFF && !limits_.allow_lone_surrogates) {
      return Refuse(JsonFault::kLoneSurrogate, "a string holds half of a surrogate pair");
    }
    std::string bytes;
    AppendUtf8(bytes, unit);
    out.append(bytes);
    return true;
  }

  bool Hex4(char32_t& out) {
    unsigned value = 0;
    const std::string_view digits = text_.substr(std::min(at_, text_.size()), 4);
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (digits.size() != 4 || read.ec != std::errc() || read.ptr != digits.data() + 4) {
      return Syntax("four hex digits are due after \\u");
    }
    at_ += 4;
    out = value;
    return true;
  }

  bool Digits() {
    const std::size_t from = at_;
    while (at_ < text_.size() && IsDigit(text_[at_])) ++at_;
    return at_ > from;
  }

  bool Number(Json& out) {
    const std::size_t from = at_;
    Take('-');
    if (at_ < text_.size() && text_[at_] == '0') {
      ++at_;
    } else if (!Digits()) {
      return Syntax("not a JSON value");
    }
    bool integer = true;
    if (Take('.')) {
      integer = false;
      if (!Digits()) return Syntax("digits are due after a decimal point");
    }
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      integer = false;
      ++at_;
      if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
      if (!Digits()) return Syntax("digits are due in an exponent");
    }
    const std::string_view literal = text_.substr(from, at_ - from);
    const char* end = literal.data() + literal.size();
    if (integer && literal != "-0") {
      std::int64_t whole = 0;
      const auto read = std::from_chars(literal.data(), end, whole);
      if (read.ec == std::errc() && whole <= kMaxExact && whole >= -kMaxExact) {
        out = whole;
        return true;
      }
    }
    double number = 0;
    const auto read = std::from_chars(literal.data(), end, number);
    out = read.ec == std::errc() ? number : OverflowOrZero(literal);
    return true;
  }

  std::string_view text_;
  const JsonLimits& limits_;
  std::size_t at_ = 0;
  JsonError error_{JsonFault::kSyntax, 0, ""};
};

}  // namespace

tl::expected<Json, JsonError> ParseJson(std::string_view text, const JsonLimits& limits) {
  return Reader(text, limits).Run();
}

std::optional<double> AsDouble(const Json& value) {
  if (value.is_int64()) return static_cast<double>(value.get_int64());
  if (value.is_uint64()) return static_cast<double>(value.get_uint64());
  if (value.is_double()) return value.get_double();
  return std::nullopt;
}

bool IsIntegral(const Json& value) {
  if (value.is_int64() || value.is_uint64()) return true;
  return value.is_double() && std::isfinite(value.get_double()) &&
         std::trunc(value.get_double()) == value.get_double();
}

std::optional<std::int64_t> AsInteger(const Json& value) {
  if (value.is_int64()) return value.get_int64();
  if (!IsIntegral(value)) return std::nullopt;
  const double number = *AsDouble(value);
  if (std::fabs(number) > static_cast<double>(kMaxExact)) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

JsonArray TextArray(std::span<const std::string> texts) {
  JsonArray list;
  list.reserve(texts.size());
  for (const std::string& text : texts) list.push_back(Json(text));
  return list;
}

std::optional<std::string_view> StringMember(const JsonObject& object, std::string_view name) {
  const Json* member = object.if_contains(name);
  if (member == nullptr || !member->is_string()) return std::nullopt;
  const boost::json::string& text = member->get_string();
  return std::string_view(text.data(), text.size());
}

}  // namespace approval::base
