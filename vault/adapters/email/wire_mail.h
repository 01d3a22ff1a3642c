// An approved mail as it goes on the wire: domains mapped to ASCII, the bytes of every attachment
// at hand (docs/email.md).
//
// A file is opened once, read through that one descriptor and judged by what was read: the bytes
// that are hashed are the bytes that are sent. Blocks its thread on the file system.
#pragma once

#include <string>

#include <tl/expected.hpp>

#include "vault/adapters/adapter.h"
#include "vault/mail/email_payload.h"

namespace approval::adapters::email {

// The address with its domain in ASCII (IDNA 2008, the spelling as it stands, nothing folded), or
// nothing when the domain has no such form.
std::optional<std::string> ToAsciiAddress(const std::string& address);

// `email-payload-invalid`, `email-attachment-missing` (no readable regular file at the path) or
// `email-attachment-changed` (its size or digest is not the approved one).
tl::expected<mail::EmailPayload, ActFailed> ReadWireMail(const base::Json& payload);

}  // namespace approval::adapters::email
