#include "render/mail_attachment.h"
#include "render/quote.h"
#include "render/views.h"

namespace approval::render {
namespace {

constexpr std::string_view kAddressKeys[] = {"to", "cc", "bcc"};

// A line for a member that is there; what came later than the first mails prints nothing when
// absent, so that their blocks stay as they are.
void AppendPresent(Lines& out, const base::JsonObject& email, std::string_view key) {
  if (email.contains(key)) out.push_back(MemberLine(email, key));
}

void AppendNames(Lines& out, const base::JsonObject& email) {
  const base::Json* names = email.if_contains("names");
  if (names == nullptr) return;
  out.push_back("names: " + std::to_string(names->get_object().size()));
  std::size_t i = 0;
  for (const auto& member : names->get_object()) {
    const std::string label = Numbered("name", i++);
    out.push_back(label + " of: " + Quoted(member.key()));
    out.push_back(label + " is: " + Quoted(Text(member.value())));
  }
}

void AppendAttachments(Lines& out, const base::JsonObject& email) {
  if (!email.contains("attachments")) return;
  const std::vector<MailAttachment> all = AttachmentsOf(email);
  out.push_back("attachments: list of " + std::to_string(all.size()));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const MailAttachment& it = all[i];
    const std::string label = Numbered("attachment", i);
    out.push_back(label + " name: " + Quoted(it.name));
    out.push_back(label + " type: " + Quoted(it.type));
    out.push_back(label + " size: " + Plural(it.size, "byte") +
                  (it.states_size ? "" : ", not stated"));
    out.push_back(label + " sha256: " + it.sha256 + (it.states_digest ? "" : ", not stated"));
    if (!it.inside) {
      out.push_back(label + " is read when the mail is sent, from path: " + Quoted(it.path));
      continue;
    }
    AppendBase64(out, label + " base64", it.base64);
  }
}

std::string NameOf(const base::JsonObject& email, std::string_view address) {
  const base::Json* names = email.if_contains("names");
  if (names == nullptr) return "";
  return std::string(base::StringMember(names->get_object(), address).value_or(""));
}

// A name stands in a line of its own that says whose it is, never where an address stands.
void AppendNameKey(std::vector<KeyLine>& out, const std::string& whose, std::string_view name) {
  if (!name.empty()) out.push_back({whose + " name", QuoteLine(name)});
}

void AppendAddressKeys(std::vector<KeyLine>& out, const base::JsonObject& email,
                       std::string_view key) {
  const base::Json* value = email.if_contains(key);
  if (value == nullptr) return;
  const std::string name(key);
  if (value->is_string()) {
    out.push_back({name, QuoteLine(Text(*value))});
    if (key != "bcc") AppendNameKey(out, name, NameOf(email, Text(*value)));
    return;
  }
  const base::JsonArray& list = value->get_array();
  if (list.empty()) out.push_back({name, "(empty list)"});
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string number =
        list.size() == 1 ? "" : " " + std::to_string(i + 1) + "/" + std::to_string(list.size());
    out.push_back({name + number, QuoteLine(Text(list[i]))});
    if (key != "bcc") AppendNameKey(out, name + number, NameOf(email, Text(list[i])));
  }
}

void AppendAttachmentKeys(std::vector<KeyLine>& out, const base::JsonObject& email) {
  constexpr std::size_t kDigest = 12;
  const std::vector<MailAttachment> all = AttachmentsOf(email);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const MailAttachment& it = all[i];
    const std::string number =
        all.size() == 1 ? "" : " " + std::to_string(i + 1) + "/" + std::to_string(all.size());
    // The separator is marked inside a quoted name, so a name cannot forge the facts behind it.
    out.push_back({"attachment" + number, QuoteLine(it.name) + " │ " + QuoteLine(it.type) + " │ " +
                                              Plural(it.size, "byte") + " │ sha256 " +
                                              it.sha256.substr(0, kDigest) + "…"});
  }
}

}  // namespace

void AppendRecipients(Content& content, const base::JsonObject& mail) {
  std::size_t count = 0;
  for (const std::string_view key : kAddressKeys) {
    AppendAddressKeys(content.keys, mail, key);
    const base::Json* value = mail.if_contains(key);
    if (value != nullptr) count += value->is_array() ? value->get_array().size() : 1;
  }
  content.recipients = count;
}

Lines EmailView(const base::JsonObject& email) {
  Lines out;
  out.push_back(MemberLine(email, "from"));
  AppendPresent(out, email, "from_name");
  for (const std::string_view key : kAddressKeys) AppendItems(out, email, key, key);
  AppendNames(out, email);
  AppendPresent(out, email, "reply_to");
  out.push_back(MemberLine(email, "subject"));
  AppendPresent(out, email, "in_reply_to");
  if (email.contains("references")) AppendItems(out, email, "references", "reference");
  out.push_back(MemberLine(email, "content_type"));
  AppendAttachments(out, email);
  AppendBody(out, email, "body");
  if (const auto html = base::StringMember(email, "html")) {
    out.push_back("html, sent as an alternative to the body: " + CountWords(*html));
    AppendBarred(out, QuoteLines(*html, TabRule::kMark));
  }
  return out;
}

Content EmailContent(const base::JsonObject& email) {
  Content content;
  AppendRecipients(content, email);
  const auto add = [&](std::string_view key) {
    if (const auto value = base::StringMember(email, key)) {
      content.keys.push_back({std::string(key), QuoteLine(*value)});
    }
  };
  add("from");
  AppendNameKey(content.keys, "from", base::StringMember(email, "from_name").value_or(""));
  add("reply_to");
  add("subject");
  add("in_reply_to");
  if (const base::Json* references = email.if_contains("references")) {
    content.keys.push_back({"references", Plural(references->get_array().size(), "earlier mail")});
  }
  add("content_type");
  AppendAttachmentKeys(content.keys, email);
  const std::string_view body = Text(email.at("body"));
  content.label = "body: " + CountWords(body);
  content.lines = QuoteLines(body, TabRule::kMark);
  if (const auto html = base::StringMember(email, "html")) {
    const std::string words = "an HTML alternative is sent too: " + CountWords(*html);
    content.keys.push_back({"html", words});
    content.lines.push_back("«" + words + "»");
    const Lines lines = QuoteLines(*html, TabRule::kMark);
    content.lines.insert(content.lines.end(), lines.begin(), lines.end());
  }
  return content;
}

}  // namespace approval::render
