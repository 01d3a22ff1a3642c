// The two payloads that AgentMail sends, and what a draft must not have become since it was
// approved (adapters.md 4.2).
//
// Pure; any thread. No sentence repeats a value of a payload or of a draft.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <tl/expected.hpp>

#include "core/base/json.h"
#include "vault/adapters/adapter.h"
#include "vault/mail/email_payload.h"

namespace approval::adapters::agentmail {

// What the service takes in one message, to, cc and bcc together.
inline constexpr std::size_t kMaxRecipients = 50;

// A draft as it was when a person approved it.
struct DraftPayload {
  std::string inbox_id;
  std::string draft_id;
  std::size_t recipients = 0;
  base::JsonObject snapshot;  // the bound members as the payload has them
};

using Payload = std::variant<mail::EmailPayload, DraftPayload>;

// `agentmail-payload-ambiguous` for one with members of both kinds, else
// `agentmail-payload-invalid`.
tl::expected<Payload, ActFailed> ReadPayload(const base::Json& payload);

// Names of the members in which a fetched draft differs from the approved one: to, cc, bcc, subject
// and text by canonical form (for cc and bcc absent, null and [] are the same), then every member
// that no approval binds and that is there and not empty.
std::vector<std::string> DriftOf(const base::JsonObject& approved, const base::JsonObject& fetched);

// A fetched draft as a payload, members as the hash wants them; or why it cannot be one.
tl::expected<base::JsonObject, std::string> SnapshotOf(std::string_view inbox_id,
                                                       std::string_view draft_id,
                                                       const base::JsonObject& fetched);

}  // namespace approval::adapters::agentmail
