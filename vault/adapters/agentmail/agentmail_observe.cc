// What the service says was sent from the inbox, whoever asked for it (adapters.md 4.4).
#include <algorithm>

#include "core/base/instant.h"
#include "vault/adapters/agentmail/agentmail_adapter.h"
#include "vault/adapters/agentmail/agentmail_settings.h"

namespace approval::adapters::agentmail {
namespace {

using base::JsonArray;
using base::JsonObject;

constexpr int kMaxPages = 10;

bool WasSent(const JsonObject& message) {
  const base::Json* labels = message.if_contains("labels");
  if (labels == nullptr || !labels->is_array()) return false;
  const JsonArray& list = labels->get_array();
  return std::find(list.begin(), list.end(), base::Json("sent")) != list.end();
}

std::size_t CountOf(const JsonObject& message, const char* name) {
  const base::Json* list = message.if_contains(name);
  return list != nullptr && list->is_array() ? list->get_array().size() : 0;
}

std::optional<Effect> EffectOf(const base::Json& item) {
  const JsonObject* message = item.if_object();
  if (message == nullptr || !WasSent(*message)) return std::nullopt;
  Effect effect;
  effect.id = std::string(base::StringMember(*message, "message_id").value_or(""));
  if (effect.id.empty()) return std::nullopt;
  effect.action_class = std::string(kAgentmailClass);
  for (const char* name : {"timestamp", "created_at"}) {
    const auto text = base::StringMember(*message, name);
    const auto at = text ? base::ParseInstant(*text) : std::nullopt;
    if (!at) continue;
    effect.at_ms = *at;
    break;
  }
  const std::size_t recipients =
      CountOf(*message, "to") + CountOf(*message, "cc") + CountOf(*message, "bcc");
  effect.detail = "a mail to " + std::to_string(recipients) + ": " +
                  std::string(base::StringMember(*message, "subject").value_or("no subject"));
  return effect;
}

}  // namespace

std::optional<tl::expected<std::vector<Effect>, ActFailed>> AgentmailAdapter::Observe(
    const ObserveWindow& window, CredentialWindow& credentials) {
  using Failure = tl::unexpected<ActFailed>;
  const auto settings = ReadSettings(credentials, options_);
  if (!settings) return Failure(settings.error());
  const Api api(settings->api, settings->key);
  std::vector<Effect> effects;
  std::string token;
  for (int page = 0; page < kMaxPages; ++page) {
    std::string path = InboxPath(settings->inbox_id, {"messages"}) +
                       "?after=" + Escaped(base::FormatInstant(window.from_ms)) +
                       "&before=" + Escaped(base::FormatInstant(window.until_ms)) + "&limit=100";
    if (!token.empty()) path += "&page_token=" + Escaped(token);
    const auto answer = api.Get(path);
    if (!answer) return Failure(answer.error().failure);
    if (!answer->ok()) return Failure(FailureOf(*answer));
    const JsonObject* body = answer->object();
    const base::Json* messages = body != nullptr ? body->if_contains("messages") : nullptr;
    if (messages == nullptr || !messages->is_array()) {
      return Failure(ActFailed{"agentmail-rejected", "the service answered no list of messages"});
    }
    for (const base::Json& item : messages->get_array()) {
      if (auto effect = EffectOf(item)) effects.push_back(std::move(*effect));
    }
    token = std::string(base::StringMember(*body, "next_page_token").value_or(""));
    if (token.empty()) break;
  }
  return effects;
}

}  // namespace approval::adapters::agentmail
