#pragma GCC diagnostic ignored "-Wnull-dereference"  // see channels/web/server.cc

#include "gateway/service/service.h"

#include <csignal>
#include <memory>
#include <vector>

#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>

#include "channels/telegram/private_folder.h"
#include "channels/telegram/telegram_channel.h"
#include "core/base/files.h"
#include "gateway/runtime.h"
#include "gateway/service/browser.h"
#include "gateway/service/part.h"
#include "gateway/service/parts.h"
#include "gateway/service/system_notify.h"
#include "gateway/service/watcher.h"
#include "gateway/web_link.h"

namespace approval::gateway {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using channels::QueueView;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

// The service looks by itself this often, whatever the watch says.
constexpr milliseconds kLook{1000};
constexpr std::chrono::seconds kReprove{60};

class Service {
 public:
  Service(const ServiceOptions& options, base::Clock& clock, base::Random& random)
      : options_(options),
        clock_(clock),
        random_(random),
        reporter_(options.json),
        runtime_(options.gate, options.actor, clock, random, reporter_),
        pool_(2),
        signals_(io_, SIGTERM, SIGINT),
        look_(io_),
        deadline_(io_),
        watcher_(io_,
                 {base::FolderOf(options.gate.log_path), base::FolderOf(options.gate.policy_path)},
                 [this] { Wake(); }) {}

  int Run() {
    runtime_.Refresh();
    if (const auto view = runtime_.View(); view->stopped) {
      // Said by the runtime already; a log that does not verify is no place to start.
      return ExitCodeOf(*view->stopped);
    }
    if (const auto made = base::MakeFolders(base::FolderOf(options_.gate.log_path)); !made) {
      reporter_.Complain("error", {{"code", "io"}, {"message", made.error().message}});
      return 4;
    }
    runtime_.OnChange([this] { asio::post(io_, [this] { Publish(); }); });
    MakeParts();
    if (exit_) return *exit_;
    base::JsonArray names;
    for (const auto& part : parts_) names.push_back(base::Json(part->name()));
    reporter_.Say("up_started", {{"parts", std::move(names)}, {"log", options_.gate.log_path}});
    for (const auto& part : parts_) {
      part->Start([this] { return runtime_.View(); },
                  [this, name = part->name()](const base::Error& error) { Ended(name, error); });
    }
    signals_.async_wait([this](error_code failed, int) {
      if (!failed) Stop("signal");
    });
    if (!watcher_.Attach()) Unwatched();
    if (parts_.empty()) {
      reporter_.Warn("no-channel",
                     "no channel runs, so nobody is asked; configure Telegram or the page "
                     "(channels.web in the policy, or --port)");
    }
    Tick();
    io_.run();
    pool_.join();
    return exit_.value_or(0);
  }

 private:
  void MakeParts() {
    const policy::Policy& policy = runtime_.View()->policy;
    if (const auto port = WebPort(options_, policy)) MakeWeb(*port);
    if (!options_.telegram) return;
    if (auto settings = TelegramSettings(options_, policy); !settings) {
      Unable(settings.error());
      if (options_.telegram_required) exit_ = 2;
      return;
    }
    parts_.push_back(std::make_unique<Part>(
        "telegram",
        [this] {
          // Read anew at each start; without a token the channel itself says what is missing.
          auto settings = TelegramSettings(options_, runtime_.View()->policy);
          return std::make_unique<telegram::TelegramChannel>(
              settings ? std::move(*settings) : telegram::TelegramConfig{}, runtime_, clock_,
              random_);
        },
        [] { return base::JsonObject{}; }, options_.restart_backoff, options_.telegram_required,
        io_, pool_, reporter_));
  }

  void MakeWeb(unsigned short port) {
    auto key = WebLinkKey(PrivateFolder(options_.gate.log_path), random_);
    if (!key) {
      Unable({"web", "private folder", key.error().message, "check the folder's owner and mode"});
      if (options_.web_required) exit_ = 4;
      return;
    }
    auto shared = std::make_shared<base::Secret>(std::move(*key));
    parts_.push_back(std::make_unique<Part>(
        "web",
        [this, shared, port] {
          auto channel = std::make_unique<channels::web::WebChannel>(
              io_, runtime_, channels::web::WebConfig{port, options_.actor, shared->Copy()}, clock_,
              random_);
          web_ = channel.get();
          return channel;
        },
        [this] { return WebDetail(); }, options_.restart_backoff, options_.web_required, io_, pool_,
        reporter_));
  }

  base::JsonObject WebDetail() {
    base::JsonObject members{{"port", web_->port()}};
    SaveWebPort(PrivateFolder(options_.gate.log_path), web_->port());
    if (options_.login_link) members["login"] = web_->NewLoginLink();
    if (options_.open_browser) {
      if (const auto opened = OpenInBrowser(web_->NewLoginLink()); !opened) {
        reporter_.Warn("browser", opened.error().message);
      }
    }
    return members;
  }

  void Unable(const Unavailable& why) {
    reporter_.Complain("part_unavailable", {{"part", why.part},
                                            {"check", why.check},
                                            {"status", "skip"},
                                            {"detail", why.detail},
                                            {"fix", why.fix}});
  }

  // A part that will not run again. The others go on; a part that was asked for ends the program.
  void Ended(const std::string& name, const base::Error& error) {
    const bool required = (name == "web" && options_.web_required) ||
                          (name == "telegram" && options_.telegram_required);
    if (!required) return;
    const bool files = error.code == base::Code::kPortUnavailable || error.code == base::Code::kIo;
    exit_ = files ? 4 : 1;
    Stop("part ended");
  }

  // The log or the policy may have changed.
  void Wake() {
    runtime_.Refresh();
    Publish();
  }

  void Publish() {
    if (stopping_) return;
    const auto view = runtime_.View();
    for (const auto& part : parts_) part->Update(view);
    ArmDeadline();
  }

  // Ends a lapsed request at its instant, not at the next look.
  void ArmDeadline() {
    const auto next = runtime_.NextDeadlineMs();
    if (!next) {
      deadline_.cancel();
      return;
    }
    const std::int64_t left = std::max<std::int64_t>(0, *next + 1 - clock_.NowMs());
    constexpr std::int64_t kFarMs = 24 * 3'600'000;
    deadline_.expires_after(milliseconds(std::min(left, kFarMs)));
    deadline_.async_wait([this](error_code failed) {
      if (!failed && !stopping_) Sweep();
    });
  }

  void Sweep() {
    runtime_.ExpireLapsed();
    Wake();
  }

  void Tick() {
    const auto now = steady_clock::now();
    if (now - reproved_ >= kReprove) {
      reproved_ = now;
      runtime_.ReproveLog();
    }
    if (const bool watched = watcher_.Attach(); watched) unwatched_said_ = false;
    for (const auto& part : parts_) part->Check();
    SayReady();
    Sweep();
    look_.expires_after(kLook);
    look_.async_wait([this](error_code failed) {
      if (!failed && !stopping_) Tick();
    });
  }

  // Once every part has started, or failed its first start.
  void SayReady() {
    if (ready_said_) return;
    for (const auto& part : parts_) {
      if (!part->tried()) return;
    }
    ready_said_ = true;
    Notify("READY=1");
  }

  void Unwatched() {
    if (unwatched_said_) return;
    unwatched_said_ = true;
    reporter_.Warn("watch-unavailable", "changes cannot be watched; looking once a second instead");
  }

  void Stop(const std::string& reason) {
    if (stopping_) return;
    stopping_ = true;
    Notify("STOPPING=1");
    signals_.cancel();
    look_.cancel();
    deadline_.cancel();
    watcher_.Stop();
    for (const auto& part : parts_) part->Stop();
    reporter_.Say("up_stopped", {{"reason", reason}});
    // Whatever is still open, a slow client say, does not hold up the stop.
    asio::post(io_, [this] { io_.stop(); });
  }

  void Notify(const std::string& state) {
    NotifyManager(options_.environment("NOTIFY_SOCKET").value_or(""), state);
  }

  const ServiceOptions& options_;
  base::Clock& clock_;
  base::Random& random_;
  Reporter reporter_;
  GatewayRuntime runtime_;
  asio::io_context io_;
  asio::thread_pool pool_;
  asio::signal_set signals_;
  asio::steady_timer look_;
  asio::steady_timer deadline_;
  Watcher watcher_;
  std::vector<std::unique_ptr<Part>> parts_;
  channels::web::WebChannel* web_ = nullptr;
  steady_clock::time_point reproved_ = steady_clock::now();
  std::optional<int> exit_;
  bool stopping_ = false;
  bool unwatched_said_ = false;
  bool ready_said_ = false;
};

}  // namespace

int RunService(const ServiceOptions& options, base::Clock& clock, base::Random& random) {
  return Service(options, clock, random).Run();
}

}  // namespace approval::gateway
