#include "render/text_fields.h"

#include "render/quote.h"
#include "render/views.h"

namespace approval::render {
namespace {

class Collector {
 public:
  std::vector<TextField> Take() { return std::move(fields_); }

  void Member(const base::JsonObject& object, std::string_view key, std::string_view name) {
    if (const auto text = base::StringMember(object, key)) Add(std::string(name), *text);
  }

  void Addresses(const base::JsonObject& email, std::string_view key) {
    const bool recipient = key != "from" && key != "reply_to";
    const base::Json* value = email.if_contains(key);
    if (value == nullptr) return;
    if (value->is_string()) {
      fields_.push_back({std::string(key), std::string(Text(*value)), true, recipient});
      return;
    }
    for (const base::Json& item : value->get_array()) {
      fields_.push_back({std::string(key), std::string(Text(item)), true, recipient});
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

  void Arguments(const base::JsonArray& argv) {
    for (std::size_t i = 0; i < argv.size(); ++i) {
      Add("argument " + std::to_string(i + 1), Text(argv[i]));
    }
  }

  // `path` is quoted and bounded: a name is for finding the place, the block holds the bytes.
  void Any(const base::Json& value, const std::string& path) {
    if (value.is_string()) {
      Add(path.empty() ? "the text" : path, Text(value));
    } else if (value.is_array()) {
      std::size_t i = 0;
      for (const base::Json& item : value.get_array()) Any(item, Below(path, std::to_string(i++)));
    } else if (value.is_object()) {
      for (const auto& member : value.get_object()) {
        const std::string_view key(member.key());
        Add("a member name at " + (path.empty() ? "the top" : path), key);
        Any(member.value(), Below(path, key));
      }
    }
  }

 private:
  static std::string Below(const std::string& path, std::string_view key) {
    constexpr std::size_t kMaxPath = 200;
    constexpr std::size_t kMaxKey = 40;
    constexpr std::string_view kDeeper = "/…";
    if (path.size() < kMaxPath) return path + "/" + QuoteLine(key, kMaxKey);
    return path.ends_with(kDeeper) ? path : path + std::string(kDeeper);
  }

  void Add(std::string name, std::string_view text) {
    fields_.push_back({std::move(name), std::string(text), false, false});
  }

  std::vector<TextField> fields_;
};

}  // namespace

std::vector<TextField> TextFields(Shape shape, const base::Json& payload) {
  Collector fields;
  if (shape == Shape::kText || shape == Shape::kOpaque) {
    fields.Any(payload, "");
    return fields.Take();
  }
  const base::JsonObject& object = payload.get_object();
  for (const std::string_view key : {"from", "to", "cc", "bcc", "reply_to"}) {
    fields.Addresses(object, key);
  }
  for (const std::string_view key : {"subject", "content_type", "body", "command", "tool", "rule",
                                     "file", "before", "after", "content"}) {
    fields.Member(object, key, key);
  }
  if (shape == Shape::kEmail) fields.MailParts(object);
  if (const base::Json* argv = object.if_contains("argv")) fields.Arguments(argv->get_array());
  fields.Member(object, "cwd", "cwd");
  if (const base::Json* files = object.if_contains("files")) {
    for (const base::Json& file : files->get_array()) {
      fields.Member(file.get_object(), "path", "a bound file's path");
    }
  }
  return fields.Take();
}

}  // namespace approval::render
