#include <algorithm>

#include "core/base/utf8.h"
#include "render/quote.h"
#include "render/views.h"

namespace approval::render {

std::string Quoted(std::string_view text) { return '"' + QuoteLine(text) + '"'; }

std::string ItemLine(std::string_view text) {
  if (text.empty()) return "\"\" (empty)";
  const bool blank =
      std::all_of(text.begin(), text.end(), [](char c) { return c == ' ' || c == '\t'; });
  if (!blank) return Quoted(text);
  return Quoted(text) + " (blank, " + Plural(text.size(), "character") + ")";
}

std::string MemberLine(const base::JsonObject& object, std::string_view key) {
  const base::Json* value = object.if_contains(key);
  std::string line(key);
  line += ": ";
  if (value == nullptr) return line + "(absent)";
  if (value->is_bool()) return line + (value->get_bool() ? "true" : "false");
  return line + Quoted(Text(*value));
}

std::string CountWords(std::string_view text) {
  auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  if (!text.empty() && text.back() != '\n') ++lines;
  return Plural(lines, "line") + ", " + Plural(base::CountCodePoints(text), "character") + ", " +
         Plural(text.size(), "byte");
}

std::string Plural(std::size_t count, std::string_view one) {
  return std::to_string(count) + " " + std::string(one) + (count == 1 ? "" : "s");
}

std::string Numbered(std::string_view word, std::size_t index) {
  return std::string(word) + " " + std::to_string(index + 1);
}

void AppendItems(Lines& out, const base::JsonObject& object, std::string_view key,
                 std::string_view item) {
  const base::Json* value = object.if_contains(key);
  if (value == nullptr || value->is_string()) {
    out.push_back(MemberLine(object, key));
    return;
  }
  const base::JsonArray& list = value->get_array();
  out.push_back(std::string(key) + ": list of " + std::to_string(list.size()));
  for (std::size_t i = 0; i < list.size(); ++i) {
    out.push_back(Numbered(item, i) + ": " + ItemLine(Text(list[i])));
  }
}

void AppendBody(Lines& out, const base::JsonObject& object, std::string_view key) {
  const auto text = base::StringMember(object, key);
  if (!text) {
    out.push_back(MemberLine(object, key));
    return;
  }
  out.push_back(std::string(key) + ": " + CountWords(*text));
  AppendBarred(out, QuoteLines(*text, TabRule::kMark));
}

void AppendBase64(Lines& out, const std::string& label, std::string_view base64) {
  constexpr std::size_t kLine = 76;
  out.push_back(label + ": " + Plural(base64.size(), "character"));
  for (std::size_t at = 0; at < base64.size(); at += kLine) {
    out.push_back(Barred(base64.substr(at, kLine)));
  }
}

void AppendBarred(Lines& out, const Lines& quoted_lines) {
  out.reserve(out.size() + quoted_lines.size() + 2);
  for (const std::string& line : quoted_lines) out.push_back(Barred(line));
}

std::string_view Text(const base::Json& string_value) {
  const boost::json::string& text = string_value.get_string();
  return {text.data(), text.size()};
}

Lines ViewOf(Shape shape, const base::Json& payload) {
  switch (shape) {
    case Shape::kCommand:
      return CommandView(payload.get_object());
    case Shape::kArgv:
      return ArgvView(payload.get_object());
    case Shape::kFileChange:
      return FileChangeView(payload.get_object());
    case Shape::kEmail:
      return EmailView(payload.get_object());
    case Shape::kDraft:
      return DraftView(payload.get_object());
    case Shape::kHttp:
      return HttpView(payload.get_object());
    case Shape::kPost:
      return PostView(payload.get_object());
    case Shape::kBinary:
      return BinaryView(payload.get_object());
    case Shape::kText:
      return TextView(Text(payload));
    case Shape::kOpaque:
      break;
  }
  return OpaqueView(payload);
}

}  // namespace approval::render
