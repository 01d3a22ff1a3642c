#include "vault/adapters/agentmail/agentmail_adapter.h"

#include <algorithm>
#include <array>

#include "core/base/canonical.h"
#include "core/base/utf8.h"
#include "vault/adapters/agentmail/agentmail_payload.h"
#include "vault/adapters/agentmail/agentmail_settings.h"

namespace approval::adapters::agentmail {
namespace {

using base::JsonObject;

constexpr std::array<std::string_view, 1> kClasses = {kAgentmailClass};

using Failure = tl::unexpected<ActFailed>;
using MaybeFailed = std::optional<ActFailed>;

// An answer of a read; anything but 2xx with an object is a failure.
tl::expected<JsonObject, ActFailed> ReadObject(const tl::expected<ApiAnswer, ApiError>& answer) {
  if (!answer) return Failure(answer.error().failure);
  if (!answer->ok()) return Failure(FailureOf(*answer));
  if (answer->object() == nullptr) {
    return Failure(ActFailed{"agentmail-rejected",
                             "the service answered something that is not a JSON object; check "
                             "agentmail.api_base"});
  }
  return *answer->object();
}

// That the mail's sender is the inbox.
MaybeFailed CheckSender(const Api& api, const Settings& settings, const mail::EmailPayload& mail) {
  const auto inbox = ReadObject(api.Get(InboxPath(settings.inbox_id)));
  if (!inbox) return inbox.error();
  std::string_view address = settings.inbox_id;
  for (const char* name : {"address", "email", "inbox_id"}) {
    const auto found = base::StringMember(*inbox, name);
    if (!found) continue;
    address = *found;
    break;
  }
  if (base::AsciiLower(address) == base::AsciiLower(mail.from)) return std::nullopt;
  return ActFailed{"agentmail-from-mismatch",
                   "the approved mail is from another address than the inbox sends from"};
}

// That the draft still is what was approved.
MaybeFailed CheckDraft(const Api& api, const Settings& settings, const DraftPayload& draft) {
  const auto answer = api.Get(InboxPath(settings.inbox_id, {"drafts", draft.draft_id}));
  if (!answer) return answer.error().failure;
  if (answer->status == 404) {
    return ActFailed{"agentmail-draft-missing",
                     "the draft is not there: it was sent, deleted, or belongs to another inbox"};
  }
  if (!answer->ok()) return FailureOf(*answer);
  if (answer->object() == nullptr) {
    return ActFailed{"agentmail-draft-drifted", "what the service keeps is not a draft any more"};
  }
  const auto drifted = DriftOf(draft.snapshot, *answer->object());
  if (drifted.empty()) return std::nullopt;
  std::string names;
  for (const std::string& name : drifted) names += (names.empty() ? "" : ", ") + name;
  return ActFailed{"agentmail-draft-drifted", "the draft was changed after it was approved (" +
                                                  names + "); request it again as it is now"};
}

MaybeFailed CheckInboxOf(const Settings& settings, const DraftPayload& draft) {
  if (draft.inbox_id == settings.inbox_id) return std::nullopt;
  return ActFailed{"agentmail-inbox-mismatch",
                   "the approved draft is in another inbox than the vault's agentmail.inbox_id"};
}

JsonObject DirectBody(const mail::EmailPayload& mail) {
  JsonObject body{{"to", base::TextArray(mail.to)}};
  if (!mail.cc.empty()) body["cc"] = base::TextArray(mail.cc);
  if (!mail.bcc.empty()) body["bcc"] = base::TextArray(mail.bcc);
  body["subject"] = mail.subject;
  body[mail.html ? "html" : "text"] = mail.body;
  return body;
}

ActUnknown Unknown(ActFailed why) {
  return {std::move(why.code),
          "the request was handed over and the service gave no clear answer: " + why.message};
}

// What the answer to the send says happened. Only a refusal that the service states is a failure.
ActOutcome OutcomeOf(const tl::expected<ApiAnswer, ApiError>& answer, JsonObject detail) {
  if (!answer) {
    if (answer.error().may_have_arrived) return Unknown(answer.error().failure);
    return answer.error().failure;
  }
  if (answer->status >= 500) return Unknown(FailureOf(*answer));
  if (!answer->ok()) return FailureOf(*answer);
  const JsonObject* body = answer->object();
  const auto id = body != nullptr ? base::StringMember(*body, "message_id") : std::nullopt;
  if (!id || id->empty()) {
    return Unknown({"agentmail-rejected", "a success without the id of a message"});
  }
  detail["message_id"] = *id;
  detail["provider_ref"] = *id;
  if (const auto thread = base::StringMember(*body, "thread_id")) detail["thread_id"] = *thread;
  detail["http_status"] = answer->status;
  return ActDone{std::move(detail)};
}

}  // namespace

std::string IdempotencyKey(const std::string& action_key, const std::string& payload_hash) {
  return "approval:" +
         base::CanonicalHash(JsonObject{{"action_key", action_key}, {"payload_hash", payload_hash}})
             .value_or(payload_hash);
}

std::span<const std::string_view> AgentmailAdapter::classes() const { return kClasses; }

MaybeFailed AgentmailAdapter::Precheck(const ActInput& input) const {
  const auto payload = ReadPayload(input.payload);
  if (!payload) return payload.error();
  const auto settings = ReadSettings(input.credentials, options_);
  if (!settings) return settings.error();
  const auto* draft = std::get_if<DraftPayload>(&*payload);
  if (draft == nullptr) return std::nullopt;
  if (auto wrong = CheckInboxOf(*settings, *draft)) return wrong;
  return CheckDraft(Api(settings->api, settings->key), *settings, *draft);
}

tl::expected<JsonObject, ActFailed> AgentmailAdapter::Preview(const ActInput& input) const {
  const auto payload = ReadPayload(input.payload);
  if (!payload) return Failure(payload.error());
  JsonObject facts;
  if (const auto* draft = std::get_if<DraftPayload>(&*payload)) {
    facts = {{"mode", "draft"},
             {"inbox_id", draft->inbox_id},
             {"draft_id", draft->draft_id},
             {"recipients", draft->recipients},
             {"subject", draft->snapshot.at("subject")},
             {"body_bytes", base::StringMember(draft->snapshot, "text")->size()}};
  } else {
    const auto& mail = std::get<mail::EmailPayload>(*payload);
    facts = {{"mode", "direct"},
             {"from", mail.from},
             {"recipients", base::TextArray(mail.Recipients())},
             {"subject", mail.subject},
             {"content", mail.html ? "text/html" : "text/plain"},
             {"body_bytes", mail.body.size()}};
    if (const auto inbox = input.credentials.Find("agentmail.inbox_id"); inbox && *inbox) {
      facts["inbox_id"] = **inbox;
    }
  }
  facts["idempotency_key"] = IdempotencyKey(input.action_key, input.payload_hash);
  return facts;
}

ActOutcome AgentmailAdapter::Act(const ActInput& input) {
  const auto payload = ReadPayload(input.payload);
  if (!payload) return payload.error();
  const auto settings = ReadSettings(input.credentials, options_);
  if (!settings) return settings.error();
  const Api api(settings->api, settings->key);
  const std::string once = IdempotencyKey(input.action_key, input.payload_hash);
  const auto* draft = std::get_if<DraftPayload>(&*payload);
  JsonObject detail{{"mode", draft != nullptr ? "draft" : "direct"},
                    {"payload_hash", input.payload_hash},
                    {"idempotency_key", once}};
  if (draft != nullptr) {
    if (auto wrong = CheckInboxOf(*settings, *draft)) return std::move(*wrong);
    if (auto wrong = CheckDraft(api, *settings, *draft)) return std::move(*wrong);
    detail["recipients"] = draft->recipients;
    const auto path = InboxPath(settings->inbox_id, {"drafts", draft->draft_id, "send"});
    return OutcomeOf(api.Post(path, std::nullopt, once), std::move(detail));
  }
  const auto& mail = std::get<mail::EmailPayload>(*payload);
  if (auto wrong = CheckSender(api, *settings, mail)) return std::move(*wrong);
  detail["recipients"] = mail.Recipients().size();
  const auto path = InboxPath(settings->inbox_id, {"messages", "send"});
  return OutcomeOf(api.Post(path, DirectBody(mail), once), std::move(detail));
}

}  // namespace approval::adapters::agentmail
