// Rows about what stands around: Telegram, the page's port, trust, the service.
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <charconv>

#include "channels/telegram/bot_api.h"
#include "channels/telegram/config.h"
#include "core/base/files.h"
#include "gateway/doctor/check.h"
#include "gateway/secret_variable.h"
#include "gateway/user_service.h"
#include "gateway/web_link.h"

namespace approval::gateway::doctor {
namespace {

using base::FileState;
using base::JoinPath;
using std::chrono::milliseconds;

constexpr int kDefaultPort = 4680;
constexpr milliseconds kTelegramDeadline{10'000};

// Where distributions keep the issuers that they trust.
constexpr std::array<const char*, 3> kRoots = {
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"};

bool PortIsFree(int port) {
  const base::Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket.ok()) return false;
  const int yes = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

}  // namespace

Check Telegram(const Subject& subject) {
  constexpr const char* kName = "telegram";
  const policy::TelegramChannel& names = subject.policy.OrDefaults().channels.telegram;
  const auto token = SecretVariable(subject.call.environment(), names.token_env);
  const bool chat = !subject.call.environment()(names.chat_id_env).value_or("").empty();
  if (!token && !chat) return {kName, Status::kSkip, "not configured", ""};
  if (!token || !chat) {
    return {kName, Status::kFail, (token ? names.chat_id_env : names.token_env) + " is not set",
            "eval \"$(approval env)\"   or: approval setup channel telegram"};
  }
  const telegram::ApiReply reply =
      telegram::AskOnce(subject.call.args().FlagOr("api-base", telegram::kDefaultApiBase), *token,
                        "getMe", {}, kTelegramDeadline, net::HttpOptionsFromEnvironment());
  if (!reply.ok()) {
    return {kName, Status::kFail, "getMe: " + reply.description, "approval setup channel telegram"};
  }
  const base::JsonObject* self = reply.result.if_object();
  const auto user = self != nullptr ? base::StringMember(*self, "username") : std::nullopt;
  return {kName, Status::kPass, "the bot is @" + std::string(user.value_or("")), ""};
}

Check WebPort(const Subject& subject) {
  constexpr const char* kName = "web-port";
  int port = subject.policy.OrDefaults().channels.web_port.value_or(kDefaultPort);
  if (const auto flag = subject.call.args().Flag("port")) {
    const auto read = std::from_chars(flag->data(), flag->data() + flag->size(), port);
    if (read.ec != std::errc() || port < 0 || port > 65535) {
      return {kName, Status::kFail, "--port is no port", "approval doctor --port 4680"};
    }
  }
  const std::string shown = "127.0.0.1:" + std::to_string(port);
  if (PortIsFree(port)) return {kName, Status::kPass, shown + " is free", ""};
  if (SavedWebPort(JoinPath(subject.home, "private")) == port) {
    return {kName, Status::kPass, shown + " is held by this project's gateway", ""};
  }
  return {kName, Status::kFail, shown + " is taken by another program",
          "ss -ltnp 'sport = :" + std::to_string(port) + "'   or: approval up --port 0"};
}

Check Trust(const Subject& subject) {
  constexpr const char* kName = "trust";
  if (const auto file = subject.call.environment()("SSL_CERT_FILE"); file && !file->empty()) {
    if (base::StateOf(*file) == FileState::kRegular) {
      return {kName, Status::kPass, "issuers come from SSL_CERT_FILE: " + *file, ""};
    }
    return {kName, Status::kFail, "SSL_CERT_FILE names no file: " + *file, "unset SSL_CERT_FILE"};
  }
  for (const char* root : kRoots) {
    if (base::StateOf(root) == FileState::kRegular) {
      return {kName, Status::kPass, std::string("issuers come from ") + root, ""};
    }
  }
  return {kName, Status::kFail, "this system has no file of trusted issuers",
          "apt-get install ca-certificates   or: export SSL_CERT_FILE=<file>"};
}

Check Service(const Subject& subject) {
  constexpr const char* kName = "service";
  const std::string home = subject.call.environment()("HOME").value_or("");
  if (home.empty() || base::StateOf(UserUnitPath(home, kSystemdLabel)) != FileState::kRegular) {
    return {kName, Status::kSkip, "no service is set up", ""};
  }
  if (AccountLingers()) return {kName, Status::kPass, "set up, and it runs without a login", ""};
  return {kName, Status::kFail, "set up, but it ends when you log out", "loginctl enable-linger"};
}

}  // namespace approval::gateway::doctor
