#include "core/base/canonical.h"
#include "render/quote.h"
#include "render/views.h"

namespace approval::render {
namespace {

class JsonWriter {
 public:
  Lines Take() { return std::move(lines_); }

  void Value(const base::Json& value, std::size_t depth, std::string lead, std::string_view tail) {
    if (value.is_array() && !value.get_array().empty()) {
      Open(depth, lead + "[");
      const base::JsonArray& array = value.get_array();
      for (std::size_t i = 0; i < array.size(); ++i) {
        Value(array[i], depth + 1, "", i + 1 < array.size() ? "," : "");
      }
      Open(depth, "]" + std::string(tail));
    } else if (value.is_object() && !value.get_object().empty()) {
      Open(depth, lead + "{");
      std::size_t left = value.get_object().size();
      for (const auto& member : value.get_object()) {
        Value(member.value(), depth + 1, String(member.key()) + ": ", --left != 0 ? "," : "");
      }
      Open(depth, "}" + std::string(tail));
    } else {
      Open(depth, lead + Leaf(value) + std::string(tail));
    }
  }

 private:
  void Open(std::size_t depth, const std::string& text) {
    lines_.push_back(std::string(2 * depth, ' ') + text);
  }

  static std::string Leaf(const base::Json& value) {
    if (value.is_string()) return String(Text(value));
    if (value.is_array()) return "[]";
    if (value.is_object()) return "{}";
    return base::Canonicalize(value).value_or("null");
  }

  // JSON's escapes first, so that a line feed is `\n` and quotes cannot end the string; what is
  // left and cannot be seen is marked as everywhere.
  static std::string String(std::string_view text) {
    std::string escaped = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') escaped.push_back('\\');
      if (c == '\n') {
        escaped += "\\n";
      } else if (c == '\r') {
        escaped += "\\r";
      } else if (c == '\t') {
        escaped += "\\t";
      } else {
        escaped.push_back(c);
      }
    }
    return QuoteLine(escaped) + '"';
  }

  Lines lines_;
};

}  // namespace

Lines JsonLines(const base::Json& value) {
  JsonWriter writer;
  writer.Value(value, 0, "", "");
  return writer.Take();
}

Lines OpaqueView(const base::Json& value) {
  Lines out;
  out.emplace_back("no view applies; the value as JSON:");
  AppendBarred(out, JsonLines(value));
  return out;
}

}  // namespace approval::render
