#include "render/shape.h"

#include <algorithm>
#include <initializer_list>

#include "core/base/encoding.h"
#include "core/base/sha256.h"

namespace approval::render {
namespace {

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

bool IsCommand(const JsonObject& object) {
  return OnlyKeys(object, {"command", "cwd"}) && IsString(object, "command") &&
         AbsentOrString(object, {"cwd"});
}

bool IsBoundFile(const Json& value) {
  if (!value.is_object()) return false;
  const JsonObject& file = value.get_object();
  if (file.size() != 3 || !OnlyKeys(file, {"path", "size", "sha256"})) return false;
  const auto size = base::AsInteger(file.at("size"));
  const auto digest = base::StringMember(file, "sha256");
  return IsString(file, "path") && size && *size >= 0 && digest && base::IsHex64(*digest);
}

bool IsArgv(const JsonObject& object) {
  if (!OnlyKeys(object, {"argv", "cwd", "files"})) return false;
  const Json* argv = object.if_contains("argv");
  if (argv == nullptr || !IsStringList(*argv) || !IsString(object, "cwd")) return false;
  const Json* files = object.if_contains("files");
  return files == nullptr ||
         (files->is_array() &&
          std::all_of(files->get_array().begin(), files->get_array().end(), IsBoundFile));
}

bool IsFileChange(const JsonObject& object) {
  if (!OnlyKeys(object, {"tool", "rule", "file", "before", "after", "content", "replace_all"})) {
    return false;
  }
  if (!IsString(object, "file") ||
      !AbsentOrString(object, {"tool", "rule", "before", "after", "content"})) {
    return false;
  }
  const Json* all = object.if_contains("replace_all");
  if (all != nullptr && !all->is_bool()) return false;
  const bool before = object.contains("before");
  const bool after = object.contains("after");
  return before == after && before != object.contains("content");
}

// The address of a name is one that the mail goes to in sight of everybody.
bool HasOpenRecipient(const JsonObject& object, std::string_view address) {
  const auto holds = [&](std::string_view key) {
    const Json* value = object.if_contains(key);
    if (value == nullptr) return false;
    if (value->is_string()) return std::string_view(value->get_string()) == address;
    const auto& list = value->get_array();
    return std::any_of(list.begin(), list.end(), [&](const Json& item) {
      return std::string_view(item.get_string()) == address;
    });
  };
  return holds("to") || holds("cc");
}

bool AreNames(const JsonObject& email, const Json& value) {
  if (!value.is_object()) return false;
  const JsonObject& names = value.get_object();
  return std::all_of(names.begin(), names.end(), [&](const auto& member) {
    return member.value().is_string() && HasOpenRecipient(email, member.key());
  });
}

// What a payload says about an attachment must be so, for a view prints it as a fact.
bool IsAttachment(const Json& value) {
  if (!value.is_object()) return false;
  const JsonObject& it = value.get_object();
  if (!OnlyKeys(it, {"name", "type", "base64", "path", "sha256", "size"})) return false;
  if (!IsString(it, "name") || !IsString(it, "type")) return false;
  const Json* stated_size = it.if_contains("size");
  const auto size = stated_size != nullptr ? base::AsInteger(*stated_size) : std::nullopt;
  if (stated_size != nullptr && (!size || *size < 0)) return false;
  const auto digest = base::StringMember(it, "sha256");
  if (it.contains("sha256") && (!digest || !base::IsHex64(*digest))) return false;
  if (it.contains("path")) {
    return IsString(it, "path") && !it.contains("base64") && digest.has_value() && size.has_value();
  }
  const auto text = base::StringMember(it, "base64");
  const auto bytes = text ? base::Base64Decode(*text) : std::nullopt;
  if (!bytes || base::Base64Encode(*bytes) != *text) return false;
  return (!size || static_cast<std::size_t>(*size) == bytes->size()) &&
         (!digest || base::Sha256Hex(*bytes) == *digest);
}

bool AreAttachments(const Json& value) {
  return value.is_array() &&
         std::all_of(value.get_array().begin(), value.get_array().end(), IsAttachment);
}

bool IsEmail(const JsonObject& object) {
  if (!OnlyKeys(object,
                {"from", "to", "cc", "bcc", "subject", "body", "content_type", "from_name", "names",
                 "reply_to", "in_reply_to", "references", "html", "attachments"})) {
    return false;
  }
  const Json* names = object.if_contains("names");
  const Json* references = object.if_contains("references");
  const Json* attachments = object.if_contains("attachments");
  return object.contains("to") && IsString(object, "subject") && IsString(object, "body") &&
         AbsentOrString(object,
                        {"from", "content_type", "from_name", "reply_to", "in_reply_to", "html"}) &&
         AbsentOrAddresses(object, "to") && AbsentOrAddresses(object, "cc") &&
         AbsentOrAddresses(object, "bcc") && (names == nullptr || AreNames(object, *names)) &&
         (references == nullptr || IsStringList(*references)) &&
         (attachments == nullptr || AreAttachments(*attachments));
}

}  // namespace

std::string_view Spelling(Shape shape) {
  switch (shape) {
    case Shape::kCommand:
      return "command";
    case Shape::kArgv:
      return "argv";
    case Shape::kFileChange:
      return "file-change";
    case Shape::kEmail:
      return "email";
    case Shape::kText:
      return "text";
    case Shape::kOpaque:
      return "opaque";
  }
  return "opaque";
}

Shape DetectShape(const Json& payload) {
  if (payload.is_string()) return Shape::kText;
  if (!payload.is_object()) return Shape::kOpaque;
  const JsonObject& object = payload.get_object();
  if (IsCommand(object)) return Shape::kCommand;
  if (IsArgv(object)) return Shape::kArgv;
  if (IsFileChange(object)) return Shape::kFileChange;
  if (IsEmail(object)) return Shape::kEmail;
  return Shape::kOpaque;
}

}  // namespace approval::render
