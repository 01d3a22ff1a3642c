#include "render/shape.h"

#include <algorithm>

#include "core/base/encoding.h"
#include "render/shape_checks.h"

namespace approval::render {
namespace {

using base::Json;
using base::JsonObject;

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
    case Shape::kDraft:
      return "draft";
    case Shape::kHttp:
      return "http";
    case Shape::kPost:
      return "post";
    case Shape::kBinary:
      return "binary";
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
  if (IsDraft(object)) return Shape::kDraft;
  if (IsHttp(object)) return Shape::kHttp;
  if (IsPost(object)) return Shape::kPost;
  if (IsBinary(object)) return Shape::kBinary;
  return Shape::kOpaque;
}

}  // namespace approval::render
