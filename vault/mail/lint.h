// Whether a payload that is plainly a mail could never be sent (adapters.md 3.1, 9).
//
// Asked when a request is made, so that a person is not shown a mail that the adapter will refuse.
// Pure and cheap: opens no file and maps no domain, so a mail it lets through may still be refused
// before its token is spent.
#pragma once

#include <optional>
#include <string>

#include "core/base/json.h"

namespace approval::mail {

// One sentence that says which member is wrong; nothing for a mail that can be sent and for what is
// no mail: a payload without `from`, `to` and `subject`, or with a member of a provider's draft.
std::optional<std::string> LintMail(const base::Json& payload);

}  // namespace approval::mail
