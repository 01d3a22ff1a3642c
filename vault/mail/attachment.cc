#include "vault/mail/attachment.h"

#include <algorithm>
#include <array>

#include "core/base/encoding.h"
#include "core/base/sha256.h"
#include "core/base/utf8.h"
#include "vault/mail/header_text.h"

namespace approval::mail {
namespace {

constexpr std::size_t kMaxType = 127;
constexpr std::size_t kMaxPath = 4095;
constexpr std::array<std::string_view, 6> kMembers = {"name", "type",   "base64",
                                                      "path", "sha256", "size"};

using Failure = tl::unexpected<std::string>;
template <typename T>
using Read = tl::expected<T, std::string>;

bool IsToken(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view("!#$&^_.+-").find(c) != std::string_view::npos;
  });
}

// The bytes of the one spelling that every decoder reads alike.
Read<std::string> Inline(const base::JsonObject& object) {
  const auto text = base::StringMember(object, "base64");
  if (!text) return Failure("\"base64\" must be a string");
  auto bytes = base::Base64DecodeExact(*text);
  if (!bytes) return Failure("\"base64\" must be padded standard base64 without line ends");
  return std::move(*bytes);
}

Read<Attachment> ReadOne(const base::JsonObject& object) {
  for (const auto& member : object) {
    const std::string_view key = member.key();
    if (std::find(kMembers.begin(), kMembers.end(), key) == kMembers.end()) {
      return Failure("has no member " + base::ToText(base::Json(key)));
    }
  }
  Attachment it;
  const auto name = base::StringMember(object, "name");
  if (!name || !IsFileName(*name)) {
    return Failure("needs a \"name\" of at most 128 visible characters, no folder");
  }
  const auto type = base::StringMember(object, "type");
  if (!type || !IsMediaType(*type)) {
    return Failure("needs a \"type\" such as application/pdf, without parameters");
  }
  it.name = *name;
  it.type = *type;
  const bool by_path = object.contains("path");
  if (by_path == object.contains("base64")) {
    return Failure("needs either \"base64\" or \"path\", \"sha256\" and \"size\"");
  }
  const auto digest = base::StringMember(object, "sha256");
  const auto size = object.contains("size") ? base::AsInteger(object.at("size")) : std::nullopt;
  if (object.contains("sha256") && (!digest || !base::IsHex64(*digest))) {
    return Failure("\"sha256\" must be 64 lower-case hex digits");
  }
  if (object.contains("size") && (!size || *size < 0)) {
    return Failure("\"size\" must be a number of bytes");
  }
  if (by_path) {
    const auto path = base::StringMember(object, "path");
    if (!path || path->empty() || path->front() != '/' || path->size() > kMaxPath ||
        HasControl(*path)) {
      return Failure("\"path\" must be absolute");
    }
    if (!digest || !size) return Failure("with \"path\" needs \"sha256\" and \"size\"");
    it.path = *path;
    it.sha256 = *digest;
    it.size = static_cast<std::size_t>(*size);
    return it;
  }
  auto bytes = Inline(object);
  if (!bytes) return Failure(bytes.error());
  it.bytes = std::move(*bytes);
  it.size = it.bytes.size();
  it.sha256 = base::Sha256Hex(it.bytes);
  if (digest && *digest != it.sha256) return Failure("\"sha256\" is not that of its bytes");
  if (size && static_cast<std::size_t>(*size) != it.size) {
    return Failure("\"size\" is not that of its bytes");
  }
  return it;
}

}  // namespace

bool IsMediaType(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos || text.size() > kMaxType) return false;
  const std::string top = base::AsciiLower(text.substr(0, slash));
  return IsToken(top) && IsToken(text.substr(slash + 1)) && top != "multipart" && top != "message";
}

Read<std::vector<Attachment>> ReadAttachments(const base::Json& value) {
  const base::JsonArray* list = value.if_array();
  if (list == nullptr) return Failure("\"attachments\" must be a list");
  if (list->size() > kMaxAttachments) return Failure("a mail has at most 50 attachments");
  std::vector<Attachment> all;
  std::size_t left = kMaxAttachedBytes;
  for (const base::Json& item : *list) {
    const std::string which = "attachment " + std::to_string(all.size() + 1) + " ";
    const base::JsonObject* object = item.if_object();
    if (object == nullptr) return Failure(which + "must be an object");
    auto one = ReadOne(*object);
    if (!one) return Failure(which + one.error());
    if (one->size > left) return Failure("the attachments have more than 45 MiB together");
    left -= one->size;
    all.push_back(std::move(*one));
  }
  return all;
}

}  // namespace approval::mail
