#include "vault/mail/lint.h"

#include <algorithm>

#include "vault/mail/email_payload.h"

namespace approval::mail {
namespace {

bool IsPlainlyAMail(const base::JsonObject& object) {
  const auto has = [&object](std::string_view name) { return object.contains(name); };
  return has("from") && has("to") && has("subject") && !has("draft_id") && !has("inbox_id") &&
         !has("text");
}

}  // namespace

std::optional<std::string> LintMail(const base::Json& payload) {
  const base::JsonObject* object = payload.if_object();
  if (object == nullptr || !IsPlainlyAMail(*object)) return std::nullopt;
  const auto mail = ReadEmailPayload(payload, MailForm::kWhole);
  if (mail) return std::nullopt;
  return mail.error();
}

}  // namespace approval::mail
