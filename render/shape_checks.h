// The closed member sets of the shapes: the inside of shape.cc (channels.md 2.2,
// docs/rendering.md).
//
// Each check says whether a payload has exactly the form that the view of its name prints; no two
// of them hold for one payload.
#pragma once

#include <initializer_list>
#include <string_view>

#include "core/base/json.h"

namespace approval::render {

bool IsEmail(const base::JsonObject& object);
bool IsDraft(const base::JsonObject& object);
bool IsHttp(const base::JsonObject& object);
bool IsPost(const base::JsonObject& object);
bool IsBinary(const base::JsonObject& object);

// What the checks are made of.
bool OnlyKeys(const base::JsonObject& object, std::initializer_list<std::string_view> allowed);
bool IsString(const base::JsonObject& object, std::string_view key);
bool AbsentOrString(const base::JsonObject& object, std::initializer_list<std::string_view> keys);
bool IsStringList(const base::Json& value);
bool AbsentOrStringList(const base::JsonObject& object, std::string_view key);
bool AbsentOrAddresses(const base::JsonObject& object, std::string_view key);

// Padded standard base64 in its one spelling, so that text and bytes are the same fact.
bool IsPlainBase64(std::string_view text);

}  // namespace approval::render
