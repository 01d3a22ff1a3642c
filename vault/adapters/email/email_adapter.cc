#include "vault/adapters/email/email_adapter.h"

#include <array>

#include "core/base/instant.h"
#include "vault/adapters/email/email_message.h"
#include "vault/adapters/email/mail_preview.h"
#include "vault/adapters/email/smtp_advice.h"
#include "vault/adapters/email/smtp_settings.h"
#include "vault/adapters/email/wire_mail.h"
#include "vault/adapters/redaction.h"

namespace approval::adapters::email {
namespace {

constexpr std::array<std::string_view, 1> kClasses = {kEmailClass};

using Failure = tl::unexpected<ActFailed>;

// A mail ready to leave.
struct Ready {
  mail::EmailPayload mail;
  std::string message_id;
  std::string message;
};

tl::expected<Ready, ActFailed> Compose(const ActInput& input, std::int64_t now_ms) {
  auto mail = ReadWireMail(input.payload);
  if (!mail) return Failure(mail.error());
  Ready ready{std::move(*mail), "", ""};
  ready.message_id = MessageId(input.action_key, input.payload_hash, ready.mail.from);
  auto message = ComposeMessage(ready.mail, ready.message_id, now_ms);
  if (!message) {
    return Failure(ActFailed{"email-payload-invalid", "the mail cannot be put on the wire"});
  }
  if (message->size() > mail::kMaxMessageBytes) {
    return Failure(ActFailed{"email-payload-invalid", "the message has more than 64 MiB"});
  }
  ready.message = std::move(*message);
  return ready;
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
  detail["transcript"] = base::TextArray(sent.transcript);
  return ActDone{std::move(detail)};
}

std::string ProbeSummary(const SmtpServer& server, const SmtpResult& probed) {
  std::string text = server.host + " port " + std::to_string(server.port) + " answered";
  switch (server.security) {
    case SmtpSecurity::kImplicit:
      text += " under TLS from the start";
      break;
    case SmtpSecurity::kStartTls:
      text += " and went over to TLS";
      break;
    case SmtpSecurity::kNone:
      text += " without TLS";
      break;
  }
  if (probed.auth) return text + "; the login by " + *probed.auth + " was taken";
  return text + "; no login is stored, so none was tried";
}

}  // namespace

std::span<const std::string_view> EmailAdapter::classes() const { return kClasses; }
std::span<const CredentialSpec> EmailAdapter::manifest() const { return SmtpManifest(); }

std::optional<std::string> EmailAdapter::CheckSetting(std::string_view name,
                                                      std::string_view value) const {
  return CheckSmtpSetting(name, value);
}

std::optional<ActFailed> EmailAdapter::Precheck(const ActInput& input) const {
  const auto ready = Compose(input, clock_.NowMs());
  if (!ready) return ready.error();
  const auto server = ReadSmtpServer(input.credentials, {options_.ca_file, options_.ehlo_name});
  if (!server) return server.error();
  return std::nullopt;
}

tl::expected<base::JsonObject, ActFailed> EmailAdapter::Preview(const ActInput& input) const {
  const auto ready = Compose(input, clock_.NowMs());
  if (!ready) return Failure(ready.error());
  base::JsonObject out = PreviewOf(ready->mail, ready->message_id, ready->message.size());
  base::JsonObject server = ServerFacts(input.credentials);
  if (!server.empty()) out["server"] = std::move(server);
  return out;
}

ActOutcome EmailAdapter::Act(const ActInput& input) {
  const std::int64_t now_ms = clock_.NowMs();
  const auto ready = Compose(input, now_ms);
  if (!ready) return ready.error();
  const auto server = ReadSmtpServer(input.credentials, {options_.ca_file, options_.ehlo_name});
  if (!server) return server.error();
  const std::vector<std::string> recipients = ready->mail.Recipients();
  // Whoever later finds the mail in a mailbox finds its record by this.
  base::JsonObject detail{
      {"message_id", ready->message_id},    {"provider_ref", ready->message_id},
      {"payload_hash", input.payload_hash}, {"date", base::FormatInstant(now_ms)},
      {"recipients", recipients.size()},    {"bytes", ready->message.size()}};
  const SmtpResult sent =
      SendMessage(*server, {ready->mail.from, recipients}, ready->message, options_.limits);
  return Outcome(sent, std::move(detail));
}

std::optional<tl::expected<Probed, ProbeFailed>> EmailAdapter::Probe(CredentialWindow& window) {
  const auto server = ReadSmtpServer(window, {options_.ca_file, options_.ehlo_name});
  if (!server) {
    return tl::unexpected(ProbeFailed{server.error().code, server.error().message, ""});
  }
  const SmtpResult probed = ProbeServer(*server, options_.limits);
  if (probed.kind != SmtpResult::Kind::kSent) {
    // A server may say back what it was told.
    Redaction redaction;
    redaction.Add(server->password.Reveal());
    redaction.Add(server->oauth_token.Reveal());
    for (base::Secret& form : window.TakeForms()) {
      redaction.Add(form.Reveal());
      window.AlsoSecret(std::move(form));
    }
    return tl::unexpected(ProbeFailed{probed.code, redaction.Text(probed.message),
                                      redaction.Text(AdviceFor(*server, probed))});
  }
  Probed done{ProbeSummary(*server, probed), {}};
  if (!probed.secure) {
    done.warnings.emplace_back("mail goes to this machine's own server without TLS");
  } else if (!probed.auth) {
    done.warnings.emplace_back("without smtp.user most servers take mail for their own users only");
  }
  return done;
}

}  // namespace approval::adapters::email
