// The sequence up to its spend, proved without one.
//
// What the start would say is asked of the gate itself, over a copy of the log that nobody else
// sees: one judge, not two that could differ.
#include <cstdlib>
#include <exception>
#include <filesystem>

#include "core/base/files.h"
#include "vault/adapters/execute.h"
#include "vault/adapters/sequence.h"

namespace approval::adapters {
namespace {

using base::Code;
using base::Error;
using base::Fail;
using base::JsonArray;
using base::JsonObject;
using base::Result;

namespace fs = std::filesystem;

// A private folder that goes with this object.
class Scratch {
 public:
  Scratch() {
    std::error_code failed;
    const fs::path top = fs::temp_directory_path(failed);
    std::string path = (failed ? fs::path("/tmp") : top) / "approval-dry-run-XXXXXX";
    if (::mkdtemp(path.data()) != nullptr) path_ = path;
  }
  ~Scratch() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

Result<gate::Started> Rehearse(const gate::GateOptions& project, const base::Clock& clock,
                               base::Random& random, gate::StartAsk ask) {
  const Scratch scratch;
  if (scratch.path().empty()) return Fail(Code::kIo, "no folder for a rehearsal can be made");
  const std::string copy = base::JoinPath(scratch.path(), "events.jsonl");
  const auto bytes = base::ReadFile(project.log_path);
  if (!bytes) return tl::unexpected(bytes.error());
  if (auto put = base::ReplaceFile(copy, *bytes, {0600, true, false}); !put) {
    return tl::unexpected(put.error());
  }
  gate::Gate rehearsal({copy, project.policy_path, {}}, clock, random);
  return rehearsal.Start(ask);
}

// Builds the answer check by check.
class Answer {
 public:
  Answer(const Adapter& adapter, const ExecuteAsk& ask, Redaction& redaction)
      : redaction_(redaction),
        answer_{{"ok", false},
                {"dry_run", true},
                {"adapter", adapter.name()},
                {"action_key", ask.action_key}} {}

  void Describe(const BeforeSpend& before) {
    if (const auto& standing = before.standing()) {
      answer_["task"] = standing->declared.task;
      answer_["class"] = standing->declared.action_class;
      answer_["autonomy"] = policy::Spelling(standing->autonomy);
      answer_["state"] = standing->state;
    }
    if (!before.hash().empty()) answer_["payload_hash"] = before.hash();
    if (before.standing() && before.standing()->bound_hash) {
      answer_["bound_hash"] = *before.standing()->bound_hash;
    }
  }

  void Pass(const char* check) { checks_.push_back(JsonObject{{"check", check}, {"ok", true}}); }

  void Miss(const char* check, const Refusal& refusal) {
    checks_.push_back(JsonObject{{"check", check},
                                 {"ok", false},
                                 {"code", base::Spelling(refusal.error.code)},
                                 {"message", redaction_.Text(refusal.error.message)}});
    if (refused_) return;
    refused_ = refusal;
    refused_->error.message = redaction_.Text(refusal.error.message);
  }

  void Add(const char* name, base::Json value) { extras_[name] = redaction_.Value(value); }

  Executed Give() {
    Executed done;
    done.ok = !refused_.has_value();
    answer_["ok"] = done.ok;
    answer_["checks"] = std::move(checks_);
    if (refused_) {
      answer_["code"] = base::Spelling(refused_->error.code);
      answer_["message"] = refused_->error.message;
      if (!refused_->adapter_code.empty()) {
        answer_["adapter_code"] = redaction_.Text(refused_->adapter_code);
      }
      done.error = std::move(refused_->error);
    }
    for (const auto& extra : extras_) answer_[extra.key()] = extra.value();
    answer_["redactions"] = redaction_.hits();
    done.answer = std::move(answer_);
    return done;
  }

 private:
  Redaction& redaction_;
  JsonObject answer_;
  JsonArray checks_;
  JsonObject extras_;
  std::optional<Refusal> refused_;
};

void AddPreview(Answer& answer, const Adapter& adapter, const ExecuteAsk& ask,
                const BeforeSpend& before, const CredentialSource* source, base::Random& random,
                Redaction& redaction) {
  CredentialWindow window(source, random,
                          before.standing() ? before.standing()->grant : std::nullopt);
  tl::expected<JsonObject, ActFailed> preview = JsonObject{};
  try {
    preview = adapter.Preview({ask.action_key, ask.payload, before.hash(), window});
  } catch (const std::exception& thrown) {
    preview = tl::unexpected(ActFailed{"preview-threw", thrown.what()});
  } catch (...) {
    preview = tl::unexpected(ActFailed{"preview-threw", "the adapter's preview threw"});
  }
  Learn(adapter, window, redaction);
  window.Close();
  if (preview) {
    answer.Add("preview", std::move(*preview));
    return;
  }
  answer.Add("preview", nullptr);
  answer.Add("preview_refused",
             JsonObject{{"code", preview.error().code}, {"message", preview.error().message}});
}

// The checks in the order of the run; the last one is the start itself.
void List(Answer& answer, const BeforeSpend& before, const std::optional<Refusal>& refused,
          const std::optional<Result<gate::Started>>& start) {
  if (before.hash().empty()) return answer.Miss("payload", *refused);
  answer.Pass("payload");
  if (!before.standing()) return answer.Miss("declared", *refused);
  answer.Pass("declared");
  if (!before.class_fits()) return answer.Miss("class", *refused);
  answer.Pass("class");
  const Refusal said = refused ? *refused
                       : start->has_value()
                           ? Refusal{{Code::kPayloadMismatch, "not the approved bytes"}}
                           : Refusal{start->error()};
  if (!before.standing()->grant) return answer.Miss("token", said);
  answer.Pass("token");
  if (!before.credentials_found()) return answer.Miss("credentials", said);
  answer.Pass("credentials");
  if (!before.bound()) return answer.Miss("bytes", said);
  answer.Pass("bytes");
  if (!before.prechecked()) return answer.Miss("precheck", said);
  answer.Pass("precheck");
  if (!start->has_value()) return answer.Miss("start", said);
  answer.Pass("start");
}

}  // namespace

Executed DryRunThroughAdapter(const gate::GateOptions& project, const base::Clock& clock,
                              const Adapter& adapter, const CredentialSource* source,
                              base::Random& random, const ExecuteAsk& ask) {
  gate::Gate gate(project, clock, random);
  Redaction redaction;
  BeforeSpend before(gate, adapter, source, random, ask, redaction);
  const auto refused = before.Go();
  std::optional<Result<gate::Started>> start;
  if (!refused) {
    gate::StartAsk rehearsed{ask.action_key, ask.actor, std::nullopt, before.hash()};
    const auto& opened = before.standing()->opened;
    if (ask.token) {
      rehearsed.token = ask.token->Copy();
    } else if (opened) {
      rehearsed.token = opened->Copy();
    }
    start = Rehearse(project, clock, random, std::move(rehearsed));
  }
  Answer answer(adapter, ask, redaction);
  answer.Describe(before);
  if (!before.hash().empty()) {
    AddPreview(answer, adapter, ask, before, source, random, redaction);
  }
  List(answer, before, refused, start);
  return answer.Give();
}

}  // namespace approval::adapters
