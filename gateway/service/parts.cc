#include "gateway/service/parts.h"

#include <algorithm>

#include "core/base/files.h"
#include "core/base/utf8.h"
#include "core/log/read.h"
#include "gateway/secret_variable.h"

namespace approval::gateway {
namespace {

constexpr unsigned short kDefaultPort = 4680;

bool PolicyNamesWeb(const policy::Policy& policy) {
  const base::Json* channels = policy.source.if_contains("channels");
  return channels != nullptr && channels->is_object() && channels->get_object().contains("web");
}

}  // namespace

std::optional<unsigned short> WebPort(const ServiceOptions& options, const policy::Policy& policy) {
  if (!options.web) return std::nullopt;
  if (options.port) return static_cast<unsigned short>(*options.port);
  if (policy.channels.web_port) return static_cast<unsigned short>(*policy.channels.web_port);
  if (options.web_required || PolicyNamesWeb(policy)) return kDefaultPort;
  return std::nullopt;
}

tl::expected<telegram::TelegramConfig, Unavailable> TelegramSettings(const ServiceOptions& options,
                                                                     const policy::Policy& policy) {
  const policy::TelegramChannel& names = policy.channels.telegram;
  const auto given = SecretVariable(options.environment, names.token_env);
  const std::string_view token = given ? base::TrimEcma(given->Reveal()) : std::string_view();
  const std::string chat_text = options.environment(names.chat_id_env).value_or("");
  const std::string_view chat = base::TrimEcma(chat_text);
  if (token.empty() || chat.empty()) {
    std::string missing;
    if (token.empty()) missing = names.token_env;
    if (chat.empty()) missing += (missing.empty() ? "" : " and ") + names.chat_id_env;
    return tl::unexpected(Unavailable{"telegram", "environment", missing + " not set",
                                      "export " + missing + " and restart"});
  }
  telegram::TelegramConfig config;
  config.token = base::Secret(token);
  config.chat_id = std::string(chat);
  config.private_folder = PrivateFolder(options.gate.log_path);
  if (options.api_base) config.api_base = *options.api_base;
  if (options.poll_timeout) config.poll_timeout = *options.poll_timeout;
  if (options.send_rate) {
    config.rate.per_second = *options.send_rate;
    config.rate.burst = std::max(config.rate.burst, config.rate.per_second);
  }
  config.http = net::HttpOptionsFromEnvironment();
  return config;
}

std::string PrivateFolder(const std::string& log_path) {
  return base::JoinPath(log::HomeOf(log_path), "private");
}

}  // namespace approval::gateway
