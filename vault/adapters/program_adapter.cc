#include "vault/adapters/program_adapter.h"

#include <algorithm>

#include "core/base/instant.h"
#include "vault/adapters/program_call.h"

namespace approval::adapters {
namespace {

using base::JsonObject;

// A word that a program answers to a step it does not have.
constexpr std::string_view kUnsupported = "unsupported";
constexpr std::size_t kMaxEffects = 10'000;

// The refusal in an answer, when it is one; every unclear answer before `act` is.
std::optional<ActFailed> RefusalIn(const ProgramAnswer& answer) {
  if (const auto* failed = std::get_if<ActFailed>(&answer)) return *failed;
  if (const auto* silent = std::get_if<ProgramSilent>(&answer)) return silent->why;
  if (const auto* unknown = std::get_if<ActUnknown>(&answer)) {
    return ActFailed{unknown->code, unknown->message};
  }
  return std::nullopt;
}

std::optional<Effect> EffectFrom(const base::Json& value) {
  const JsonObject* object = value.if_object();
  if (object == nullptr) return std::nullopt;
  Effect effect;
  effect.id = std::string(base::StringMember(*object, "id").value_or(""));
  effect.action_class = std::string(base::StringMember(*object, "class").value_or(""));
  effect.detail = std::string(base::StringMember(*object, "detail").value_or(""));
  const auto at = base::ParseInstant(base::StringMember(*object, "at").value_or(""));
  if (effect.id.empty() || !at) return std::nullopt;
  effect.at_ms = *at;
  return effect;
}

}  // namespace

ProgramAdapter::ProgramAdapter(ProgramManifest manifest) : manifest_(std::move(manifest)) {
  for (const std::string& one : manifest_.classes) classes_.emplace_back(one);
  for (const ProgramSetting& setting : manifest_.credentials) {
    specs_.push_back({setting.name, setting.kind, setting.required, setting.label, setting.describe,
                      setting.fallback, setting.choices});
  }
}

std::optional<std::string> ProgramAdapter::CheckSetting(std::string_view name,
                                                        std::string_view value) const {
  for (const ProgramSetting& setting : manifest_.credentials) {
    if (setting.name != name) continue;
    if (value.empty()) return setting.name + " must not be empty";
    if (setting.kind != CredentialKind::kChoice) return std::nullopt;
    const std::string all = " " + setting.choices + " ";
    if (all.find(" " + std::string(value) + " ") != std::string::npos) return std::nullopt;
    return setting.name + " must be one of: " + setting.choices;
  }
  return std::nullopt;
}

std::optional<ActFailed> ProgramAdapter::Precheck(const ActInput& input) const {
  return RefusalIn(AskProgram(manifest_, {"precheck", &input, nullptr, &input.credentials}));
}

tl::expected<JsonObject, ActFailed> ProgramAdapter::Preview(const ActInput& input) const {
  auto answer =
      AskProgram(manifest_, {"preview", &input, nullptr, &input.credentials, /*secrets=*/false});
  if (auto refused = RefusalIn(answer)) return tl::unexpected(std::move(*refused));
  return std::move(std::get<ProgramOk>(answer).detail);
}

ActOutcome ProgramAdapter::Act(const ActInput& input) {
  auto answer = AskProgram(manifest_, {"act", &input, nullptr, &input.credentials});
  if (auto* failed = std::get_if<ActFailed>(&answer)) return std::move(*failed);
  if (auto* unknown = std::get_if<ActUnknown>(&answer)) return std::move(*unknown);
  if (auto* silent = std::get_if<ProgramSilent>(&answer)) {
    if (!silent->started) return std::move(silent->why);
    return ActUnknown{std::move(silent->why.code), std::move(silent->why.message)};
  }
  auto& done = std::get<ProgramOk>(answer);
  if (done.provider_ref) done.detail["provider_ref"] = *done.provider_ref;
  return ActDone{std::move(done.detail)};
}

std::optional<tl::expected<Probed, ProbeFailed>> ProgramAdapter::Probe(
    CredentialWindow& credentials) {
  auto answer = AskProgram(manifest_, {"probe", nullptr, nullptr, &credentials});
  if (auto refused = RefusalIn(answer)) {
    if (refused->code == kUnsupported) return std::nullopt;
    return tl::unexpected(ProbeFailed{refused->code, refused->message, ""});
  }
  const JsonObject& detail = std::get<ProgramOk>(answer).detail;
  Probed probed;
  probed.summary =
      std::string(base::StringMember(detail, "summary").value_or("the program is fine"));
  if (const base::Json* warnings = detail.if_contains("warnings");
      warnings && warnings->is_array()) {
    for (const base::Json& warning : warnings->get_array()) {
      if (warning.is_string()) probed.warnings.emplace_back(warning.get_string());
    }
  }
  return probed;
}

std::optional<tl::expected<std::vector<Effect>, ActFailed>> ProgramAdapter::Observe(
    const ObserveWindow& window, CredentialWindow& credentials) {
  using Failure = tl::unexpected<ActFailed>;
  auto answer = AskProgram(manifest_, {"observe", nullptr, &window, &credentials});
  if (auto refused = RefusalIn(answer)) {
    if (refused->code == kUnsupported) return std::nullopt;
    return Failure(std::move(*refused));
  }
  const base::Json* list = std::get<ProgramOk>(answer).detail.if_contains("effects");
  if (list == nullptr || !list->is_array() || list->get_array().size() > kMaxEffects) {
    return Failure(ActFailed{"adapter-program-failed", "the program answered no list of effects"});
  }
  std::vector<Effect> effects;
  for (const base::Json& item : list->get_array()) {
    auto effect = EffectFrom(item);
    if (!effect) {
      return Failure(
          ActFailed{"adapter-program-failed", "an effect has an id, a class and a time"});
    }
    const auto& own = manifest_.classes;
    if (std::find(own.begin(), own.end(), effect->action_class) == own.end()) {
      return Failure(
          ActFailed{"adapter-program-failed", "an effect has a class that is not the adapter's"});
    }
    effects.push_back(std::move(*effect));
  }
  return effects;
}

}  // namespace approval::adapters
