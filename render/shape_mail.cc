#include <algorithm>

#include "core/base/encoding.h"
#include "core/base/sha256.h"
#include "render/shape_checks.h"

namespace approval::render {
namespace {

using base::Json;
using base::JsonObject;

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

}  // namespace

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

bool IsDraft(const JsonObject& object) {
  return OnlyKeys(object, {"inbox_id", "draft_id", "to", "cc", "bcc", "subject", "text"}) &&
         IsString(object, "inbox_id") && IsString(object, "draft_id") && object.contains("to") &&
         AbsentOrAddresses(object, "to") && AbsentOrAddresses(object, "cc") &&
         AbsentOrAddresses(object, "bcc") && IsString(object, "subject") &&
         IsString(object, "text");
}

}  // namespace approval::render
