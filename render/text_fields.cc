#include "render/text_fields.h"

#include "render/quote.h"
#include "render/views.h"

namespace approval::render {
namespace {

class Collector {
 public:
  TextFieldList Take() { return std::move(list_); }

  void Member(const base::JsonObject& object, std::string_view key, std::string_view name) {
    if (const auto text = base::StringMember(object, key)) Add(std::string(name), *text);
  }

  void Addresses(const base::JsonObject& email, std::string_view key) {
    const bool recipient = key == "to" || key == "cc" || key == "bcc";
    const base::Json* value = email.if_contains(key);
    if (value == nullptr) return;
    if (value->is_string()) {
      list_.fields.push_back({Kept(std::string(key)), Text(*value), true, recipient});
      return;
    }
    const std::string_view name = Kept(std::string(key));
    for (const base::Json& item : value->get_array()) {
      list_.fields.push_back({name, Text(item), true, recipient});
    }
  }

  // What only a mail has, but for its lists of recipients.
  void MailParts(const base::JsonObject& email) {
    Member(email, "from_name", "from_name");
    if (const base::Json* names = email.if_contains("names")) {
      for (const auto& member : names->get_object()) Add("names", Text(member.value()));
    }
    for (const std::string_view key : {"in_reply_to", "html"}) Member(email, key, key);
    if (const base::Json* references = email.if_contains("references")) {
      for (const base::Json& item : references->get_array()) Add("references", Text(item));
    }
    const base::Json* attachments = email.if_contains("attachments");
    if (attachments == nullptr) return;
    for (const base::Json& item : attachments->get_array()) {
      for (const std::string_view key : {"name", "type", "path"}) {
        Member(item.get_object(), key, "an attachment's " + std::string(key));
      }
    }
  }

  void Items(const base::JsonObject& object, std::string_view key, std::string_view item) {
    const base::Json* value = object.if_contains(key);
    if (value == nullptr) return;
    const base::JsonArray& list = value->get_array();
    for (std::size_t i = 0; i < list.size(); ++i) Add(Numbered(item, i), Text(list[i]));
  }

  void HttpParts(const base::JsonObject& request) {
    for (const std::string_view key : {"method", "url"}) Member(request, key, key);
    const base::Json* headers = request.if_contains("headers");
    if (headers == nullptr) return;
    for (const auto& member : headers->get_object()) {
      Add("header " + QuoteLine(member.key()), Text(member.value()));
    }
  }

  void PostParts(const base::JsonObject& post) {
    for (const std::string_view key :
         {"environment", "operation", "room_id", "thread_id", "title"}) {
      Member(post, key, key);
    }
    Items(post, "tags", "tag");
    if (const base::Json* references = post.if_contains("references")) {
      std::size_t i = 0;
      for (const base::Json& item : references->get_array()) {
        const std::string label = Numbered("reference", i++);
        for (const std::string_view key : {"kind", "target", "label", "relationship"}) {
          Member(item.get_object(), key, label + " " + std::string(key));
        }
      }
    }
    if (const base::Json* metadata = post.if_contains("metadata")) Any(*metadata, "metadata");
  }

  // `path` is quoted and bounded: a name is for finding the place, the block holds the bytes.
  void Any(const base::Json& value, const std::string& path) {
    if (value.is_string()) {
      Add(path.empty() ? "the text" : path, Text(value));
    } else if (value.is_array()) {
      std::size_t i = 0;
      for (const base::Json& item : value.get_array()) {
        const std::size_t number = i++;
        if (HoldsText(item)) Any(item, Below(path, std::to_string(number)));
      }
    } else if (value.is_object()) {
      const std::string_view place = Kept("a member name at " + (path.empty() ? "the top" : path));
      for (const auto& member : value.get_object()) {
        const std::string_view key(member.key());
        AddKept(place, key);
        if (HoldsText(member.value())) Any(member.value(), Below(path, key));
      }
    }
  }

 private:
  static bool HoldsText(const base::Json& value) {
    return value.is_string() || value.is_array() || value.is_object();
  }

  static std::string Below(const std::string& path, std::string_view key) {
    constexpr std::size_t kMaxPath = 200;
    constexpr std::size_t kMaxKey = 40;
    constexpr std::string_view kDeeper = "/…";
    if (path.size() < kMaxPath) return path + "/" + QuoteLine(key, kMaxKey);
    return path.ends_with(kDeeper) ? path : path + std::string(kDeeper);
  }

  std::string_view Kept(std::string name) { return list_.names.emplace_back(std::move(name)); }

  void Add(std::string name, std::string_view text) { AddKept(Kept(std::move(name)), text); }

  void AddKept(std::string_view name, std::string_view text) {
    list_.fields.push_back({name, text, false, false});
  }

  TextFieldList list_;
};

}  // namespace

TextFieldList TextFields(Shape shape, const base::Json& payload) {
  Collector fields;
  if (shape == Shape::kText || shape == Shape::kOpaque) {
    fields.Any(payload, "");
    return fields.Take();
  }
  const base::JsonObject& object = payload.get_object();
  if (shape == Shape::kHttp) fields.HttpParts(object);
  if (shape == Shape::kPost) fields.PostParts(object);
  if (shape == Shape::kBinary) {
    for (const std::string_view key : {"name", "media_type"}) fields.Member(object, key, key);
  }
  // An inbox is mostly named by its address.
  if (shape == Shape::kDraft) fields.Addresses(object, "inbox_id");
  for (const std::string_view key : {"from", "to", "cc", "bcc", "reply_to"}) {
    fields.Addresses(object, key);
  }
  for (const std::string_view key : {"subject", "content_type", "body", "command", "tool", "rule",
                                     "file", "before", "after", "content"}) {
    fields.Member(object, key, key);
  }
  if (shape == Shape::kEmail) fields.MailParts(object);
  if (shape == Shape::kDraft) {
    for (const std::string_view key : {"draft_id", "text"}) fields.Member(object, key, key);
  }
  fields.Items(object, "argv", "argument");
  fields.Member(object, "cwd", "cwd");
  if (const base::Json* files = object.if_contains("files")) {
    for (const base::Json& file : files->get_array()) {
      fields.Member(file.get_object(), "path", "a bound file's path");
    }
  }
  return fields.Take();
}

}  // namespace approval::render
