#include "vault/adapters/email/email_adapter.h"

#include <algorithm>
#include <array>

#include "core/base/instant.h"
#include "core/base/utf8.h"
#include "vault/adapters/email/email_message.h"
#include "vault/mail/email_payload.h"

namespace approval::adapters::email {
namespace {

constexpr std::array<std::string_view, 1> kClasses = {kEmailClass};

constexpr std::array<CredentialSpec, 6> kManifest = {{
    {"smtp.host", CredentialKind::kConfig, true, "server", "name of the SMTP server", "", ""},
    {"smtp.port", CredentialKind::kConfig, true, "port", "587 with starttls, 465 with implicit",
     "587", ""},
    {"smtp.security", CredentialKind::kChoice, true, "security",
     "when TLS begins; none is for this machine only", "starttls", "implicit starttls none"},
    {"smtp.user", CredentialKind::kConfig, false, "user", "login name; with smtp.password", "", ""},
    {"smtp.password", CredentialKind::kSecret, false, "password", "login secret; with smtp.user",
     "", ""},
    {"smtp.ca_file", CredentialKind::kConfig, false, "trust",
     "PEM file of the issuers to trust instead of the system's", "", ""},
}};

using Failure = tl::unexpected<ActFailed>;
template <typename T>
using Checked = tl::expected<T, ActFailed>;

Failure BadConfig(std::string message) {
  return Failure(ActFailed{"email-config-invalid", std::move(message)});
}

// The stored value, the manifest's fallback or nothing; a vault that does not open is a failure.
Checked<std::optional<std::string_view>> Read(CredentialWindow& window, const char* name) {
  const auto value = window.Get(name);
  if (value) return *value;
  const auto spec = std::find_if(kManifest.begin(), kManifest.end(),
                                 [name](const CredentialSpec& s) { return s.name == name; });
  const bool absent =
      value.error().code == base::Code::kCredentialUnavailable && !window.entries().empty();
  if (absent && !spec->fallback.empty()) return spec->fallback;
  if (absent && !spec->required) return std::nullopt;
  return Failure(ActFailed{std::string(base::Spelling(value.error().code)), value.error().message});
}

Checked<int> PortFrom(std::string_view text) {
  text = base::TrimEcma(text);
  int port = 0;
  for (const char c : text) {
    if (c < '0' || c > '9' || port > 65535) return BadConfig("smtp.port is no number");
    port = port * 10 + (c - '0');
  }
  if (port < 1 || port > 65535) return BadConfig("smtp.port must be 1 to 65535");
  return port;
}

Checked<SmtpSecurity> SecurityFrom(std::string_view text) {
  if (text == "implicit") return SmtpSecurity::kImplicit;
  if (text == "starttls") return SmtpSecurity::kStartTls;
  if (text == "none") return SmtpSecurity::kNone;
  return BadConfig("smtp.security must be implicit, starttls or none");
}

bool HasBlank(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) <= ' '; });
}

Checked<SmtpServer> ReadServer(CredentialWindow& window, const EmailOptions& options) {
  SmtpServer server;
  server.ehlo_name = options.ehlo_name;
  const auto host = Read(window, "smtp.host");
  if (!host) return Failure(host.error());
  const auto port_text = Read(window, "smtp.port");
  if (!port_text) return Failure(port_text.error());
  const auto security_text = Read(window, "smtp.security");
  if (!security_text) return Failure(security_text.error());
  const auto user = Read(window, "smtp.user");
  if (!user) return Failure(user.error());
  const auto password = Read(window, "smtp.password");
  if (!password) return Failure(password.error());
  const auto ca_file = Read(window, "smtp.ca_file");
  if (!ca_file) return Failure(ca_file.error());
  server.host = std::string(host->value_or(""));
  if (server.host.empty() || HasBlank(server.host)) return BadConfig("smtp.host is no host name");
  const auto port = PortFrom(port_text->value_or(""));
  if (!port) return Failure(port.error());
  const auto security = SecurityFrom(security_text->value_or(""));
  if (!security) return Failure(security.error());
  if (user->value_or("").empty() != password->value_or("").empty()) {
    return BadConfig("smtp.user and smtp.password go together: store both or neither");
  }
  server.port = *port;
  server.security = *security;
  server.user = std::string(user->value_or(""));
  server.password = base::Secret(password->value_or(""));
  server.ca_file = ca_file->has_value() ? std::string(**ca_file) : options.ca_file;
  if (server.security == SmtpSecurity::kNone &&
      (!server.user.empty() || !IsLoopbackHost(server.host))) {
    return Failure(ActFailed{"smtp-tls-failed",
                             "smtp.security none is for this machine only and takes no login"});
  }
  if (!server.user.empty()) {
    // What AUTH PLAIN carries; its base64 form is what could be echoed.
    std::string blob(1, '\0');
    blob += server.user + std::string(1, '\0') + std::string(server.password.Reveal());
    window.AlsoSecret(base::Secret(std::move(blob)));
  }
  return server;
}

Checked<mail::EmailPayload> ReadMail(const base::Json& payload) {
  auto mail = mail::ReadEmailPayload(payload);
  if (!mail) return Failure(ActFailed{"email-payload-invalid", mail.error()});
  return std::move(*mail);
}

ActOutcome Outcome(const SmtpResult& sent, base::JsonObject detail) {
  switch (sent.kind) {
    case SmtpResult::Kind::kSent:
      break;
    case SmtpResult::Kind::kFailed:
      return ActFailed{sent.code, sent.message};
    case SmtpResult::Kind::kUnknown:
      return ActUnknown{
          sent.code,
          "the message was handed over and the server gave no clear answer: " + sent.message};
  }
  detail["secure"] = sent.secure;
  detail["auth"] = sent.auth ? base::Json(*sent.auth) : base::Json(nullptr);
  detail["smtp_code"] = sent.smtp_code;
  base::JsonArray transcript;
  for (const std::string& step : sent.transcript) transcript.push_back(base::Json(step));
  detail["transcript"] = std::move(transcript);
  return ActDone{std::move(detail)};
}

}  // namespace

std::span<const std::string_view> EmailAdapter::classes() const { return kClasses; }
std::span<const CredentialSpec> EmailAdapter::manifest() const { return kManifest; }

std::optional<ActFailed> EmailAdapter::Precheck(const ActInput& input) const {
  const auto mail = ReadMail(input.payload);
  if (!mail) return mail.error();
  const auto server = ReadServer(input.credentials, options_);
  if (!server) return server.error();
  return std::nullopt;
}

tl::expected<base::JsonObject, ActFailed> EmailAdapter::Preview(const ActInput& input) const {
  const auto mail = ReadMail(input.payload);
  if (!mail) return Failure(mail.error());
  const std::string id = MessageId(input.action_key, input.payload_hash, mail->from);
  const auto message = ComposeMessage(*mail, id, clock_.NowMs());
  if (!message) {
    return Failure(ActFailed{"email-payload-invalid", "the mail cannot be put on the wire"});
  }
  base::JsonArray recipients;
  for (const std::string& one : mail->Recipients()) recipients.push_back(base::Json(one));
  return base::JsonObject{{"from", mail->from},
                          {"recipients", std::move(recipients)},
                          {"subject", mail->subject},
                          {"message_id", id},
                          {"bytes", message->size()}};
}

ActOutcome EmailAdapter::Act(const ActInput& input) {
  const auto mail = ReadMail(input.payload);
  if (!mail) return mail.error();
  const auto server = ReadServer(input.credentials, options_);
  if (!server) return server.error();
  const std::int64_t now_ms = clock_.NowMs();
  const std::string id = MessageId(input.action_key, input.payload_hash, mail->from);
  const auto message = ComposeMessage(*mail, id, now_ms);
  if (!message) return ActFailed{"email-payload-invalid", "the mail cannot be put on the wire"};
  const std::vector<std::string> recipients = mail->Recipients();
  base::JsonObject detail{{"message_id", id},
                          {"payload_hash", input.payload_hash},
                          {"date", base::FormatInstant(now_ms)},
                          {"recipients", recipients.size()},
                          {"bytes", message->size()}};
  const SmtpResult sent = SendMessage(*server, {mail->from, recipients}, *message, options_.limits);
  return Outcome(sent, std::move(detail));
}

}  // namespace approval::adapters::email
