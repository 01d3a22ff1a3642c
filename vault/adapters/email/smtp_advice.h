// What a person changes when a session with their server fails (adapters.md 9.2).
//
// One or two sentences that name a setting or a step at the provider. Pure; what the server said is
// matched, never copied, but for the names in its certificate. Empty when nothing better is known
// than the failure itself.
#pragma once

#include <string>

#include "vault/adapters/email/smtp_session.h"

namespace approval::adapters::email {

std::string AdviceFor(const SmtpServer& server, const SmtpResult& failed);

}  // namespace approval::adapters::email
