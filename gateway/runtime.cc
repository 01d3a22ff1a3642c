#include "gateway/runtime.h"

#include <chrono>
#include <thread>

#include "core/gate/pending.h"
#include "gateway/senders.h"

namespace approval::gateway {
namespace {

using base::Code;
using base::JsonObject;
using channels::Outcome;
using channels::QueueView;
using channels::Report;

gate::Decision DecisionOf(channels::Gesture gesture) {
  return gesture == channels::Gesture::kGrant ? gate::Decision::kGrant : gate::Decision::kReject;
}

// A record may be half written at the moment of a look; only what stays torn is torn.
base::Result<bool> LookPatiently(log::LogFollower& follower) {
  constexpr int kLooks = 10;
  for (int look = 1;; ++look) {
    auto seen = follower.Look();
    if (seen || seen.error().code != Code::kLogTornTail || look == kLooks) return seen;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

}  // namespace

GatewayRuntime::GatewayRuntime(gate::GateOptions options, std::string actor,
                               const base::Clock& clock, base::Random& random, Reporter& reporter)
    : actor_(std::move(actor)),
      clock_(clock),
      reporter_(reporter),
      gate_(options, clock, random),
      follower_(options.log_path),
      view_(std::make_shared<QueueView>()) {}

void GatewayRuntime::RefreshLocked() {
  auto view = std::make_shared<QueueView>();
  view->now_ms = clock_.NowMs();
  const policy::LoadResult load = gate_.LoadPolicy();
  view->policy = load.OrDefaults();
  const auto seen = LookPatiently(follower_);
  if (!seen) {
    view->stopped = seen.error();
    if (said_stopped_ != seen.error().code) {
      said_stopped_ = seen.error().code;
      reporter_.Complain("stopped_deciding", {{"code", base::Spelling(seen.error().code)},
                                              {"message", seen.error().message}});
    }
    view_ = std::move(view);
    return;
  }
  if (said_stopped_) {
    said_stopped_.reset();
    reporter_.Say("deciding_again", {{"log", follower_.path()}});
  }
  const log::VerifiedLog& log = follower_.proved();
  gate::PendingQueue queue = gate::BuildPendingQueue(log, load, gate_.store(), view->now_ms);
  view->requests = std::move(queue.requests);
  view->skipped = std::move(queue.skipped);
  view->head_seq = log.head() ? log.head()->seq : 0;
  view_ = std::move(view);
}

void GatewayRuntime::Refresh() {
  const std::lock_guard lock(mutex_);
  RefreshLocked();
}

void GatewayRuntime::ReproveLog() {
  const std::lock_guard lock(mutex_);
  follower_.Reprove();
}

std::shared_ptr<const QueueView> GatewayRuntime::View() {
  const std::lock_guard lock(mutex_);
  return view_;
}

gate::Settlement GatewayRuntime::SettlementOf(const std::string& action_key,
                                              const std::string& request_hash) {
  const std::lock_guard lock(mutex_);
  return gate::SettlementOf(follower_.proved(), action_key, request_hash,
                            view_->policy.defaults.approval_ttl_ms, clock_.NowMs());
}

Outcome GatewayRuntime::Refused(const std::string& channel, const Report& report,
                                const base::Error& error) {
  Outcome outcome;
  outcome.code = error.code;
  outcome.sentence = channels::RefusalSentence(error.code);
  Say("decision", {{"channel", channel},
                   {"ok", false},
                   {"action_key", report.action_key},
                   {"code", base::Spelling(error.code)}});
  return outcome;
}

Outcome GatewayRuntime::Decide(const std::string& channel, const Report& report) {
  Outcome outcome;
  {
    const std::lock_guard lock(mutex_);
    RefreshLocked();
    if (view_->stopped) return Refused(channel, report, *view_->stopped);
    gate::DecisionAsk ask;
    ask.decision = DecisionOf(report.gesture);
    ask.action_key = report.action_key;
    ask.actor = actor_;
    ask.note = report.note;
    ask.channel = channel;
    ask.request_hash = report.request_hash;
    ask.rendering = report.rendering;
    if (report.sender) {
      const auto mapped = MapSender(view_->policy, channel, *report.sender, actor_);
      if (!mapped) {
        const auto noted = gate_.RecordRefusedGesture(
            report.action_key, ask.decision, mapped.error().code, {channel, report.sender->id});
        if (!noted) reporter_.Warn("append-refused", noted.error().message);
        return Refused(channel, report, mapped.error());
      }
      ask.actor = mapped->actor;
      if (mapped->mapped) ask.sender = gate::Sender{channel, report.sender->id};
    }
    const auto decided = gate_.Decide(ask);
    if (!decided) {
      outcome = Refused(channel, report, decided.error());
    } else {
      outcome.ok = true;
      outcome.state = decided->state;
      outcome.seq = decided->seq;
      outcome.actor = decided->actor;
      outcome.ts = decided->ts;
      outcome.token_issued = decided->token.has_value();
      outcome.sealed = decided->sealed;
      outcome.sentence = channels::SettledHeadline(decided->state) + ": record " +
                         std::to_string(decided->seq) + ".";
      if (decided->token && !decided->sealed) {
        reporter_.ShowToken(decided->action_key, decided->token->Reveal());
      }
      Say("decision", {{"channel", channel},
                       {"ok", true},
                       {"action_key", decided->action_key},
                       {"decision", gate::Spelling(decided->decision)},
                       {"state", gate::Spelling(decided->state)},
                       {"seq", decided->seq},
                       {"actor", decided->actor},
                       {"token_issued", outcome.token_issued}});
    }
    RefreshLocked();
  }
  if (changed_) changed_();
  return outcome;
}

int GatewayRuntime::ExpireLapsed() {
  const std::lock_guard lock(mutex_);
  if (view_->stopped) return 0;
  const auto ttl_ms = gate_.LoadPolicy().OrDefaults().defaults.approval_ttl_ms;
  const gate::StateTable states = gate::StateTable::Fold(follower_.proved());
  int expired = 0;
  for (const std::string& key : states.requested_keys()) {
    const gate::KeyFold& fold = states.Of(key);
    if (fold.decision != nullptr || !gate::Lapsed(fold, ttl_ms, clock_.NowMs())) continue;
    const auto seq = gate_.Expire(key);
    if (seq) {
      ++expired;
      reporter_.Say("expired", {{"action_key", key}, {"seq", *seq}});
    } else if (seq.error().code != Code::kAlreadyDecided) {
      reporter_.Warn("expire-refused", seq.error().message);
    }
  }
  if (expired > 0) RefreshLocked();
  return expired;
}

std::optional<std::int64_t> GatewayRuntime::NextDeadlineMs() {
  const std::lock_guard lock(mutex_);
  std::optional<std::int64_t> next;
  for (const gate::RequestModel& request : view_->requests) {
    const auto deadline = request.waiting.value.deadline_ms;
    if (deadline && (!next || *deadline < *next)) next = deadline;
  }
  return next;
}

void GatewayRuntime::Say(const std::string& event, const JsonObject& members) {
  if (!quiet_) reporter_.Say(event, members);
}

void GatewayRuntime::Warn(const std::string& code, const std::string& sentence) {
  reporter_.Warn(code, sentence);
}

}  // namespace approval::gateway
