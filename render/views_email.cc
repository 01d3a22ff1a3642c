#include "render/quote.h"
#include "render/views.h"

namespace approval::render {
namespace {

constexpr std::string_view kAddressKeys[] = {"to", "cc", "bcc"};

void AppendAddresses(Lines& out, const base::JsonObject& email, std::string_view key) {
  const base::Json* value = email.if_contains(key);
  if (value == nullptr || value->is_string()) {
    out.push_back(MemberLine(email, key));
    return;
  }
  const std::string name(key);
  const base::JsonArray& list = value->get_array();
  out.push_back(name + ": list of " + std::to_string(list.size()));
  for (std::size_t i = 0; i < list.size(); ++i) {
    out.push_back(name + " " + std::to_string(i + 1) + ": " + ItemLine(Text(list[i])));
  }
}

void AppendAddressKeys(std::vector<KeyLine>& out, const base::JsonObject& email,
                       std::string_view key) {
  const base::Json* value = email.if_contains(key);
  if (value == nullptr) return;
  const std::string name(key);
  if (value->is_string()) {
    out.push_back({name, QuoteLine(Text(*value))});
    return;
  }
  const base::JsonArray& list = value->get_array();
  if (list.empty()) out.push_back({name, "(empty list)"});
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string number =
        list.size() == 1 ? "" : " " + std::to_string(i + 1) + "/" + std::to_string(list.size());
    out.push_back({name + number, QuoteLine(Text(list[i]))});
  }
}

}  // namespace

Lines EmailView(const base::JsonObject& email) {
  Lines out;
  out.push_back(MemberLine(email, "from"));
  for (const std::string_view key : kAddressKeys) AppendAddresses(out, email, key);
  out.push_back(MemberLine(email, "subject"));
  out.push_back(MemberLine(email, "content_type"));
  const std::string_view body = Text(email.at("body"));
  out.push_back("body: " + CountWords(body));
  AppendBarred(out, QuoteLines(body, TabRule::kMark));
  return out;
}

Content EmailContent(const base::JsonObject& email) {
  Content content;
  for (const std::string_view key : kAddressKeys) AppendAddressKeys(content.keys, email, key);
  const auto add = [&](std::string_view key) {
    if (const auto value = base::StringMember(email, key)) {
      content.keys.push_back({std::string(key), QuoteLine(*value)});
    }
  };
  add("from");
  add("subject");
  add("content_type");
  const std::string_view body = Text(email.at("body"));
  content.label = "body: " + CountWords(body);
  content.lines = QuoteLines(body, TabRule::kMark);
  return content;
}

}  // namespace approval::render
