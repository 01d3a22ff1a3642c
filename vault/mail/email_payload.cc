#include "vault/mail/email_payload.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/base/utf8.h"

namespace approval::mail {
namespace {

constexpr std::size_t kMaxAddress = 254;
constexpr std::size_t kMaxLocalPart = 64;
constexpr std::array<std::string_view, 7> kMembers = {"from",    "to",   "cc",          "bcc",
                                                      "subject", "body", "content_type"};

bool IsAlnum(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool IsLocalChar(char c) {
  return IsAlnum(c) || std::string_view("!#$%&'*+/=?^_`{|}~.-").find(c) != std::string_view::npos;
}

std::string Quoted(std::string_view text) { return base::ToText(base::Json(text)); }

using Failure = tl::unexpected<std::string>;

tl::expected<std::string, std::string> Text(const base::JsonObject& object, const char* name) {
  const auto text = base::StringMember(object, name);
  if (!text) return Failure("\"" + std::string(name) + "\" must be a string");
  if (!base::IsValidUtf8(*text)) return Failure("\"" + std::string(name) + "\" is not Unicode");
  return std::string(*text);
}

tl::expected<std::vector<std::string>, std::string> Addresses(const base::JsonObject& object,
                                                              const char* name) {
  const base::Json* member = object.if_contains(name);
  std::vector<std::string> addresses;
  if (member == nullptr) return addresses;
  if (!member->is_array()) return Failure("\"" + std::string(name) + "\" must be a list");
  for (const base::Json& item : member->get_array()) {
    if (!item.is_string() || !IsMailAddress(item.get_string())) {
      return Failure("\"" + std::string(name) + "\" holds something that is not a bare address");
    }
    addresses.emplace_back(item.get_string().c_str());
  }
  return addresses;
}

bool HasControl(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const base::CodePoint point = base::DecodeAt(text, at);
    if (point.value < 0x20 || (point.value >= 0x7f && point.value < 0xa0)) return true;
    at += point.length;
  }
  return false;
}

}  // namespace

std::vector<std::string> EmailPayload::Recipients() const {
  std::vector<std::string> all = to;
  all.insert(all.end(), cc.begin(), cc.end());
  all.insert(all.end(), bcc.begin(), bcc.end());
  return all;
}

bool IsMailAddress(std::string_view text) {
  const std::size_t at = text.find('@');
  if (at == std::string_view::npos || text.size() > kMaxAddress || at > kMaxLocalPart) return false;
  const std::string_view local = text.substr(0, at);
  const std::string_view domain = text.substr(at + 1);
  if (local.empty() || domain.empty()) return false;
  if (!std::all_of(local.begin(), local.end(), IsLocalChar)) return false;
  if (local.front() == '.' || local.back() == '.') return false;
  const auto in_domain = [](char c) { return IsAlnum(c) || c == '.' || c == '-'; };
  if (!std::all_of(domain.begin(), domain.end(), in_domain)) return false;
  if (!IsAlnum(domain.front()) || !IsAlnum(domain.back())) return false;
  return text.find("..") == std::string_view::npos;
}

tl::expected<EmailPayload, std::string> ReadEmailPayload(const base::Json& payload) {
  const base::JsonObject* object = payload.if_object();
  if (object == nullptr) return Failure("a mail is a JSON object");
  for (const auto& member : *object) {
    const std::string_view name = member.key();
    if (std::find(kMembers.begin(), kMembers.end(), name) == kMembers.end()) {
      return Failure("a mail has no member " + Quoted(name));
    }
  }
  EmailPayload mail;
  auto from = Text(*object, "from");
  if (!from) return Failure(from.error());
  if (!IsMailAddress(*from)) return Failure("\"from\" must be one bare address");
  auto to = Addresses(*object, "to");
  if (!to) return Failure(to.error());
  if (to->empty()) return Failure("\"to\" must hold at least one address");
  auto cc = Addresses(*object, "cc");
  if (!cc) return Failure(cc.error());
  auto bcc = Addresses(*object, "bcc");
  if (!bcc) return Failure(bcc.error());
  auto subject = Text(*object, "subject");
  if (!subject) return Failure(subject.error());
  if (HasControl(*subject)) return Failure("\"subject\" holds a control character");
  auto body = Text(*object, "body");
  if (!body) return Failure(body.error());
  if (object->contains("content_type")) {
    const auto type = base::StringMember(*object, "content_type");
    if (type != std::string_view("text/plain") && type != std::string_view("text/html")) {
      return Failure("\"content_type\" must be text/plain or text/html");
    }
    mail.html = type == std::string_view("text/html");
  }
  mail.from = std::move(*from);
  mail.to = std::move(*to);
  mail.cc = std::move(*cc);
  mail.bcc = std::move(*bcc);
  mail.subject = std::move(*subject);
  mail.body = std::move(*body);
  return mail;
}

}  // namespace approval::mail
