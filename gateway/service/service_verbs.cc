#include <unistd.h>

#include <charconv>

#include "channels/web/access.h"
#include "core/base/duration.h"
#include "core/base/utf8.h"
#include "gateway/secret_variable.h"
#include "gateway/service/parts.h"
#include "gateway/service/service.h"
#include "gateway/service/verbs.h"
#include "gateway/web_link.h"
#include "render/canonical_block.h"
#include "render/quote.h"

namespace approval::gateway {
namespace {

using base::Code;
using base::Fail;
using base::Result;

std::optional<int> WholeNumber(const std::string& text, int least, int most) {
  int number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || number < least ||
      number > most) {
    return std::nullopt;
  }
  return number;
}

// Flags that every way of running the service shares.
Result<ServiceOptions> OptionsOf(const Invocation& call) {
  ServiceOptions options;
  const auto human = call.HumanActor();
  if (!human) return tl::unexpected(human.error());
  options.actor = *human;
  options.gate.log_path = call.LogPath();
  options.gate.policy_path = call.PolicyPath();
  options.json = call.json();
  options.environment = call.environment();
  const Arguments& args = call.args();
  if (const auto port = args.Flag("port")) {
    options.port = WholeNumber(*port, 0, 65535);
    if (!options.port) return Fail(Code::kUsage, "--port takes a number from 0 to 65535");
  }
  if (const auto timeout = args.Flag("poll-timeout")) {
    const auto seconds = WholeNumber(*timeout, 0, 600);
    if (!seconds) return Fail(Code::kUsage, "--poll-timeout takes seconds, digits only");
    options.poll_timeout = std::chrono::seconds(*seconds);
  }
  if (const auto rate = args.Flag("send-rate")) {
    options.send_rate = WholeNumber(*rate, 1, 1000);
    if (!options.send_rate) return Fail(Code::kUsage, "--send-rate takes a number from 1 to 1000");
  }
  if (const auto backoff = args.Flag("restart-backoff")) {
    const auto ms = base::ParseDurationMs(*backoff);
    if (!ms) return Fail(Code::kUsage, "--restart-backoff takes a duration such as 1s");
    options.restart_backoff = std::chrono::milliseconds(*ms);
  }
  options.api_base = args.Flag("api-base");
  options.login_link = !args.Has("no-login-link");
  options.open_browser = args.Has("open");
  options.web = !args.Has("no-web");
  options.telegram = !args.Has("no-telegram");
  return options;
}

int RunWith(Invocation& call, void (*adjust)(ServiceOptions&)) {
  auto options = OptionsOf(call);
  if (!options) return call.Usage(options.error().message);
  adjust(*options);
  base::SystemClock clock;
  return RunService(*options, clock, call.random());
}

}  // namespace

int UpVerb(Invocation& call) {
  return RunWith(call, [](ServiceOptions&) {});
}

int ChannelWebVerb(Invocation& call) {
  return RunWith(call, [](ServiceOptions& options) {
    options.web_required = true;
    options.telegram = false;
  });
}

int TelegramListenVerb(Invocation& call) {
  return RunWith(call, [](ServiceOptions& options) {
    options.telegram_required = true;
    options.web = false;
  });
}

int ChannelWebLinkVerb(Invocation& call) {
  // A link is as good as the person's hand: no script or agent gets one through a pipe.
  if (::isatty(STDIN_FILENO) == 0 || ::isatty(STDOUT_FILENO) == 0) {
    return call.Usage("a login link is printed at a terminal only");
  }
  const std::string folder = PrivateFolder(call.LogPath());
  const auto port = SavedWebPort(folder);
  if (!port) {
    return call.CommandError(Code::kNotConfigured,
                             "no page runs for this log; start it with `approval up`");
  }
  const auto key = WebLinkKey(folder, call.random());
  if (!key) return call.CommandError(Code::kIo, key.error().message);
  const std::string link = "http://127.0.0.1:" + std::to_string(*port) + "/login?t=" +
                           channels::web::MakeLinkToken(*key, call.clock().NowMs(), call.random());
  return call.Succeed({{"ok", true}, {"login", link}}, link);
}

int TelegramHealthVerb(Invocation& call) {
  const policy::LoadResult load = policy::LoadPolicy(call.PolicyPath());
  const policy::TelegramChannel& names = load.OrDefaults().channels.telegram;
  const auto given = SecretVariable(call.environment(), names.token_env);
  const bool token = given && !base::IsEcmaBlank(given->Reveal());
  const std::string chat_text = call.environment()(names.chat_id_env).value_or("");
  const bool chat = !base::IsEcmaBlank(chat_text);
  const base::Json chat_id = chat ? base::Json(chat_text) : base::Json(nullptr);
  const std::string words = names.token_env + (token ? " is set" : " is not set") + ", " +
                            names.chat_id_env + (chat ? " is set" : " is not set");
  call.Succeed({{"ok", token && chat},
                {"channel", "telegram"},
                {"token_env", names.token_env},
                {"token_set", token},
                {"chat_env", names.chat_id_env},
                {"chat_id", chat_id}},
               render::QuoteLine(words));
  return token && chat ? 0 : 1;
}

HandlerMap ServiceHandlers() {
  return {
      {"up", UpVerb},
      {"channel web", ChannelWebVerb},
      {"channel web link", ChannelWebLinkVerb},
      {"channel telegram listen", TelegramListenVerb},
      {"channel telegram health", TelegramHealthVerb},
  };
}

}  // namespace approval::gateway
