#include "vault/adapters/agentmail/agentmail_settings.h"

#include <algorithm>
#include <array>

namespace approval::adapters::agentmail {
namespace {

constexpr std::array<CredentialSpec, 3> kManifest = {{
    {"agentmail.inbox_id", CredentialKind::kConfig, true, "inbox", "id of the inbox that sends", "",
     ""},
    {"agentmail.api_key", CredentialKind::kSecret, true, "sending key",
     "an API key of this inbox with draft_send and message_send; not the key of the agent", "", ""},
    {"agentmail.api_base", CredentialKind::kConfig, false, "API address",
     "https://api.agentmail.to, or https://api.agentmail.eu", kDefaultApiBase, "", true},
}};

using Failure = tl::unexpected<ActFailed>;

Failure FromWindow(const base::Error& error) {
  return Failure(ActFailed{std::string(base::Spelling(error.code)), error.message});
}

std::optional<std::string> CheckInbox(std::string_view value) {
  const bool fine = !value.empty() && std::all_of(value.begin(), value.end(), [](char c) {
    return static_cast<unsigned char>(c) > ' ' && c != 0x7f;
  });
  if (fine) return std::nullopt;
  return "agentmail.inbox_id must be an id without blanks";
}

}  // namespace

std::span<const CredentialSpec> AgentmailAdapter::manifest() const { return kManifest; }

std::optional<std::string> AgentmailAdapter::CheckSetting(std::string_view name,
                                                          std::string_view value) const {
  if (name == "agentmail.inbox_id") return CheckInbox(value);
  if (name == "agentmail.api_key") return CheckKey(value);
  if (name == "agentmail.api_base") return CheckBase(value);
  return std::nullopt;
}

tl::expected<Settings, ActFailed> ReadSettings(CredentialWindow& window,
                                               const AgentmailOptions& options) {
  const auto inbox = window.Get("agentmail.inbox_id");
  if (!inbox) return FromWindow(inbox.error());
  const auto key = window.Get("agentmail.api_key");
  if (!key) return FromWindow(key.error());
  const auto base = window.Find("agentmail.api_base");
  if (!base) return FromWindow(base.error());
  Settings settings;
  settings.inbox_id = std::string(*inbox);
  settings.key = base::Secret(*key);
  settings.api.base =
      !options.api_base.empty() ? options.api_base : std::string(base->value_or(kDefaultApiBase));
  settings.api.ca_file = options.ca_file;
  settings.api.deadline = options.deadline;
  for (const auto& wrong : {CheckInbox(*inbox), CheckKey(*key), CheckBase(settings.api.base)}) {
    if (wrong) return Failure(ActFailed{"agentmail-config-invalid", *wrong});
  }
  return settings;
}

}  // namespace approval::adapters::agentmail
