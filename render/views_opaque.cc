#include "core/base/canonical.h"
#include "render/quote.h"
#include "render/views.h"

namespace approval::render {
namespace {

class JsonWriter {
 public:
  Lines Take() { return std::move(lines_); }

  // `tail` is the comma behind the value; what leads it (a member's name) stands in the open line.
  void Value(const base::Json& value, std::size_t depth, std::string_view tail) {
    std::string& line = lines_.back();
    if (value.is_array() && !value.get_array().empty()) {
      line.push_back('[');
      const base::JsonArray& array = value.get_array();
      for (std::size_t i = 0; i < array.size(); ++i) {
        Open(depth + 1);
        Value(array[i], depth + 1, i + 1 < array.size() ? "," : "");
      }
      Open(depth);
      lines_.back() += ']';
      lines_.back() += tail;
    } else if (value.is_object() && !value.get_object().empty()) {
      line.push_back('{');
      std::size_t left = value.get_object().size();
      for (const auto& member : value.get_object()) {
        Open(depth + 1);
        AppendString(lines_.back(), member.key());
        lines_.back() += ": ";
        Value(member.value(), depth + 1, --left != 0 ? "," : "");
      }
      Open(depth);
      lines_.back() += '}';
      lines_.back() += tail;
    } else {
      AppendLeaf(line, value);
      line += tail;
    }
  }

  void Open(std::size_t depth) { lines_.emplace_back(2 * depth, ' '); }

 private:
  static void AppendLeaf(std::string& line, const base::Json& value) {
    if (value.is_string()) {
      AppendString(line, Text(value));
    } else if (value.is_array()) {
      line += "[]";
    } else if (value.is_object()) {
      line += "{}";
    } else {
      line += base::Canonicalize(value).value_or("null");
    }
  }

  // JSON's escapes first, so that a line feed is `\n` and quotes cannot end the string; what is
  // left and cannot be seen is marked as everywhere.
  static void AppendString(std::string& line, std::string_view text) {
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
    line += QuoteLine(escaped);
    line.push_back('"');
  }

  Lines lines_;
};

}  // namespace

Lines JsonLines(const base::Json& value) {
  JsonWriter writer;
  writer.Open(0);
  writer.Value(value, 0, "");
  return writer.Take();
}

Lines OpaqueView(const base::Json& value) {
  Lines out;
  out.emplace_back("no view applies; the value as JSON:");
  AppendBarred(out, JsonLines(value));
  return out;
}

}  // namespace approval::render
