#include "vault/adapters/email/mail_preview.h"

#include "core/base/utf8.h"

namespace approval::adapters::email {
namespace {

constexpr std::size_t kExcerpt = 400;  // characters

base::JsonObject TextFacts(std::string_view text) {
  std::size_t end = 0;
  for (std::size_t count = 0; end < text.size() && count < kExcerpt; ++count) {
    end += base::DecodeAt(text, end).length;
  }
  return {{"excerpt", text.substr(0, end)},
          {"characters", base::CountCodePoints(text)},
          {"bytes", text.size()},
          {"cut", end < text.size()}};
}

}  // namespace

base::JsonObject PreviewOf(const mail::EmailPayload& mail, const std::string& message_id,
                           std::size_t bytes) {
  base::JsonObject out{{"from", mail.from}};
  const auto add = [&out](const char* name, const std::string& value) {
    if (!value.empty()) out[name] = value;
  };
  add("from_name", mail.from_name);
  add("reply_to", mail.reply_to);
  out["to"] = base::TextArray(mail.to);
  out["cc"] = base::TextArray(mail.cc);
  out["bcc"] = base::TextArray(mail.bcc);
  if (!mail.names.empty()) {
    base::JsonObject names;
    for (const auto& [address, name] : mail.names) names[address] = name;
    out["names"] = std::move(names);
  }
  out["recipients"] = base::TextArray(mail.Recipients());
  out["subject"] = mail.subject;
  add("in_reply_to", mail.in_reply_to);
  if (!mail.references.empty()) out["references"] = base::TextArray(mail.references);
  out["message_id"] = message_id;
  out["text"] = TextFacts(mail.body);
  out["text"].as_object()["type"] = mail.html ? "text/html" : "text/plain";
  if (mail.html_alternative) out["html"] = TextFacts(*mail.html_alternative);
  base::JsonArray attachments;
  for (const mail::Attachment& it : mail.attachments) {
    base::JsonObject one{
        {"name", it.name}, {"type", it.type}, {"size", it.size}, {"sha256", it.sha256}};
    if (!it.path.empty()) one["path"] = it.path;
    attachments.push_back(std::move(one));
  }
  out["attachments"] = std::move(attachments);
  out["bytes"] = bytes;
  return out;
}

base::JsonObject ServerFacts(CredentialWindow& window) {
  base::JsonObject out;
  for (const char* name : {"host", "port", "security", "user"}) {
    const auto value = window.Get("smtp." + std::string(name));
    if (value) out[name] = *value;
  }
  return out;
}

}  // namespace approval::adapters::email
