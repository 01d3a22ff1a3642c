#include "vault/adapters/agentmail/agentmail_payload.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/base/canonical.h"
#include "core/base/utf8.h"
#include "vault/mail/header_text.h"

namespace approval::adapters::agentmail {
namespace {

using base::Json;
using base::JsonArray;
using base::JsonObject;

constexpr std::array<const char*, 3> kDraftMarkers = {"draft_id", "inbox_id", "text"};
constexpr std::array<const char*, 3> kDirectMarkers = {"from", "body", "content_type"};
constexpr std::array<const char*, 7> kDraftMembers = {"inbox_id", "draft_id", "to",  "cc",
                                                      "bcc",      "subject",  "text"};
constexpr std::array<const char*, 5> kBound = {"to", "cc", "bcc", "subject", "text"};
// A person never saw these, so a draft that has one is another draft.
constexpr std::array<const char*, 9> kUnbound = {"html",        "attachments", "reply_to",
                                                 "in_reply_to", "references",  "forward_of",
                                                 "headers",     "send_at",     "client_id"};

using Failure = tl::unexpected<ActFailed>;

Failure Invalid(std::string message) {
  return Failure(ActFailed{"agentmail-payload-invalid", std::move(message)});
}

template <std::size_t N>
bool HasAny(const JsonObject& object, const std::array<const char*, N>& names) {
  return std::any_of(names.begin(), names.end(),
                     [&](const char* name) { return object.contains(name); });
}

// Null, "", [] and {} say nothing.
bool IsEmpty(const Json* value) {
  if (value == nullptr || value->is_null()) return true;
  if (const auto* text = value->if_string()) return text->empty();
  if (const JsonArray* list = value->if_array()) return list->empty();
  if (const JsonObject* object = value->if_object()) return object->empty();
  return false;
}

// How many addresses a list holds; nothing when it is no list of them.
std::optional<std::size_t> CountAddresses(const Json* list) {
  if (list == nullptr || list->is_null()) return 0;
  const JsonArray* items = list->if_array();
  if (items == nullptr) return std::nullopt;
  const bool fine = std::all_of(items->begin(), items->end(), [](const Json& item) {
    const auto* text = item.if_string();
    return text != nullptr && !text->empty() && !mail::HasControl({text->data(), text->size()});
  });
  if (!fine) return std::nullopt;
  return items->size();
}

tl::expected<DraftPayload, ActFailed> ReadDraft(const JsonObject& object) {
  for (const auto& member : object) {
    const std::string_view name = member.key();
    if (std::find(kDraftMembers.begin(), kDraftMembers.end(), name) == kDraftMembers.end()) {
      return Invalid("a draft's snapshot has no member " + base::ToText(Json(name)));
    }
  }
  DraftPayload draft;
  for (const auto& [name, into] :
       {std::pair{"inbox_id", &draft.inbox_id}, std::pair{"draft_id", &draft.draft_id}}) {
    const auto text = base::StringMember(object, name);
    if (!text || text->empty() || mail::HasControl(*text)) {
      return Invalid("\"" + std::string(name) + "\" must be an identifier");
    }
    *into = std::string(*text);
  }
  for (const char* name : {"to", "cc", "bcc"}) {
    const auto count = CountAddresses(object.if_contains(name));
    if (!count) return Invalid("\"" + std::string(name) + "\" must be a list of addresses");
    draft.recipients += *count;
  }
  if (IsEmpty(object.if_contains("to"))) return Invalid("\"to\" must hold at least one address");
  const auto subject = base::StringMember(object, "subject");
  if (!subject || mail::HasControl(*subject))
    return Invalid("\"subject\" must be one line of text");
  if (!base::StringMember(object, "text")) return Invalid("\"text\" must be a string");
  draft.snapshot = object;
  return draft;
}

std::string CanonicalOf(const Json* value) {
  if (value == nullptr) return "";
  return base::Canonicalize(*value).value_or("");
}

}  // namespace

tl::expected<Payload, ActFailed> ReadPayload(const Json& payload) {
  const JsonObject* object = payload.if_object();
  if (object == nullptr) return Invalid("a mail is a JSON object");
  const bool draft = HasAny(*object, kDraftMarkers);
  const bool direct = HasAny(*object, kDirectMarkers);
  if (draft && direct) {
    return Failure(ActFailed{"agentmail-payload-ambiguous",
                             "the payload has members of a draft and of a direct mail"});
  }
  if (!draft && !direct) return Invalid("the payload is neither a draft nor a direct mail");
  std::size_t recipients = 0;
  std::optional<Payload> read;
  if (draft) {
    auto snapshot = ReadDraft(*object);
    if (!snapshot) return Failure(snapshot.error());
    recipients = snapshot->recipients;
    read = std::move(*snapshot);
  } else {
    auto mail = mail::ReadEmailPayload(payload);
    if (!mail) return Invalid(mail.error());
    recipients = mail->Recipients().size();
    read = std::move(*mail);
  }
  if (recipients > kMaxRecipients) {
    return Invalid("AgentMail takes at most " + std::to_string(kMaxRecipients) +
                   " recipients in one mail, and this one has " + std::to_string(recipients));
  }
  return std::move(*read);
}

std::vector<std::string> DriftOf(const JsonObject& approved, const JsonObject& fetched) {
  std::vector<std::string> drifted;
  for (const std::string_view name : kBound) {
    const Json* before = approved.if_contains(name);
    const Json* now = fetched.if_contains(name);
    const bool may_lack = name == "cc" || name == "bcc";
    if (may_lack && IsEmpty(before) &&
        (now == nullptr || now->is_null() || (now->is_array() && now->get_array().empty()))) {
      continue;
    }
    if (CanonicalOf(before) != CanonicalOf(now)) drifted.emplace_back(name);
  }
  for (const char* name : kUnbound) {
    if (!IsEmpty(fetched.if_contains(name))) drifted.emplace_back(name);
  }
  return drifted;
}

tl::expected<JsonObject, std::string> SnapshotOf(std::string_view inbox_id,
                                                 std::string_view draft_id,
                                                 const JsonObject& fetched) {
  using Unusable = tl::unexpected<std::string>;
  for (const char* name : kUnbound) {
    if (!IsEmpty(fetched.if_contains(name))) {
      return Unusable("the draft has \"" + std::string(name) +
                      "\", which no approval can bind; make one without it, or ask for a direct "
                      "mail");
    }
  }
  JsonObject snapshot{{"draft_id", draft_id}, {"inbox_id", inbox_id}};
  for (const char* name : kBound) {
    const Json* value = fetched.if_contains(name);
    const bool may_lack = std::string_view(name) == "cc" || std::string_view(name) == "bcc";
    if (may_lack && IsEmpty(value)) continue;
    if (value == nullptr) return Unusable("the draft has no \"" + std::string(name) + "\" yet");
    snapshot[name] = *value;
  }
  const auto read = ReadPayload(snapshot);
  if (!read) return Unusable(read.error().message);
  return snapshot;
}

}  // namespace approval::adapters::agentmail
