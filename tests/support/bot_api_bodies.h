// Bodies of the Bot API: what a call holds and what an answer says.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/json.h"

namespace approval::testing {

// A member of a call: a string as it is, any other value as JSON, nothing as the empty text.
std::string BotText(const base::JsonObject& object, std::string_view name);
// A member of a call, 0 when it is no integer.
std::int64_t BotNumber(const base::JsonObject& object, std::string_view name);

// Answers as the real server spells them.
std::string BotError(int code, const std::string& description, base::JsonObject parameters = {});
std::string BotOk(base::Json result);

// Fields of a multipart body; a file's bytes under its name, its file name under `<name>.name`.
base::JsonObject MultipartFields(const std::string& content_type, const std::string& body);

}  // namespace approval::testing
