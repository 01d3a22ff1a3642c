#include "channels/telegram/telegram_channel.h"

#include <algorithm>
#include <utility>

#include "channels/telegram/engine.h"
#include "channels/telegram/private_folder.h"
#include "channels/telegram/updates.h"

namespace approval::telegram {
namespace {

using base::Code;

bool HasSenders(const policy::Policy& policy) {
  return std::any_of(policy.approvers.begin(), policy.approvers.end(), [](const auto& approver) {
    const auto found = approver.second.senders.find("telegram");
    return found != approver.second.senders.end() && !found->second.empty();
  });
}

}  // namespace

TelegramChannel::TelegramChannel(TelegramConfig config, channels::Runtime& runtime,
                                 base::Clock& clock, base::Random& random)
    : config_(std::move(config)), runtime_(runtime), clock_(clock), random_(random) {}

TelegramChannel::~TelegramChannel() { Stop(); }

base::Result<void> TelegramChannel::CheckConfiguration() const {
  const std::shared_ptr<const channels::QueueView> view = runtime_.View();
  const policy::Policy policy = view == nullptr ? policy::Policy{} : view->policy;
  const policy::TelegramChannel& names = policy.channels.telegram;
  if (config_.token.empty()) {
    return base::Fail(Code::kNotConfigured, "no bot token: " + names.token_env + " is not set");
  }
  if (config_.chat_id.empty()) {
    return base::Fail(Code::kNotConfigured, "no chat: " + names.chat_id_env + " is not set");
  }
  const std::optional<std::int64_t> chat = ParseId(config_.chat_id);
  if (!chat || *chat == 0) {
    return base::Fail(Code::kNotConfigured,
                      names.chat_id_env + " is not a chat id: digits, with a minus for a group");
  }
  if (*chat < 0 && !HasSenders(policy)) {
    return base::Fail(Code::kTelegramGroupUnmapped,
                      "the chat is a group, and the policy does not say whose taps count there; "
                      "add `senders: {telegram: [\"<account id>\"]}` to an approver");
  }
  return {};
}

tl::expected<void, channels::Channel::StartFailure> TelegramChannel::Start() {
  const auto fail = [](base::Error error, bool retry) {
    return tl::unexpected<StartFailure>(StartFailure{std::move(error), retry});
  };
  if (auto checked = CheckConfiguration(); !checked) {
    return fail(std::move(checked.error()), false);
  }
  if (auto made = PreparePrivateFolder(config_.private_folder); !made) {
    return fail(std::move(made.error()), false);
  }
  base::Result<ListenerLock> lock = ListenerLock::Take(config_.private_folder);
  if (!lock) return fail(std::move(lock.error()), true);
  base::Result<base::Secret> key = ButtonKey(config_.private_folder, random_);
  if (!key) return fail(std::move(key.error()), false);
  auto engine = std::make_unique<Engine>(config_, std::move(*key), runtime_, clock_);
  if (auto failure = engine->CheckToken()) {
    return fail(std::move(failure->error), failure->retry);
  }
  lock_ = std::make_unique<ListenerLock>(std::move(*lock));
  engine_ = std::move(engine);
  if (auto view = runtime_.View()) engine_->Update(std::move(view));
  thread_ = std::thread([this] { engine_->Run(); });
  return {};
}

void TelegramChannel::Update(std::shared_ptr<const channels::QueueView> view) {
  if (engine_ != nullptr) engine_->Update(std::move(view));
}

channels::Health TelegramChannel::health() const {
  return engine_ == nullptr ? channels::Health{false, "not started"} : engine_->health();
}

std::optional<channels::Channel::StartFailure> TelegramChannel::failure() const {
  return engine_ == nullptr ? std::nullopt : engine_->failure();
}

void TelegramChannel::Stop() {
  if (engine_ != nullptr) engine_->Stop();
  if (thread_.joinable()) thread_.join();
  lock_.reset();
}

}  // namespace approval::telegram
