// One SMTP session over libcurl: one connection, one message (adapters.md 3.4, 9.1).
//
// The message must be CRLF text and every address must have passed mail::IsMailAddress. Nothing is
// sent twice: the only second connection is a second login, before any sender was named. The
// session ends by its deadline, which covers name look-up, connect, handshakes and every reply;
// once the end of the message was handed over only a reply decides, for `after_dot_ms`, and no
// reply is kUnknown. Blocks its thread. Trust is the system's roots or `ca_file` instead of them;
// the host name is always checked, TLS is 1.2 or later; with pins the server's key must be one of
// them as well.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/secret.h"
#include "vault/adapters/email/smtp_dialogue.h"
#include "vault/adapters/email/smtp_fault.h"

namespace approval::adapters::email {

enum class SmtpSecurity { kImplicit, kStartTls, kNone };

struct SmtpServer {
  std::string host;
  int port = 587;
  SmtpSecurity security = SmtpSecurity::kStartTls;
  std::string user;
  base::Secret password;
  base::Secret oauth_token;  // set: XOAUTH2 instead of the password
  std::string ca_file;       // empty: the system's roots
  std::string pins;          // `sha256//...` of keys, separated by `;`; empty: any trusted one
  std::string ehlo_name;     // empty: this machine's, or an address literal

  bool HasLogin() const { return !user.empty() && !(password.empty() && oauth_token.empty()); }
};

struct SmtpLimits {
  std::int64_t timeout_ms = 30'000;
  std::int64_t after_dot_ms = 600'000;
};

struct SmtpEnvelope {
  std::string from;
  std::vector<std::string> recipients;
};

struct SmtpResult {
  enum class Kind { kSent, kFailed, kUnknown };
  Kind kind = Kind::kFailed;
  std::string code;  // of a failure, or of why it is unknown
  std::string message;
  SmtpFault fault = SmtpFault::kNone;
  SmtpDialogue::Step step = SmtpDialogue::Step::kGreeting;  // the last one under way
  std::string certificate_names;  // of a certificate for other names, as the server wrote them
  int smtp_code = 0;              // of the reply to the message
  bool secure = false;
  std::optional<std::string> auth;  // `PLAIN`, `LOGIN` or `XOAUTH2`
  std::size_t size_limit = 0;       // announced for a message; 0: none
  std::vector<std::string> transcript;
};

SmtpResult SendMessage(const SmtpServer& server, const SmtpEnvelope& envelope,
                       const std::string& message, const SmtpLimits& limits);

// The same session up to and including the login, then QUIT; no sender is named.
SmtpResult ProbeServer(const SmtpServer& server, const SmtpLimits& limits);

// Whether a host is this machine by its spelling: `localhost`, 127.0.0.0/8, ::1.
bool IsLoopbackHost(std::string_view host);

// A host name of letters, digits, dots and hyphens, or an address literal in brackets.
bool IsEhloName(std::string_view name);

// What this program calls itself in EHLO: the host's name when it has a domain, else an address
// literal.
std::string OwnEhloName();

}  // namespace approval::adapters::email
