// The settings of the mailbox: their manifest, what each accepts, and the server they make
// (adapters.md 3.2, docs/email.md).
//
// A value is judged by CheckSmtpSetting alone, whether setup asks or a mail is sent, so a person
// reads the same sentence in both places. No sentence holds a value.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "vault/adapters/adapter.h"
#include "vault/adapters/email/smtp_session.h"

namespace approval::adapters::email {

std::span<const CredentialSpec> SmtpManifest();

// Why the value cannot serve as this setting; files are looked at.
std::optional<std::string> CheckSmtpSetting(std::string_view name, std::string_view value);

// What stands in for settings that the window does not hold.
struct SmtpDefaults {
  std::string ca_file;
  std::string ehlo_name;
};

// The server of the window's settings, its secrets told to the window in the forms that a session
// sends. `email-config-invalid`, `smtp-tls-failed` for a login or another machine without TLS, or
// the window's own code.
tl::expected<SmtpServer, ActFailed> ReadSmtpServer(CredentialWindow& window,
                                                   const SmtpDefaults& defaults);

}  // namespace approval::adapters::email
