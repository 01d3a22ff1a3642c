#include "render/quote.h"
#include "render/views.h"

namespace approval::render {
namespace {

constexpr std::string_view kPlaces[] = {"environment", "operation", "room_id", "thread_id"};

void AppendReferences(Lines& out, const base::JsonObject& post) {
  const base::Json* value = post.if_contains("references");
  if (value == nullptr) {
    out.push_back(MemberLine(post, "references"));
    return;
  }
  const base::JsonArray& list = value->get_array();
  out.push_back("references: list of " + std::to_string(list.size()));
  for (std::size_t i = 0; i < list.size(); ++i) {
    for (const std::string_view key : {"kind", "target", "label", "relationship"}) {
      out.push_back(Numbered("reference", i) + " " + MemberLine(list[i].get_object(), key));
    }
  }
}

std::string MetadataWords(const Lines& json) {
  return "metadata as JSON: " + Plural(json.size(), "line");
}

std::string Joined(const base::JsonArray& texts) {
  std::string out;
  for (const base::Json& text : texts) out += (out.empty() ? "" : " · ") + Quoted(Text(text));
  return out.empty() ? "(empty list)" : out;
}

}  // namespace

Lines PostView(const base::JsonObject& post) {
  Lines out;
  for (const std::string_view key : kPlaces) out.push_back(MemberLine(post, key));
  out.push_back(MemberLine(post, "title"));
  AppendItems(out, post, "tags", "tag");
  AppendReferences(out, post);
  if (const base::Json* metadata = post.if_contains("metadata")) {
    const Lines json = JsonLines(*metadata);
    out.push_back(MetadataWords(json));
    AppendBarred(out, json);
  } else {
    out.emplace_back("metadata: (absent)");
  }
  AppendBody(out, post, "body");
  return out;
}

Content PostContent(const base::JsonObject& post) {
  Content content;
  const auto add = [&](std::string_view key, const std::string& label) {
    if (const auto value = base::StringMember(post, key)) {
      content.keys.push_back({label, QuoteLine(*value)});
    }
  };
  add("room_id", "room");
  add("thread_id", "thread");
  add("title", "title");
  add("environment", "environment");
  add("operation", "operation");
  if (const base::Json* tags = post.if_contains("tags")) {
    content.keys.push_back({"tags", Joined(tags->get_array())});
  }
  if (const base::Json* references = post.if_contains("references")) {
    const base::JsonArray& list = references->get_array();
    for (std::size_t i = 0; i < list.size(); ++i) {
      content.keys.push_back(
          {Numbered("reference", i), QuoteLine(Text(list[i].get_object().at("target")))});
    }
  }
  const std::string_view body = Text(post.at("body"));
  content.label = "body: " + CountWords(body);
  content.lines = QuoteLines(body, TabRule::kMark);
  if (const base::Json* metadata = post.if_contains("metadata")) {
    const Lines json = JsonLines(*metadata);
    content.lines.push_back("«" + MetadataWords(json) + "»");
    content.lines.insert(content.lines.end(), json.begin(), json.end());
  }
  return content;
}

}  // namespace approval::render
