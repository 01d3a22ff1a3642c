#include "vault/mail/email_payload.h"

#include <algorithm>
#include <array>

#include "core/base/utf8.h"
#include "vault/mail/header_text.h"

namespace approval::mail {
namespace {

constexpr std::array<std::string_view, 7> kBareMembers = {"from",    "to",   "cc",          "bcc",
                                                          "subject", "body", "content_type"};
constexpr std::array<std::string_view, 7> kMoreMembers = {
    "from_name", "names", "reply_to", "in_reply_to", "references", "html", "attachments"};

using Failure = tl::unexpected<std::string>;
template <typename T>
using Read = tl::expected<T, std::string>;

template <typename List>
bool Holds(const List& list, std::string_view item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

std::string Named(std::string_view member) { return "\"" + std::string(member) + "\""; }

class Reader {
 public:
  Reader(const base::JsonObject& object, MailForm form) : object_(object), form_(form) {}

  Read<EmailPayload> Go();

 private:
  bool Has(const char* name) const { return object_.contains(name); }

  bool IsAddress(std::string_view text) const {
    return form_ == MailForm::kWhole ? IsInternationalAddress(text) : IsMailAddress(text);
  }

  Read<std::string> Text(const char* name) const {
    const auto text = base::StringMember(object_, name);
    if (!text) return Failure(Named(name) + " must be a string");
    if (!base::IsValidUtf8(*text)) return Failure(Named(name) + " is not Unicode");
    return std::string(*text);
  }

  Read<std::vector<std::string>> Addresses(const char* name) const {
    const base::Json* member = object_.if_contains(name);
    std::vector<std::string> addresses;
    if (member == nullptr) return addresses;
    if (!member->is_array()) return Failure(Named(name) + " must be a list");
    for (const base::Json& item : member->get_array()) {
      if (!item.is_string() || !IsAddress(item.get_string())) {
        return Failure(Named(name) + " holds something that is not a bare address");
      }
      addresses.emplace_back(item.get_string().c_str());
    }
    return addresses;
  }

  Read<void> People(EmailPayload& mail) const;
  Read<void> Content(EmailPayload& mail) const;
  Read<void> Names(EmailPayload& mail) const;
  Read<void> Thread(EmailPayload& mail) const;

  const base::JsonObject& object_;
  MailForm form_;
};

Read<void> Reader::People(EmailPayload& mail) const {
  auto from = Text("from");
  if (!from) return Failure(from.error());
  if (!IsAddress(*from)) return Failure("\"from\" must be one bare address");
  mail.from = std::move(*from);
  for (const auto& [name, list] :
       {std::pair{"to", &mail.to}, std::pair{"cc", &mail.cc}, std::pair{"bcc", &mail.bcc}}) {
    auto addresses = Addresses(name);
    if (!addresses) return Failure(addresses.error());
    *list = std::move(*addresses);
  }
  if (mail.to.empty()) return Failure("\"to\" must hold at least one address");
  if (!Has("reply_to")) return {};
  auto reply_to = Text("reply_to");
  if (!reply_to) return Failure(reply_to.error());
  if (!IsAddress(*reply_to)) return Failure("\"reply_to\" must be one bare address");
  mail.reply_to = std::move(*reply_to);
  return {};
}

Read<void> Reader::Names(EmailPayload& mail) const {
  if (Has("from_name")) {
    auto name = Text("from_name");
    if (!name) return Failure(name.error());
    if (!IsDisplayName(*name)) {
      return Failure(
          "\"from_name\" must be 1 to 128 visible characters that cannot be taken for an address");
    }
    mail.from_name = std::move(*name);
  }
  if (!Has("names")) return {};
  const base::JsonObject* names = object_.at("names").if_object();
  if (names == nullptr) return Failure("\"names\" must be an object of addresses and names");
  for (const auto& member : *names) {
    const std::string_view address = member.key();
    if (!Holds(mail.to, address) && !Holds(mail.cc, address)) {
      return Failure("\"names\" names an address that is neither in \"to\" nor in \"cc\"");
    }
    if (!member.value().is_string() || !IsDisplayName(member.value().get_string())) {
      return Failure(
          "\"names\" holds a name that is not 1 to 128 visible characters or could be taken for an "
          "address");
    }
    mail.names.emplace(address, std::string(member.value().get_string()));
  }
  return {};
}

Read<void> Reader::Thread(EmailPayload& mail) const {
  if (Has("in_reply_to")) {
    auto id = Text("in_reply_to");
    if (!id) return Failure(id.error());
    if (!IsMessageId(*id)) return Failure("\"in_reply_to\" must be one message id, <left@right>");
    mail.in_reply_to = std::move(*id);
  }
  if (!Has("references")) return {};
  const base::JsonArray* list = object_.at("references").if_array();
  if (list == nullptr || list->size() > kMaxReferences) {
    return Failure("\"references\" must be a list of at most 100 message ids");
  }
  for (const base::Json& item : *list) {
    if (!item.is_string() || !IsMessageId(item.get_string())) {
      return Failure("\"references\" holds something that is not a message id, <left@right>");
    }
    mail.references.emplace_back(item.get_string().c_str());
  }
  return {};
}

Read<void> Reader::Content(EmailPayload& mail) const {
  auto subject = Text("subject");
  if (!subject) return Failure(subject.error());
  if (HasControl(*subject)) return Failure("\"subject\" holds a control character");
  mail.subject = std::move(*subject);
  auto body = Text("body");
  if (!body) return Failure(body.error());
  mail.body = std::move(*body);
  if (Has("content_type")) {
    const auto type = base::StringMember(object_, "content_type");
    if (type != std::string_view("text/plain") && type != std::string_view("text/html")) {
      return Failure("\"content_type\" must be text/plain or text/html");
    }
    mail.html = type == std::string_view("text/html");
  }
  if (Has("html")) {
    auto html = Text("html");
    if (!html) return Failure(html.error());
    if (mail.html) return Failure("\"html\" stands beside a plain body, not beside text/html");
    mail.html_alternative = std::move(*html);
  }
  if (!Has("attachments")) return {};
  auto attachments = ReadAttachments(object_.at("attachments"));
  if (!attachments) return Failure(attachments.error());
  mail.attachments = std::move(*attachments);
  return {};
}

Read<EmailPayload> Reader::Go() {
  for (const auto& member : object_) {
    const std::string_view name = member.key();
    const bool known =
        Holds(kBareMembers, name) || (form_ == MailForm::kWhole && Holds(kMoreMembers, name));
    if (!known) return Failure("a mail has no member " + base::ToText(base::Json(name)));
  }
  EmailPayload mail;
  for (const auto part : {&Reader::People, &Reader::Names, &Reader::Thread, &Reader::Content}) {
    if (auto read = (this->*part)(mail); !read) return Failure(read.error());
  }
  return mail;
}

}  // namespace

std::vector<std::string> EmailPayload::Recipients() const {
  std::vector<std::string> all = to;
  all.insert(all.end(), cc.begin(), cc.end());
  all.insert(all.end(), bcc.begin(), bcc.end());
  return all;
}

Read<EmailPayload> ReadEmailPayload(const base::Json& payload, MailForm form) {
  const base::JsonObject* object = payload.if_object();
  if (object == nullptr) return Failure("a mail is a JSON object");
  return Reader(*object, form).Go();
}

}  // namespace approval::mail
