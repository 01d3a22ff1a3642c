// The payload of an approved mail, read out of the bound JSON (adapters.md 3.1, docs/email.md).
//
// What this accepts can be written into a header or an SMTP command as it stands, domains beyond
// ASCII excepted, which a caller of kWhole maps first. A caller that sends only what
// adapters.md 3.1 lists reads kBare, so that no member is ever shown and then left out. Pure; any
// thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/base/json.h"
#include "vault/mail/address.h"
#include "vault/mail/attachment.h"

namespace approval::mail {

// The class of an action that sends one.
inline constexpr std::string_view kMailClass = "communicate.email.external";

inline constexpr std::size_t kMaxReferences = 100;

struct EmailPayload {
  std::string from;
  std::vector<std::string> to, cc, bcc;
  std::string subject;
  std::string body;
  bool html = false;  // the body is HTML

  // Of kWhole only.
  std::string from_name{};
  std::map<std::string, std::string> names{};  // of addresses in `to` and `cc`
  std::string reply_to{};
  std::string in_reply_to{};
  std::vector<std::string> references{};
  std::optional<std::string> html_alternative{};  // beside a plain body
  std::vector<Attachment> attachments{};

  // Envelope order: to, cc, bcc; duplicates stay.
  std::vector<std::string> Recipients() const;
};

enum class MailForm {
  kBare,   // the seven members of adapters.md 3.1, addresses in ASCII
  kWhole,  // every member of docs/email.md
};

// The mail, or one sentence that says which member is wrong.
tl::expected<EmailPayload, std::string> ReadEmailPayload(const base::Json& payload,
                                                         MailForm form = MailForm::kBare);

}  // namespace approval::mail
