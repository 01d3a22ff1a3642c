// The payload of an approved mail, read out of the bound JSON (adapters.md 3.1).
//
// What this accepts can be written into a header or an SMTP command as it stands: addresses are
// bare ASCII, the subject holds no control character. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/base/json.h"

namespace approval::mail {

struct EmailPayload {
  std::string from;
  std::vector<std::string> to, cc, bcc;
  std::string subject;
  std::string body;
  bool html = false;

  // Envelope order: to, cc, bcc; duplicates stay.
  std::vector<std::string> Recipients() const;
};

// One address as the payload may hold it: at most 254 characters, the local part at most 64.
bool IsMailAddress(std::string_view text);

// The mail, or one sentence that says which member is wrong.
tl::expected<EmailPayload, std::string> ReadEmailPayload(const base::Json& payload);

}  // namespace approval::mail
