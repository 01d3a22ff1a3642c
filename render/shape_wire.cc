#include <algorithm>
#include <set>
#include <string>

#include "core/base/utf8.h"
#include "render/shape_checks.h"

namespace approval::render {
namespace {

using base::Json;
using base::JsonObject;

// A word of the protocol (RFC 9110, 5.6.2): what a method and a header's name are made of.
bool IsToken(std::string_view text) {
  constexpr std::string_view kSigns = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kSigns.find(c) != std::string_view::npos;
  });
}

// Names that differ in case alone are one header, and which of the two counts nobody can say.
bool AreHeaders(const Json& value) {
  if (!value.is_object()) return false;
  std::set<std::string> names;
  for (const auto& member : value.get_object()) {
    const std::string_view name(member.key());
    if (!IsToken(name) || !member.value().is_string()) return false;
    if (!names.insert(base::AsciiLower(name)).second) return false;
  }
  return true;
}

bool IsReference(const Json& value) {
  if (!value.is_object()) return false;
  const JsonObject& reference = value.get_object();
  return OnlyKeys(reference, {"kind", "target", "label", "relationship"}) &&
         IsString(reference, "target") &&
         AbsentOrString(reference, {"kind", "label", "relationship"});
}

bool AreReferences(const Json& value) {
  return value.is_array() &&
         std::all_of(value.get_array().begin(), value.get_array().end(), IsReference);
}

}  // namespace

bool IsHttp(const JsonObject& object) {
  if (!OnlyKeys(object, {"method", "url", "headers", "body"})) return false;
  const auto method = base::StringMember(object, "method");
  const Json* headers = object.if_contains("headers");
  return method && IsToken(*method) && IsString(object, "url") &&
         AbsentOrString(object, {"body"}) && (headers == nullptr || AreHeaders(*headers));
}

bool IsPost(const JsonObject& object) {
  if (!OnlyKeys(object, {"environment", "operation", "room_id", "thread_id", "title", "body",
                         "tags", "references", "metadata"})) {
    return false;
  }
  const Json* references = object.if_contains("references");
  return object.contains("room_id") != object.contains("thread_id") && IsString(object, "body") &&
         AbsentOrString(object, {"environment", "operation", "room_id", "thread_id", "title"}) &&
         AbsentOrStringList(object, "tags") &&
         (references == nullptr || AreReferences(*references));
}

bool IsBinary(const JsonObject& object) {
  if (!OnlyKeys(object, {"base64", "media_type", "name"})) return false;
  const auto text = base::StringMember(object, "base64");
  return text && IsPlainBase64(*text) && AbsentOrString(object, {"media_type", "name"});
}

}  // namespace approval::render
