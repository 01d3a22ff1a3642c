// `approval payload agentmail-draft`: a draft as the payload that an approval binds
// (adapters.md 4.3).
//
// Reads with the agent's own key; sends nothing and records nothing.
#include <array>

#include "core/base/canonical.h"
#include "core/base/utf8.h"
#include "gateway/secret_variable.h"
#include "gateway/spending/built_in_adapters.h"
#include "gateway/spending/verbs.h"
#include "vault/adapters/agentmail/agentmail_api.h"
#include "vault/adapters/agentmail/agentmail_payload.h"
#include "vault/adapters/redaction.h"

namespace approval::gateway {
namespace {

using base::Code;
using base::Error;
namespace agentmail = adapters::agentmail;

constexpr const char* kBaseVariable = "AGENTMAIL_API_BASE";

// The code that has this spelling among those a read of a draft can end with.
Code CodeFrom(std::string_view spelling) {
  constexpr std::array<Code, 7> kCodes = {Code::kAgentmailUnreachable, Code::kAgentmailUnauthorized,
                                          Code::kAgentmailNotFound,    Code::kAgentmailConflict,
                                          Code::kAgentmailRateLimited, Code::kAgentmailServerError,
                                          Code::kAgentmailRejected};
  for (const Code code : kCodes) {
    if (base::Spelling(code) == spelling) return code;
  }
  return Code::kAgentmailRejected;
}

base::Result<base::JsonObject> Snapshot(const agentmail::Api& api, const std::string& inbox,
                                        const std::string& draft) {
  const auto answer = api.Get(agentmail::InboxPath(inbox, {"drafts", draft}));
  if (!answer) {
    return base::Fail(CodeFrom(answer.error().failure.code), answer.error().failure.message);
  }
  if (answer->status == 404) {
    return base::Fail(Code::kAgentmailDraftMissing, "the inbox has no draft of that id");
  }
  if (!answer->ok()) {
    const auto failure = agentmail::FailureOf(*answer);
    return base::Fail(CodeFrom(failure.code), failure.message);
  }
  if (answer->object() == nullptr) {
    return base::Fail(Code::kAgentmailDraftUnusable, "what the service answered is no draft");
  }
  auto snapshot = agentmail::SnapshotOf(inbox, draft, *answer->object());
  if (!snapshot) return base::Fail(Code::kAgentmailDraftUnusable, snapshot.error());
  return std::move(*snapshot);
}

}  // namespace

int PayloadAgentmailDraftVerb(Invocation& call) {
  const auto inbox = call.Positional(0, "<inbox-id>");
  if (!inbox) return call.Usage(inbox.error().message);
  const auto draft = call.Positional(1, "<draft-id>");
  if (!draft) return call.Usage(draft.error().message);
  const auto given = SecretVariable(call.environment(), kAgentKeyVariable);
  const base::Secret key(given ? base::TrimEcma(given->Reveal()) : std::string_view());
  if (key.empty()) {
    static_cast<void>(
        call.CommandError(Code::kAgentmailApiKeyUnset,
                          std::string("the agent's key is not set: export ") + kAgentKeyVariable));
    return 2;
  }
  if (const auto wrong = agentmail::CheckKey(key.Reveal())) {
    return call.Usage(std::string(kAgentKeyVariable) + " holds something that is no key");
  }
  agentmail::ApiOptions options;
  const auto base_url = call.args().Flag("api-base");
  options.base =
      base_url
          ? *base_url
          : call.environment()(kBaseVariable).value_or(std::string(agentmail::kDefaultApiBase));
  options.ca_file = call.environment()("SSL_CERT_FILE").value_or("");
  if (agentmail::CheckBase(options.base)) {
    return call.Usage("the API's address must be an https URL without a slash at its end");
  }
  auto snapshot = Snapshot(agentmail::Api(options, key), *inbox, *draft);
  if (!snapshot) {
    adapters::Redaction redaction;
    redaction.Add(key.Reveal());
    Error error = snapshot.error();
    error.message = redaction.Text(error.message);
    return call.Refuse(error);
  }
  const auto canonical = base::Canonicalize(*snapshot);
  if (!canonical) return call.Refuse({Code::kAgentmailDraftUnusable, canonical.error().message});
  Print(stdout, *canonical);
  return 0;
}

}  // namespace approval::gateway
