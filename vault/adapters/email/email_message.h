// Composes the message of an approved mail: 7-bit MIME with CRLF (adapters.md 3.3, docs/email.md).
//
// The same payload, key, hash and instant give the same bytes. The text of an ASCII body with lines
// of at most 998 octets and no controls goes as it is, everything else quoted-printable, files in
// base64; one CRLF follows each text. Blind copies appear nowhere. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "vault/mail/email_payload.h"

namespace approval::adapters::email {

// `<40 hex@domain>`: reproducible from the log.
std::string MessageId(std::string_view action_key, std::string_view payload_hash,
                      std::string_view from);

// The whole message before dot-stuffing, of a mail whose addresses are ASCII and whose attachments
// hold their bytes (wire_mail.h). Nothing when the result would break a rule of the wire (a bare CR
// or LF, a byte beyond ASCII, a line over 998), which no valid payload does.
std::optional<std::string> ComposeMessage(const mail::EmailPayload& mail,
                                          const std::string& message_id, std::int64_t now_ms);

}  // namespace approval::adapters::email
