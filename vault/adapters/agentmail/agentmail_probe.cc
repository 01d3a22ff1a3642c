// What setup learns from AgentMail without an effect there: the inbox, and what keys may do.
//
// A key's permissions are read where the service discloses them: in the inbox's answer, else in the
// list of the inbox's keys, where a key is known by its prefix. Nothing is sent to find out.
#include <algorithm>
#include <array>
#include <set>

#include "vault/adapters/agentmail/agentmail_adapter.h"
#include "vault/adapters/agentmail/agentmail_settings.h"
#include "vault/adapters/redaction.h"

namespace approval::adapters::agentmail {
namespace {

using base::JsonObject;

// A key without a whitelist may do everything in its scope.
struct Permissions {
  bool restricted = false;
  std::set<std::string, std::less<>> granted;

  bool Has(std::string_view name) const { return !restricted || granted.contains(name); }
};

constexpr std::array<std::string_view, 2> kNeeded = {"draft_send", "message_send"};
// Anything that sends, and what would let a key make a stronger one.
constexpr std::array<std::string_view, 5> kSending = {"send", "reply", "forward", "api_key_create",
                                                      "api_key_update"};
constexpr int kMaxPages = 10;

std::optional<Permissions> FromValue(const base::Json* value) {
  if (value == nullptr) return std::nullopt;
  Permissions found;
  found.restricted = true;
  if (const JsonObject* map = value->if_object()) {
    for (const auto& member : *map) {
      if (member.value() == base::Json(true)) found.granted.emplace(member.key());
    }
    return found;
  }
  if (const base::JsonArray* list = value->if_array()) {
    for (const base::Json& item : *list) {
      if (item.is_string()) found.granted.emplace(item.get_string().c_str());
    }
    return found;
  }
  return std::nullopt;
}

std::optional<Permissions> FromObject(const JsonObject& object) {
  for (const char* name : {"permissions", "scopes"}) {
    if (auto found = FromValue(object.if_contains(name))) return found;
  }
  return std::nullopt;
}

std::optional<Permissions> FromInbox(const JsonObject& inbox) {
  if (auto found = FromObject(inbox)) return found;
  for (const char* name : {"key", "api_key"}) {
    const base::Json* inner = inbox.if_contains(name);
    if (inner == nullptr || !inner->is_object()) continue;
    if (auto found = FromObject(inner->get_object())) return found;
  }
  return std::nullopt;
}

// The entry of the key in the inbox's list of keys, as `reader` may see it.
std::optional<Permissions> FromList(const Api& reader, const std::string& inbox_id,
                                    const base::Secret& key) {
  std::string token;
  for (int page = 0; page < kMaxPages; ++page) {
    std::string path = InboxPath(inbox_id, {"api-keys"}) + "?limit=100";
    if (!token.empty()) path += "&page_token=" + Escaped(token);
    const auto answer = reader.Get(path);
    if (!answer || !answer->ok() || answer->object() == nullptr) return std::nullopt;
    const base::Json* keys = answer->object()->if_contains("api_keys");
    if (keys == nullptr || !keys->is_array()) return std::nullopt;
    for (const base::Json& entry : keys->get_array()) {
      const JsonObject* object = entry.if_object();
      const auto prefix = object != nullptr ? base::StringMember(*object, "prefix") : std::nullopt;
      if (!prefix || prefix->size() < 4) continue;
      if (key.Reveal().substr(0, prefix->size()) != *prefix) continue;
      return FromObject(*object).value_or(Permissions{});
    }
    token = std::string(base::StringMember(*answer->object(), "next_page_token").value_or(""));
    if (token.empty()) return std::nullopt;
  }
  return std::nullopt;
}

std::string Words(const Permissions& permissions) {
  std::string words;
  for (const std::string& name : permissions.granted) words += (words.empty() ? "" : ", ") + name;
  return words.empty() ? "nothing" : words;
}

void JudgeSendingKey(const std::optional<Permissions>& permissions, Probed& probed) {
  if (!permissions) {
    probed.warnings.emplace_back(
        "the service does not say what this key may do; it needs draft_send and message_send, and "
        "should have nothing more");
    return;
  }
  if (!permissions->restricted) {
    probed.warnings.emplace_back(
        "this key is unrestricted: make one for this inbox with draft_send, message_send and the "
        "read permissions only");
    return;
  }
  probed.summary += "; the key may " + Words(*permissions);
  for (const std::string_view needed : kNeeded) {
    if (permissions->Has(needed)) continue;
    probed.warnings.push_back("the key lacks " + std::string(needed) +
                              (needed == "draft_send" ? ": approved drafts cannot be sent"
                                                      : ": approved mails cannot be sent"));
  }
}

bool CanSend(const Permissions& permissions) {
  if (!permissions.restricted) return true;
  return std::any_of(
      permissions.granted.begin(), permissions.granted.end(), [](const std::string& name) {
        return std::any_of(kSending.begin(), kSending.end(),
                           [&](auto part) { return name.find(part) != std::string::npos; });
      });
}

// The agent must not be able to send without an approval.
std::optional<ProbeFailed> JudgeAgentKey(const Settings& settings, const base::Secret& agent_key,
                                         Probed& probed) {
  const std::string advice =
      "make the agent a key of its own for this inbox with draft_create, draft_read and "
      "draft_update only";
  if (agent_key.Reveal() == settings.key.Reveal()) {
    return ProbeFailed{"agentmail-config-invalid",
                       "the agent's key is the sending key: the agent could send by itself",
                       advice};
  }
  if (const auto wrong = CheckKey(agent_key.Reveal())) {
    return ProbeFailed{"agentmail-config-invalid", "the agent's key has blanks in it", advice};
  }
  const Api as_agent(settings.api, agent_key);
  std::optional<Permissions> permissions;
  const auto inbox = as_agent.Get(InboxPath(settings.inbox_id));
  if (inbox && inbox->status == 401) {
    probed.warnings.emplace_back("the service does not accept the agent's key at all");
    return std::nullopt;
  }
  if (inbox && inbox->ok() && inbox->object() != nullptr) permissions = FromInbox(*inbox->object());
  if (!permissions) permissions = FromList(as_agent, settings.inbox_id, agent_key);
  if (!permissions) {
    permissions = FromList(Api(settings.api, settings.key), settings.inbox_id, agent_key);
  }
  if (!permissions) {
    probed.warnings.emplace_back(
        "the service does not disclose what the agent's key may do, so it is not shown that it "
        "cannot send; " +
        advice);
    return std::nullopt;
  }
  if (CanSend(*permissions)) {
    return ProbeFailed{"agentmail-config-invalid",
                       permissions->restricted
                           ? "the agent's key can send by itself: it may " + Words(*permissions)
                           : "the agent's key is unrestricted: it can send by itself",
                       advice};
  }
  probed.summary += "; the agent's key cannot send: it may " + Words(*permissions);
  return std::nullopt;
}

std::string AdviceFor(const ActFailed& failure) {
  if (failure.code == "agentmail-unauthorized") {
    return "make a key for this inbox with draft_send and message_send, and store it again";
  }
  if (failure.code == "agentmail-not-found") {
    return "check agentmail.inbox_id: it is the id that the service lists, usually the address";
  }
  if (failure.code == "agentmail-unreachable") {
    return "check the network and agentmail.api_base";
  }
  return "";
}

}  // namespace

std::optional<tl::expected<Probed, ProbeFailed>> AgentmailAdapter::Probe(
    CredentialWindow& credentials) {
  const auto failed = [](const ActFailed& failure) {
    return tl::unexpected(ProbeFailed{failure.code, failure.message, AdviceFor(failure)});
  };
  const auto settings = ReadSettings(credentials, options_);
  if (!settings) return failed(settings.error());
  Redaction redaction;
  redaction.Add(settings->key.Reveal());
  if (options_.agent_key) redaction.Add(options_.agent_key->Reveal());
  const Api api(settings->api, settings->key);
  const auto inbox = api.Get(InboxPath(settings->inbox_id));
  std::optional<ActFailed> failure;
  if (!inbox) {
    failure = inbox.error().failure;
  } else if (!inbox->ok()) {
    failure = FailureOf(*inbox);
  } else if (inbox->object() == nullptr) {
    failure = ActFailed{"agentmail-rejected", "the service answered something that is no inbox"};
  }
  if (failure) {
    failure->message = redaction.Text(failure->message);
    return failed(*failure);
  }
  Probed probed;
  probed.summary = "the inbox " + settings->inbox_id + " answers; nothing was sent";
  auto permissions = FromInbox(*inbox->object());
  if (!permissions) permissions = FromList(api, settings->inbox_id, settings->key);
  JudgeSendingKey(permissions, probed);
  if (options_.agent_key) {
    if (auto refused = JudgeAgentKey(*settings, *options_.agent_key, probed)) {
      refused->message = redaction.Text(refused->message);
      return tl::unexpected(std::move(*refused));
    }
  }
  probed.summary = redaction.Text(probed.summary);
  for (std::string& warning : probed.warnings) warning = redaction.Text(warning);
  return probed;
}

}  // namespace approval::adapters::agentmail
