#include "vault/adapters/sequence.h"

#include <algorithm>
#include <exception>

#include "core/base/canonical.h"
#include "core/base/sha256.h"
#include "core/base/utf8.h"
#include "core/gate/token.h"
#include "core/log/read.h"

namespace approval::adapters {
namespace {

using base::Code;
using base::Fail;
using base::Result;

// An unpaired surrogate has no canonical form.
bool IsUnicode(const base::Json& value) {
  if (const auto* text = value.if_string()) return base::IsValidUtf8({text->data(), text->size()});
  if (const base::JsonArray* list = value.if_array()) {
    return std::all_of(list->begin(), list->end(), IsUnicode);
  }
  if (const base::JsonObject* object = value.if_object()) {
    return std::all_of(object->begin(), object->end(), [](const auto& member) {
      return base::IsValidUtf8(member.key()) && IsUnicode(member.value());
    });
  }
  return true;
}

// Our own adapters throw nothing; one of another author may.
std::optional<ActFailed> PrecheckOf(const Adapter& adapter, const ActInput& input) {
  try {
    return adapter.Precheck(input);
  } catch (const std::exception& thrown) {
    return ActFailed{"precheck-threw", thrown.what()};
  } catch (...) {
    return ActFailed{"precheck-threw", "the adapter's precheck threw"};
  }
}

}  // namespace

Result<std::string> HashOf(const base::Json& payload) {
  auto hash = IsUnicode(payload) ? base::CanonicalHash(payload)
                                 : Fail(Code::kCanonicalization, "a string is not Unicode");
  if (hash) return hash;
  return Fail(Code::kPayloadUnhashable,
              "the payload has no canonical form: " + hash.error().message);
}

void Learn(const Adapter& adapter, CredentialWindow& window, Redaction& redaction) {
  for (const CredentialSpec& spec : adapter.manifest()) {
    if (spec.kind != CredentialKind::kSecret || !window.handed_out().contains(spec.name)) continue;
    const auto found = window.entries().find(spec.name);
    if (found != window.entries().end()) redaction.Add(found->second.Reveal());
  }
  for (const base::Secret& form : window.TakeForms()) redaction.Add(form.Reveal());
}

Result<Standing> LookAt(const gate::Gate& gate, const ExecuteAsk& ask, const std::string& hash) {
  const auto log = log::ReadVerified(gate.log_path());
  if (!log) return tl::unexpected(log.error());
  auto declared = gate::DeclaredAnywhere(*log, ask.action_key);
  if (!declared) return tl::unexpected(declared.error());
  const gate::StateTable states = gate::StateTable::Fold(*log);
  const gate::KeyFold& fold = states.Of(ask.action_key);
  const policy::LoadResult load = gate.LoadPolicy();
  const auto resolution = policy::Resolve(load, declared->action_class, declared->reversible);
  Standing standing{std::move(*declared), gate::Spelling(gate::State::kNone)};
  standing.autonomy = resolution.autonomy;
  standing.needs_token =
      fold.request != nullptr ||
      policy::Strictness(resolution.autonomy) > policy::Strictness(policy::Autonomy::kSupervised);
  WindowGrant grant{WindowGrant::Phase::kPresented, ask.action_key, resolution.autonomy};
  if (!standing.needs_token) {
    standing.bound_hash = standing.declared.payload_hash;
    if (standing.bound_hash == hash && fold.starts.empty()) standing.grant = std::move(grant);
    return standing;
  }
  const auto live =
      gate::TokenStatus(fold, load.OrDefaults().defaults.approval_ttl_ms, gate.NowMs());
  standing.bound_hash = live ? live->payload_hash : gate::BindingHash(fold);
  standing.state = gate::Spelling(live || fold.request == nullptr      ? fold.decided
                                  : fold.decided == gate::State::kNone ? gate::State::kRequested
                                                                       : fold.decided);
  if (!live && live.error().code == base::Code::kTokenExpired) {
    standing.state = gate::Spelling(gate::State::kExpired);
  }
  if (!ask.token) standing.opened = gate.OpenSealed(fold, ask.action_key);
  const base::Secret* token = ask.token         ? &*ask.token
                              : standing.opened ? &*standing.opened
                                                : nullptr;
  if (token == nullptr || !live) return standing;
  if (!base::EqualConstantTime(base::Sha256Hex(token->Reveal()), live->token_sha256)) {
    return standing;
  }
  grant.token_sha256 = live->token_sha256;
  standing.grant = std::move(grant);
  return standing;
}

std::optional<Refusal> BeforeSpend::Go() {
  auto hash = HashOf(ask_.payload);
  if (!hash) return Refusal{hash.error()};
  hash_ = std::move(*hash);
  auto standing = LookAt(gate_, ask_, hash_);
  if (!standing) return Refusal{standing.error()};
  standing_ = std::move(*standing);
  const auto classes = adapter_.classes();
  class_fits_ =
      std::find(classes.begin(), classes.end(), standing_->declared.action_class) != classes.end();
  if (!class_fits_) {
    return Refusal{{Code::kAdapterClassMismatch, "the action is declared as " +
                                                     standing_->declared.action_class +
                                                     ", which this adapter does not serve"}};
  }
  if (!standing_->grant) return std::nullopt;  // the start says what is wrong
  return Prepare();
}

std::optional<Refusal> BeforeSpend::Prepare() {
  CredentialWindow window(source_, random_, standing_->grant);
  for (const CredentialSpec& spec : adapter_.manifest()) {
    if (!spec.required || !spec.fallback.empty()) continue;
    const auto value = window.Get(spec.name);
    if (value) continue;
    Learn(adapter_, window, redaction_);
    window.Close();
    return Refusal{{Code::kCredentialUnavailable, value.error().message},
                   std::string(base::Spelling(value.error().code))};
  }
  credentials_found_ = true;
  if (!bound()) {
    window.Close();
    return std::nullopt;
  }
  const auto refused = PrecheckOf(adapter_, {ask_.action_key, ask_.payload, hash_, window});
  Learn(adapter_, window, redaction_);
  window.Close();
  if (refused) return Refusal{{Code::kAdapterPrecheckRefused, refused->message}, refused->code};
  prechecked_ = true;
  return std::nullopt;
}

}  // namespace approval::adapters
