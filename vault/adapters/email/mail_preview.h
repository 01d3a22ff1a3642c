// What a mail would be, as facts for a person before anything is spent (adapters.md 6).
//
// The payload's text is in it as it stands: a surface quotes it. Long texts are cut and counted.
#pragma once

#include <string>

#include "core/base/json.h"
#include "vault/adapters/credentials.h"
#include "vault/mail/email_payload.h"

namespace approval::adapters::email {

// Members: `from`, `from_name?`, `reply_to?`, `to`, `cc`, `bcc`, `names?`, `recipients`, `subject`,
// `in_reply_to?`, `references?`, `message_id`, `text`, `html?`, `attachments`, `bytes`.
base::JsonObject PreviewOf(const mail::EmailPayload& mail, const std::string& message_id,
                           std::size_t bytes);

// `host`, `port`, `security`, `user?`, as stored; empty when the window gives none.
base::JsonObject ServerFacts(CredentialWindow& window);

}  // namespace approval::adapters::email
