#include "channels/telegram/engine.h"

#include <openssl/rand.h>

#include <algorithm>

#include "core/base/files.h"

namespace approval::telegram {
namespace {

using base::Code;
using std::chrono::milliseconds;

constexpr std::int64_t kClockJumpMs = 30'000;
constexpr std::int64_t kOldOffsetMs = std::int64_t{6} * 24 * 3'600'000;
constexpr milliseconds kLongestWait{1'000};
constexpr milliseconds kTokenCheck{3'000};

// Every secret that an error text could repeat.
net::Redactor RedactorOf(const TelegramConfig& config) {
  std::vector<base::Secret> secrets;
  secrets.push_back(config.token.Copy());
  const std::string_view token = config.token.Reveal();
  const std::size_t colon = token.find(':');
  // Some servers repeat only the part behind the bot's number.
  if (colon != std::string_view::npos && token.size() - colon > 8) {
    secrets.emplace_back(token.substr(colon + 1));
  }
  return net::Redactor(std::move(secrets));
}

std::string BotIdOf(const base::Secret& token) {
  const std::string_view text = token.Reveal();
  return std::string(text.substr(0, text.find(':')));
}

}  // namespace

Engine::Engine(const TelegramConfig& config, base::Secret button_key, channels::Runtime& runtime,
               base::Clock& clock)
    : config_(config),
      key_(std::move(button_key)),
      runtime_(runtime),
      clock_(clock),
      group_(config.chat_id.starts_with('-')),
      state_path_(base::JoinPath(config.private_folder, "telegram-deliveries.json")),
      http_(RedactorOf(config), config.http),
      api_(http_, config.api_base, config.token.Copy()),
      outbox_(group_, config.rate),
      state_(LoadDeliveries(state_path_, BotIdOf(config.token), config.chat_id)),
      worker_(runtime) {
  for (Delivery& delivery : state_.deliveries) {
    Entry entry;
    entry.saved = std::move(delivery);
    entry.refresh = entry.saved.message_id != 0 && !entry.saved.retired;
    if (entry.saved.plain) entry.form = CardForm::kPlain;
    order_.push_back(entry.saved.request_hash);
    entries_.emplace(order_.back(), std::move(entry));
  }
  state_.deliveries.clear();
  last_steady_ms_ = SteadyMs();
  last_wall_ms_ = clock_.NowMs();
  if (last_wall_ms_ - state_.offset_ms > kOldOffsetMs) state_.offset = 0;
}

Engine::Ms Engine::SteadyMs() const {
  return std::chrono::duration_cast<milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// Up to a quarter more, so that many gateways do not come back in step.
Engine::Ms Engine::Jittered(Ms wait) const {
  unsigned char byte = 0;
  RAND_bytes(&byte, 1);
  return wait + wait * byte / 1024;
}

std::optional<channels::Channel::StartFailure> Engine::CheckToken() {
  const ApiReply reply = api_.CallAndWait("getMe", {}, kTokenCheck);
  if (reply.kind != ReplyKind::kUnauthorized) return std::nullopt;
  return channels::Channel::StartFailure{
      {Code::kTelegramUnauthorized,
       "the Bot API does not know this bot token (" + reply.description +
           "); get the token from @BotFather again, set its variable and restart"},
      false};
}

void Engine::Run() {
  for (;;) {
    TakeInbox();
    {
      const std::lock_guard lock(mutex_);
      if (stop_) break;
    }
    if (dead_) break;
    Cycle();
    http_.Poll(NextWait());
  }
  SaveState();
}

void Engine::Update(std::shared_ptr<const channels::QueueView> view) {
  {
    const std::lock_guard lock(mutex_);
    inbox_view_ = std::move(view);
  }
  http_.Wakeup();
}

void Engine::Post(std::function<void()> job) {
  {
    const std::lock_guard lock(mutex_);
    inbox_jobs_.push_back(std::move(job));
  }
  http_.Wakeup();
}

void Engine::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  http_.Wakeup();
}

channels::Health Engine::health() const {
  const std::lock_guard lock(mutex_);
  return health_;
}

std::optional<channels::Channel::StartFailure> Engine::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

void Engine::TakeInbox() {
  std::vector<std::function<void()>> jobs;
  std::shared_ptr<const channels::QueueView> view;
  {
    const std::lock_guard lock(mutex_);
    jobs.swap(inbox_jobs_);
    view.swap(inbox_view_);
  }
  if (view != nullptr) {
    view_ = std::move(view);
    SyncView();
  }
  for (const std::function<void()>& job : jobs) job();
}

void Engine::Cycle() {
  WatchClocks();
  SayHeard();
  HandleUpdates();
  RetryDue();
  CheckDeadlines();
  PlanSends();
  outbox_.Pump(SteadyMs());
  if (!dead_) StartPoll();
  if (state_dirty_) SaveState();
  PublishHealth();
}

// A machine that slept holds dead connections; what waits for them is asked again.
void Engine::WatchClocks() {
  const Ms steady = SteadyMs();
  const std::int64_t wall = clock_.NowMs();
  const std::int64_t drift = (wall - last_wall_ms_) - (steady - last_steady_ms_);
  last_steady_ms_ = steady;
  last_wall_ms_ = wall;
  if (drift < kClockJumpMs && drift > -kClockJumpMs) return;
  if (poll_) http_.Cancel(*poll_);
  poll_.reset();
  next_poll_at_ = 0;
}

milliseconds Engine::NextWait() const {
  const Ms now = SteadyMs();
  Ms wait = kLongestWait.count();
  const auto at = [&](Ms instant) { wait = std::min(wait, instant - now); };
  if (!poll_ && !deciding_ && updates_.empty()) at(next_poll_at_);
  if (deciding_ && !deciding_->answered) at(deciding_->heard_at);
  if (const auto next = outbox_.NextMs(now)) wait = std::min(wait, *next);
  const std::int64_t wall = clock_.NowMs();
  for (const auto& [id, entry] : entries_) {
    if (entry.retry_at) at(*entry.retry_at);
    if (entry.edit_retry_at) at(*entry.edit_retry_at);
    if (!entry.deadline_ms || entry.saved.retired || entry.outcome) continue;
    const std::int64_t due = std::max(*entry.deadline_ms + 1, entry.next_deadline_check);
    if (entry.saved.message_id != 0) wait = std::min(wait, due - wall);
  }
  return milliseconds(std::max<Ms>(0, wait));
}

void Engine::StartPoll() {
  if (poll_ || deciding_ || !updates_.empty() || SteadyMs() < next_poll_at_) return;
  if (state_.offset != 0 && clock_.NowMs() - state_.offset_ms > kOldOffsetMs) state_.offset = 0;
  const base::JsonObject parameters{
      {"offset", state_.offset},
      {"timeout", config_.poll_timeout.count()},
      {"allowed_updates", base::JsonArray{"callback_query", "message"}}};
  const auto deadline = milliseconds(config_.poll_timeout) + milliseconds(10'000);
  poll_ = api_.Call("getUpdates", parameters, deadline, [this](const ApiReply& reply) {
    poll_.reset();
    OnPoll(reply);
  });
}

void Engine::OnPoll(const ApiReply& reply) {
  if (!reply.ok()) return PollFailed(reply);
  poll_wait_ms_ = 0;
  next_poll_at_ = 0;
  if (!poll_trouble_.empty()) {
    runtime_.Say("recovered", {{"channel", "telegram"}, {"what", "polling"}});
  }
  poll_trouble_.clear();
  conflict_ = false;
  if (!reply.result.is_array()) return;
  for (const base::Json& value : reply.result.get_array()) {
    if (auto update = ParseUpdate(value)) updates_.push_back(std::move(*update));
  }
}

void Engine::PollFailed(const ApiReply& reply) {
  if (reply.kind == ReplyKind::kUnauthorized) {
    return Die(Code::kTelegramUnauthorized,
               "the Bot API refuses the bot token (" + reply.description + ")");
  }
  poll_wait_ms_ = std::clamp<Ms>(poll_wait_ms_ * 2, config_.first_backoff.count(),
                                 config_.backoff_ceiling.count());
  Ms wait = Jittered(poll_wait_ms_);
  if (reply.kind == ReplyKind::kTooMany) wait = std::max<Ms>(wait, reply.retry_after_s * 1000);
  next_poll_at_ = SteadyMs() + wait;
  const bool conflict = reply.kind == ReplyKind::kConflict;
  // The same trouble is told once, however often it repeats.
  if (poll_trouble_.empty() || (conflict && !conflict_)) {
    const bool webhook = reply.description.find("webhook") != std::string::npos;
    const Code code = !conflict
                          ? Code::kHttpUnreachable
                          : (webhook ? Code::kWebhookRegistered : Code::kTelegramPollerRunning);
    runtime_.Warn(std::string(base::Spelling(code)),
                  (conflict ? "another program uses this bot token: " : "no updates: ") +
                      reply.description + "; trying again");
  }
  conflict_ = conflict;
  poll_trouble_ = reply.description;
}

void Engine::Die(Code code, const std::string& message) {
  dead_ = true;
  runtime_.Warn(std::string(base::Spelling(code)), message);
  const std::lock_guard lock(mutex_);
  failure_ = channels::Channel::StartFailure{{code, message}, false};
  health_ = {false, message};
}

void Engine::PublishHealth() {
  channels::Health health{true, "polling"};
  std::size_t undeliverable = 0;
  for (const auto& [id, entry] : entries_) {
    if (entry.undeliverable && entry.in_view) ++undeliverable;
  }
  const Ms now = SteadyMs();
  if (outbox_.rate().held(now)) {
    const Ms left = (outbox_.rate().held_until_ms() - now + 999) / 1000;
    health.detail = "Telegram asked to wait " + std::to_string(left) + " s before sending";
  }
  if (undeliverable > 0) {
    health = {false, std::to_string(undeliverable) + " of the pending requests could not be sent"};
  }
  if (!poll_trouble_.empty()) health = {false, "no updates: " + poll_trouble_};
  if (conflict_) health = {false, "another program uses this bot token: " + poll_trouble_};
  if (!chat_trouble_.empty()) health = {false, "nothing can be sent: " + chat_trouble_};
  if (view_ != nullptr && view_->stopped) {
    health = {false, "stopped, the log does not verify: " +
                         std::string(base::Spelling(view_->stopped->code))};
  }
  if (dead_) return;
  const std::lock_guard lock(mutex_);
  health_ = std::move(health);
}

void Engine::SaveState() {
  state_dirty_ = false;
  Trim();
  DeliveryState out = state_;
  for (const std::string& id : order_) {
    const Delivery& saved = entries_.at(id).saved;
    if (saved.message_id != 0 || saved.document_id != 0) out.deliveries.push_back(saved);
  }
  // A cache: without it a restart repeats a message.
  static_cast<void>(SaveDeliveries(state_path_, out));
}

const policy::Policy& Engine::ThePolicy() const {
  static const policy::Policy defaults;
  return view_ == nullptr ? defaults : view_->policy;
}

}  // namespace approval::telegram
