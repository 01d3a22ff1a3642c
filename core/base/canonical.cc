#include "core/base/canonical.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/string.hpp>

#include "core/base/sha256.h"
#include "core/base/utf8.h"

namespace approval::base {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

void AppendString(std::string& out, std::string_view text) {
  out.push_back('"');
  std::size_t plain = 0;
  const auto flush = [&](std::size_t until) { out.append(text, plain, until - plain); };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool surrogate =
        byte == 0xED && i + 2 < text.size() && static_cast<unsigned char>(text[i + 1]) >= 0xA0;
    if (byte >= 0x20 && byte != '"' && byte != '\\' && !surrogate) continue;
    flush(i);
    plain = i + 1;
    switch (byte) {
      case '"':
        out.append("\\\"");
        continue;
      case '\\':
        out.append("\\\\");
        continue;
      case '\b':
        out.append("\\b");
        continue;
      case '\t':
        out.append("\\t");
        continue;
      case '\n':
        out.append("\\n");
        continue;
      case '\f':
        out.append("\\f");
        continue;
      case '\r':
        out.append("\\r");
        continue;
      default:
        break;
    }
    unsigned unit = byte;
    if (surrogate) {
      unit = static_cast<unsigned>(DecodeAt(text, i, true).value);
      i += 2;
      plain = i + 1;
    }
    out.append("\\u");
    for (int shift = 12; shift >= 0; shift -= 4) out.push_back(kHexDigits[(unit >> shift) & 0xF]);
  }
  flush(text.size());
  out.push_back('"');
}

class Writer {
 public:
  explicit Writer(std::size_t max_depth, bool sorted = true)
      : max_depth_(max_depth), sorted_(sorted) {}

  bool Value(const Json& value, std::size_t depth) {
    switch (value.kind()) {
      case boost::json::kind::null:
        out_.append("null");
        return true;
      case boost::json::kind::bool_:
        out_.append(value.get_bool() ? "true" : "false");
        return true;
      case boost::json::kind::int64:
        out_.append(IntegerText(value.get_int64()));
        return true;
      case boost::json::kind::uint64:
        out_.append(NumberText(static_cast<double>(value.get_uint64())));
        return true;
      case boost::json::kind::double_:
        if (!std::isfinite(value.get_double())) return Refuse("a number is not finite");
        out_.append(NumberText(value.get_double()));
        return true;
      case boost::json::kind::string:
        AppendString(out_, value.get_string());
        return true;
      case boost::json::kind::array:
        return Array(value.get_array(), depth + 1);
      case boost::json::kind::object:
        return Object(value.get_object(), {}, depth + 1);
    }
    return Refuse("a value has no JSON form");
  }

  bool Object(const JsonObject& object, std::string_view left_out, std::size_t depth) {
    if (depth > max_depth_) return Refuse("the value is nested too deep");
    using Member = const boost::json::key_value_pair*;
    std::vector<Member> members;
    members.reserve(object.size());
    for (const auto& member : object) {
      if (left_out.empty() || std::string_view(member.key()) != left_out) {
        members.push_back(&member);
      }
    }
    if (sorted_) {
      const auto before = [](Member a, Member b) { return CompareUtf16(a->key(), b->key()) < 0; };
      // What was canonical once mostly still is.
      if (!std::is_sorted(members.begin(), members.end(), before)) {
        std::sort(members.begin(), members.end(), before);
      }
    }
    out_.push_back('{');
    bool first = true;
    for (const Member member : members) {
      if (!first) out_.push_back(',');
      first = false;
      AppendString(out_, member->key());
      out_.push_back(':');
      if (!Value(member->value(), depth)) return false;
    }
    out_.push_back('}');
    return true;
  }

  Result<std::string> Take(bool ok) {
    if (!ok) return Fail(Code::kCanonicalization, "no canonical form: " + why_);
    return std::move(out_);
  }

 private:
  static std::string IntegerText(std::int64_t whole) {
    constexpr std::int64_t kMaxExact = std::int64_t{1} << 53;
    if (whole > kMaxExact || whole < -kMaxExact) return NumberText(static_cast<double>(whole));
    return std::to_string(whole);
  }

  bool Array(const JsonArray& array, std::size_t depth) {
    if (depth > max_depth_) return Refuse("the value is nested too deep");
    out_.push_back('[');
    bool first = true;
    for (const Json& item : array) {
      if (!first) out_.push_back(',');
      first = false;
      if (!Value(item, depth)) return false;
    }
    out_.push_back(']');
    return true;
  }

  bool Refuse(const char* why) {
    why_ = why;
    return false;
  }

  std::size_t max_depth_;
  bool sorted_;
  std::string out_;
  std::string why_;
};

}  // namespace

std::string NumberText(double number) {
  if (number == 0) return "0";
  std::array<char, 40> buffer{};
  // Scientific form of the shortest digits: d[.ddd]e[+-]xx
  const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(),
                                     std::fabs(number), std::chars_format::scientific);
  const std::string_view text(buffer.data(), static_cast<std::size_t>(written.ptr - buffer.data()));
  const std::size_t e = text.find('e');
  std::string digits(1, text.front());
  if (e > 2) digits.append(text.substr(2, e - 2));
  int exponent = 0;
  const std::string_view power = text.substr(text[e + 1] == '+' ? e + 2 : e + 1);
  std::from_chars(power.data(), power.data() + power.size(), exponent);

  const int k = static_cast<int>(digits.size());
  const int n = exponent + 1;
  std::string out = number < 0 ? "-" : "";
  if (k <= n && n <= 21) {
    out += digits + std::string(static_cast<std::size_t>(n - k), '0');
  } else if (0 < n && n <= 21) {
    out += digits.substr(0, static_cast<std::size_t>(n)) + "." +
           digits.substr(static_cast<std::size_t>(n));
  } else if (-6 < n && n <= 0) {
    out += "0." + std::string(static_cast<std::size_t>(-n), '0') + digits;
  } else {
    out += digits.substr(0, 1);
    if (k > 1) out += "." + digits.substr(1);
    out += n - 1 < 0 ? "e-" : "e+";
    out += std::to_string(std::abs(n - 1));
  }
  return out;
}

std::string ToText(const Json& value) {
  Writer writer(kMaxReadDepth, false);
  const bool ok = writer.Value(value, 0);
  return writer.Take(ok).value_or("null");
}

Result<std::string> Canonicalize(const Json& value, std::size_t max_depth) {
  Writer writer(max_depth);
  const bool ok = writer.Value(value, 0);
  return writer.Take(ok);
}

Result<std::string> CanonicalizeWithout(const JsonObject& object, std::string_view left_out,
                                        std::size_t max_depth) {
  Writer writer(max_depth);
  const bool ok = writer.Object(object, left_out, 1);
  return writer.Take(ok);
}

Result<std::string> CanonicalHash(const Json& value) {
  Result<std::string> text = Canonicalize(value);
  if (!text) return tl::unexpected(text.error());
  return Sha256Hex(*text);
}

}  // namespace approval::base
