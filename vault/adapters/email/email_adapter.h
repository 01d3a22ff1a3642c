// Sends an approved mail over SMTP (adapters.md 3, docs/email.md).
//
// One connection, one message, to everybody or to nobody. Failures carry the closed codes of 3.4
// and three more: `email-attachment-missing`, `email-attachment-changed` and
// `smtp-message-too-large`, each before anything was sent. After the final dot anything but the
// server's answer is an unknown outcome. The clock outlives the adapter. Nothing is read from the
// environment here: options bring what a caller allows.
#pragma once

#include <string>

#include "core/base/clock.h"
#include "vault/adapters/adapter.h"
#include "vault/adapters/email/smtp_session.h"
#include "vault/mail/email_payload.h"

namespace approval::adapters::email {

inline constexpr std::string_view kEmailClass = mail::kMailClass;

struct EmailOptions {
  SmtpLimits limits{};
  std::string ca_file{};    // replaces the system's roots; `smtp.ca_file` in the vault goes first
  std::string ehlo_name{};  // empty: this machine's; `smtp.ehlo_name` in the vault goes first
};

class EmailAdapter final : public Adapter {
 public:
  EmailAdapter(EmailOptions options, const base::Clock& clock)
      : options_(std::move(options)), clock_(clock) {}

  std::string_view name() const override { return "email"; }
  std::span<const std::string_view> classes() const override;
  std::span<const CredentialSpec> manifest() const override;
  std::optional<std::string> CheckSetting(std::string_view name,
                                          std::string_view value) const override;
  std::optional<ActFailed> Precheck(const ActInput& input) const override;
  tl::expected<base::JsonObject, ActFailed> Preview(const ActInput& input) const override;
  ActOutcome Act(const ActInput& input) override;
  // Up to and including the login, then QUIT.
  std::optional<tl::expected<Probed, ProbeFailed>> Probe(CredentialWindow& credentials) override;

 private:
  EmailOptions options_;
  const base::Clock& clock_;
};

}  // namespace approval::adapters::email
