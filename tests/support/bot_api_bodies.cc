#include "tests/support/bot_api_bodies.h"

#include <utility>

namespace approval::testing {

using Json = base::Json;
using Object = base::JsonObject;

std::string BotText(const Object& object, std::string_view name) {
  const Json* value = object.if_contains(name);
  if (value == nullptr) return "";
  if (value->is_string()) return std::string(value->get_string());
  return base::ToText(*value);
}

std::int64_t BotNumber(const Object& object, std::string_view name) {
  const Json* value = object.if_contains(name);
  return value == nullptr ? 0 : base::AsInteger(*value).value_or(0);
}

std::string BotError(int code, const std::string& description, Object parameters) {
  Object body{{"ok", false}, {"error_code", code}, {"description", description}};
  if (!parameters.empty()) body["parameters"] = std::move(parameters);
  return base::ToText(body);
}

std::string BotOk(Json result) {
  return base::ToText(Object{{"ok", true}, {"result", std::move(result)}});
}

Object MultipartFields(const std::string& content_type, const std::string& body) {
  Object out;
  const std::string mark = "--" + content_type.substr(content_type.find("boundary=") + 9);
  std::size_t at = body.find(mark);
  while (at != std::string::npos) {
    const std::size_t head_begin = at + mark.size() + 2;
    const std::size_t head_end = body.find("\r\n\r\n", head_begin);
    const std::size_t next = body.find("\r\n" + mark, head_begin);
    if (head_end == std::string::npos || next == std::string::npos) break;
    const std::string head = body.substr(head_begin, head_end - head_begin);
    const auto quoted = [&](const std::string& key) -> std::string {
      const std::size_t begin = head.find(key + "=\"");
      if (begin == std::string::npos) return "";
      const std::size_t from = begin + key.size() + 2;
      return head.substr(from, head.find('"', from) - from);
    };
    const std::string name = quoted("; name");
    out[name] = body.substr(head_end + 4, next - head_end - 4);
    if (const std::string file = quoted("filename"); !file.empty()) out[name + ".name"] = file;
    at = next + 2;
  }
  return out;
}

}  // namespace approval::testing
