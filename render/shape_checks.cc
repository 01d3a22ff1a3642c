#include "render/shape_checks.h"

#include <algorithm>

#include "core/base/encoding.h"

namespace approval::render {

using base::Json;
using base::JsonObject;

bool OnlyKeys(const JsonObject& object, std::initializer_list<std::string_view> allowed) {
  return std::all_of(object.begin(), object.end(), [&](const auto& member) {
    return std::find(allowed.begin(), allowed.end(), std::string_view(member.key())) !=
           allowed.end();
  });
}

bool IsString(const JsonObject& object, std::string_view key) {
  const Json* value = object.if_contains(key);
  return value != nullptr && value->is_string();
}

bool AbsentOrString(const JsonObject& object, std::initializer_list<std::string_view> keys) {
  return std::all_of(keys.begin(), keys.end(), [&](std::string_view key) {
    return !object.contains(key) || IsString(object, key);
  });
}

bool IsStringList(const Json& value) {
  return value.is_array() && std::all_of(value.get_array().begin(), value.get_array().end(),
                                         [](const Json& item) { return item.is_string(); });
}

bool AbsentOrAddresses(const JsonObject& object, std::string_view key) {
  const Json* value = object.if_contains(key);
  return value == nullptr || value->is_string() || IsStringList(*value);
}

bool AbsentOrStringList(const JsonObject& object, std::string_view key) {
  const Json* value = object.if_contains(key);
  return value == nullptr || IsStringList(*value);
}

bool IsPlainBase64(std::string_view text) { return base::Base64DecodeExact(text).has_value(); }

}  // namespace approval::render
