#include "vault/adapters/execute.h"

#include <algorithm>
#include <exception>

#include "core/log/read.h"
#include "vault/adapters/sequence.h"

namespace approval::adapters {
namespace {

using base::Code;
using base::Error;
using base::JsonObject;

constexpr std::size_t kMaxProviderRef = 200;

// Our own adapters throw nothing; one of another author may, and then nobody knows what happened.
ActOutcome ActOf(Adapter& adapter, const ActInput& input) {
  try {
    return adapter.Act(input);
  } catch (const std::exception& thrown) {
    return ActUnknown{"act-threw", thrown.what()};
  } catch (...) {
    return ActUnknown{"act-threw", "the adapter threw"};
  }
}

// Builds the answer as the sequence goes on.
class Run {
 public:
  Run(gate::Gate& gate, Adapter& adapter, const CredentialSource* source, base::Random& random,
      const ExecuteAsk& ask)
      : gate_(gate), adapter_(adapter), source_(source), random_(random), ask_(ask) {}

  Executed Go();

 private:
  Executed Refuse(Error error, const std::string& adapter_code = {}, bool from_core = false);
  Executed Act();
  Executed Close(const ActOutcome& outcome);
  std::optional<JsonObject> ProviderRef(JsonObject& detail) const;

  gate::Gate& gate_;
  Adapter& adapter_;
  const CredentialSource* source_;
  base::Random& random_;
  const ExecuteAsk& ask_;
  std::string hash_;
  Redaction redaction_;
  std::optional<gate::Started> started_;
  std::optional<std::int64_t> finished_;
  std::string_view outcome_event_;
  std::optional<int> exit_code_;
};

Executed Run::Refuse(Error error, const std::string& adapter_code, bool from_core) {
  Executed done;
  error.message = redaction_.Text(error.message);
  const std::string own_code = redaction_.Text(adapter_code);
  JsonObject& answer = done.answer;
  answer = {{"ok", false},
            {"code", base::Spelling(error.code)},
            {"message", error.message},
            {"adapter", adapter_.name()},
            {"action_key", ask_.action_key},
            {"acted", started_.has_value()}};
  if (started_) answer["started_seq"] = started_->seq;
  if (finished_) {
    answer["outcome"] = outcome_event_;
    answer["outcome_seq"] = *finished_;
    if (exit_code_) answer["exit_code"] = *exit_code_;
  }
  if (!own_code.empty()) answer["adapter_code"] = own_code;
  if (from_core) {
    JsonObject core{
        {"ok", false}, {"code", base::Spelling(error.code)}, {"message", error.message}};
    for (const auto& member : error.details) {
      if (member.key() != "state") core[member.key()] = member.value();
    }
    answer["execute"] = std::move(core);
  }
  answer["redactions"] = redaction_.hits();
  done.error = std::move(error);
  return done;
}

Executed Run::Act() {
  gate::StartAsk start{ask_.action_key, ask_.actor, std::nullopt, hash_};
  if (ask_.token) start.token = ask_.token->Copy();
  auto started = gate_.Start(start);
  if (!started) return Refuse(started.error(), {}, true);
  started_ = std::move(*started);
  CredentialWindow window(source_, random_,
                          WindowGrant{WindowGrant::Phase::kConsumed, ask_.action_key,
                                      started_->autonomy, started_->token_sha256, started_->seq});
  const ActOutcome outcome = ActOf(adapter_, {ask_.action_key, ask_.payload, hash_, window});
  Learn(adapter_, window, redaction_);
  window.Close();
  return Close(outcome);
}

// The far side's id of the effect, when it came through redaction whole and fits on one line.
std::optional<JsonObject> Run::ProviderRef(JsonObject& detail) const {
  const auto id = base::StringMember(detail, "provider_ref");
  const bool fits = id && !id->empty() && id->size() <= kMaxProviderRef &&
                    id->find("[redacted]") == std::string_view::npos &&
                    std::all_of(id->begin(), id->end(), [](char c) { return c > ' ' && c < 0x7f; });
  if (!fits) return std::nullopt;
  return JsonObject{{"adapter", adapter_.name()}, {"id", *id}};
}

Executed Run::Close(const ActOutcome& outcome) {
  const auto* done = std::get_if<ActDone>(&outcome);
  const auto* failed = std::get_if<ActFailed>(&outcome);
  const auto* unknown = std::get_if<ActUnknown>(&outcome);
  gate::FinishAsk finish{ask_.action_key, ask_.actor};
  finish.outcome = done != nullptr     ? gate::Outcome::kCompleted
                   : failed != nullptr ? gate::Outcome::kFailed
                                       : gate::Outcome::kIndeterminate;
  finish.exit_code = done != nullptr ? 0 : 1;
  JsonObject detail;
  if (done != nullptr) {
    detail = redaction_.Value(done->detail).as_object();
    finish.provider_ref = ProviderRef(detail);
  }
  const auto finished = gate_.Finish(finish);
  if (!finished) return Refuse(finished.error(), {}, true);
  finished_ = *finished;
  outcome_event_ = gate::EventOf(finish.outcome);
  if (unknown == nullptr) exit_code_ = static_cast<int>(finish.exit_code);
  if (failed != nullptr) return Refuse({Code::kAdapterFailed, failed->message}, failed->code);
  if (unknown != nullptr) {
    return Refuse({Code::kExecutionIndeterminate,
                   "it is not known whether the action took effect (" + unknown->message +
                       "); nothing is repeated: look on the far side first"},
                  unknown->code);
  }
  Executed result;
  result.ok = true;
  result.answer = {{"ok", true},
                   {"adapter", adapter_.name()},
                   {"action_key", ask_.action_key},
                   {"task", started_->task},
                   {"class", started_->action_class},
                   {"autonomy", policy::Spelling(started_->autonomy)},
                   {"payload_hash", hash_},
                   {"started_seq", started_->seq},
                   {"outcome", outcome_event_},
                   {"outcome_seq", *finished_},
                   {"exit_code", 0}};
  if (!detail.empty()) result.answer["detail"] = std::move(detail);
  if (finish.provider_ref) result.answer["provider_ref"] = *finish.provider_ref;
  result.answer["redactions"] = redaction_.hits();
  return result;
}

Executed Run::Go() {
  BeforeSpend before(gate_, adapter_, source_, random_, ask_, redaction_);
  if (auto refused = before.Go()) return Refuse(std::move(refused->error), refused->adapter_code);
  hash_ = before.hash();
  return Act();
}

}  // namespace

Executed ExecuteThroughAdapter(gate::Gate& gate, Adapter& adapter, const CredentialSource* source,
                               base::Random& random, const ExecuteAsk& ask) {
  return Run(gate, adapter, source, random, ask).Go();
}

std::optional<WindowGrant> PresentedGrant(const gate::Gate& gate, const ExecuteAsk& ask) {
  const auto hash = HashOf(ask.payload);
  if (!hash) return std::nullopt;
  auto standing = LookAt(gate, ask, *hash);
  return standing ? std::move(standing->grant) : std::nullopt;
}

bool LacksToken(const gate::Gate& gate, const std::string& action_key) {
  const auto log = log::ReadVerified(gate.log_path());
  if (!log) return false;  // the sequence says what is wrong with it
  const gate::StateTable states = gate::StateTable::Fold(*log);
  const gate::KeyFold& fold = states.Of(action_key);
  if (fold.last_grant != nullptr && fold.last_grant->payload.contains("token_sealed")) return false;
  const auto declared = gate::DeclaredAnywhere(*log, action_key);
  if (!declared || fold.request != nullptr) return true;
  const auto resolution =
      policy::Resolve(gate.LoadPolicy(), declared->action_class, declared->reversible);
  return policy::Strictness(resolution.autonomy) >
         policy::Strictness(policy::Autonomy::kSupervised);
}

}  // namespace approval::adapters
