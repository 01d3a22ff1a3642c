#include "vault/adapters/email/smtp_settings.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>

#include "core/base/utf8.h"
#include "vault/adapters/email/pin_file.h"
#include "vault/mail/header_text.h"

namespace approval::adapters::email {
namespace {

constexpr std::array<CredentialSpec, 10> kManifest = {{
    {"smtp.host", CredentialKind::kConfig, true, "server", "name of the SMTP server", "", ""},
    {"smtp.port", CredentialKind::kConfig, true, "port", "587 with starttls, 465 with implicit",
     "587", ""},
    {"smtp.security", CredentialKind::kChoice, true, "security",
     "when TLS begins; none is for this machine only", "starttls", "implicit starttls none"},
    {"smtp.user", CredentialKind::kConfig, false, "user", "login name; with smtp.password", "", ""},
    {"smtp.password", CredentialKind::kSecret, false, "password", "login secret; with smtp.user",
     "", ""},
    {"smtp.auth", CredentialKind::kChoice, false, "login",
     "what proves the user: smtp.password, or the access token in smtp.oauth_token", "password",
     "password xoauth2", true},
    {"smtp.oauth_token", CredentialKind::kSecret, false, "access token",
     "OAuth 2 access token for smtp.auth xoauth2; it expires, storing a fresh one is up to you", "",
     "", true},
    {"smtp.ca_file", CredentialKind::kConfig, false, "trust",
     "PEM file of the issuers to trust instead of the system's", "", "", true},
    {"smtp.pin_file", CredentialKind::kConfig, false, "pin",
     "PEM file of the certificate whose key the server must have, on top of its trust", "", "",
     true},
    {"smtp.ehlo_name", CredentialKind::kConfig, false, "own name",
     "what this machine calls itself to the server; its own full name when not set", "", "", true},
}};

using Failure = tl::unexpected<ActFailed>;
using Settings = std::map<std::string_view, std::string_view>;

bool HasBlankOrControl(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte <= ' ' || byte == 0x7f;
  });
}

// 1 to 65535 in decimal digits, white space around them allowed.
std::optional<int> PortFrom(std::string_view text) {
  text = base::TrimEcma(text);
  int port = 0;
  for (const char c : text) {
    if (c < '0' || c > '9' || port > 65535) return std::nullopt;
    port = port * 10 + (c - '0');
  }
  if (port < 1 || port > 65535) return std::nullopt;
  return port;
}

std::optional<SmtpSecurity> SecurityFrom(std::string_view text) {
  if (text == "implicit") return SmtpSecurity::kImplicit;
  if (text == "starttls") return SmtpSecurity::kStartTls;
  if (text == "none") return SmtpSecurity::kNone;
  return std::nullopt;
}

std::optional<std::string> CheckFile(std::string_view name, std::string_view path) {
  if (path.empty() || path.front() != '/' || mail::HasControl(path)) {
    return std::string(name) + " must be an absolute path";
  }
  if (::access(std::string(path).c_str(), R_OK) != 0) {
    return std::string(name) + " names no readable file";
  }
  if (name != "smtp.pin_file") return std::nullopt;
  if (const auto pins = ReadPins(std::string(path)); !pins) {
    return std::string(name) + " " + pins.error();
  }
  return std::nullopt;
}

// Every setting that is stored, or the manifest's fallback. The views live as long as the window.
tl::expected<Settings, ActFailed> ReadAll(CredentialWindow& window) {
  const auto failed = [](const base::Error& error) {
    return Failure(ActFailed{std::string(base::Spelling(error.code)), error.message});
  };
  Settings settings;
  for (const CredentialSpec& spec : kManifest) {
    if (spec.required && spec.fallback.empty()) {
      const auto value = window.Get(spec.name);
      if (!value) return failed(value.error());
      settings[spec.name] = *value;
      continue;
    }
    const auto value = window.Find(spec.name);
    if (!value) return failed(value.error());
    if (*value) {
      settings[spec.name] = **value;
    } else if (!spec.fallback.empty()) {
      settings[spec.name] = spec.fallback;
    }
  }
  return settings;
}

std::string_view In(const Settings& settings, std::string_view name) {
  const auto found = settings.find(name);
  return found != settings.end() ? found->second : std::string_view();
}

// The login, or why the settings make none.
std::optional<std::string> TakeLogin(const Settings& settings, SmtpServer& server) {
  server.user = std::string(In(settings, "smtp.user"));
  if (In(settings, "smtp.auth") == "xoauth2") {
    server.oauth_token = base::Secret(In(settings, "smtp.oauth_token"));
    if (server.user.empty() || server.oauth_token.empty()) {
      return "smtp.auth xoauth2 needs smtp.user and smtp.oauth_token";
    }
    return std::nullopt;
  }
  server.password = base::Secret(In(settings, "smtp.password"));
  if (server.user.empty() != server.password.empty()) {
    return "smtp.user and smtp.password go together: store both or neither";
  }
  return std::nullopt;
}

// What AUTH carries; its base64 form is what could be echoed.
void TellForms(CredentialWindow& window, const SmtpServer& server) {
  if (!server.HasLogin()) return;
  const std::size_t secret = server.password.Reveal().size() + server.oauth_token.Reveal().size();
  std::string blob;
  blob.reserve(server.user.size() + secret + 32);  // growing would leave copies behind
  if (server.oauth_token.empty()) {
    blob.append(1, '\0').append(server.user).append(1, '\0');
    blob += server.password.Reveal();
  } else {
    blob.append("user=").append(server.user).append("\x01").append("auth=Bearer ");
    blob += server.oauth_token.Reveal();
    blob += "\x01\x01";
  }
  window.AlsoSecret(base::Secret(std::move(blob)));
}

}  // namespace

std::span<const CredentialSpec> SmtpManifest() { return kManifest; }

std::optional<std::string> CheckSmtpSetting(std::string_view name, std::string_view value) {
  if (name == "smtp.host") {
    if (value.empty() || HasBlankOrControl(value)) return "smtp.host is no host name";
  } else if (name == "smtp.port") {
    if (!PortFrom(value)) return "smtp.port must be a number from 1 to 65535";
  } else if (name == "smtp.security") {
    if (!SecurityFrom(value)) return "smtp.security must be implicit, starttls or none";
  } else if (name == "smtp.auth") {
    if (value != "password" && value != "xoauth2") return "smtp.auth must be password or xoauth2";
  } else if (name == "smtp.user" || name == "smtp.password") {
    if (mail::HasControl(value)) return std::string(name) + " holds a control character";
  } else if (name == "smtp.oauth_token") {
    if (HasBlankOrControl(value)) return "smtp.oauth_token holds a blank or a control character";
  } else if (name == "smtp.ca_file" || name == "smtp.pin_file") {
    return CheckFile(name, value);
  } else if (name == "smtp.ehlo_name") {
    if (!IsEhloName(value)) {
      return "smtp.ehlo_name must be a host name of ASCII letters, or an address in brackets";
    }
  }
  return std::nullopt;
}

tl::expected<SmtpServer, ActFailed> ReadSmtpServer(CredentialWindow& window,
                                                   const SmtpDefaults& defaults) {
  const auto invalid = [](std::string message) {
    return Failure(ActFailed{"email-config-invalid", std::move(message)});
  };
  const auto settings = ReadAll(window);
  if (!settings) return Failure(settings.error());
  for (const auto& [name, value] : *settings) {
    if (auto wrong = CheckSmtpSetting(name, value)) return invalid(std::move(*wrong));
  }
  SmtpServer server;
  server.host = std::string(In(*settings, "smtp.host"));
  server.port = PortFrom(In(*settings, "smtp.port")).value_or(0);
  server.security = SecurityFrom(In(*settings, "smtp.security")).value_or(SmtpSecurity::kStartTls);
  if (auto wrong = TakeLogin(*settings, server)) return invalid(std::move(*wrong));
  server.ca_file = settings->contains("smtp.ca_file") ? std::string(In(*settings, "smtp.ca_file"))
                                                      : defaults.ca_file;
  server.ehlo_name = settings->contains("smtp.ehlo_name")
                         ? std::string(In(*settings, "smtp.ehlo_name"))
                         : defaults.ehlo_name;
  if (const std::string pin_file(In(*settings, "smtp.pin_file")); !pin_file.empty()) {
    auto pins = ReadPins(pin_file);
    if (!pins) return invalid("smtp.pin_file " + pins.error());
    server.pins = std::move(*pins);
  }
  if (server.security == SmtpSecurity::kNone &&
      (server.HasLogin() || !IsLoopbackHost(server.host))) {
    return Failure(ActFailed{"smtp-tls-failed",
                             "smtp.security none is for this machine only and takes no login"});
  }
  TellForms(window, server);
  return server;
}

}  // namespace approval::adapters::email
