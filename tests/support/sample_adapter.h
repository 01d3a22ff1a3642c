// A small adapter that keeps its effects in memory, to be bent by tests.
//
// Reads `sample.place` and the secret `sample.key`. Effects go to a list that outlives it.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "vault/adapters/conformance.h"

namespace approval::testing {

inline constexpr std::string_view kSampleClass = "sample.note.write";
inline constexpr const char* kSampleSecret = "sample-secret-0001";

class SampleAdapter : public adapters::Adapter {
 public:
  explicit SampleAdapter(std::vector<std::string>& effects) : effects_(effects) {}

  std::string_view name() const override { return "sample"; }
  std::span<const std::string_view> classes() const override { return classes_; }
  std::span<const adapters::CredentialSpec> manifest() const override { return manifest_; }

  std::optional<adapters::ActFailed> Precheck(const adapters::ActInput& input) const override {
    if (input.payload.is_object() && input.payload.as_object().contains("note")) {
      return std::nullopt;
    }
    return adapters::ActFailed{"sample-payload-invalid", "a note is due"};
  }

  tl::expected<base::JsonObject, adapters::ActFailed> Preview(
      const adapters::ActInput& input) const override {
    if (auto refused = Precheck(input)) return tl::unexpected(std::move(*refused));
    return base::JsonObject{{"note", input.payload.as_object().at("note")}};
  }

  adapters::ActOutcome Act(const adapters::ActInput& input) override {
    if (auto refused = Precheck(input)) return std::move(*refused);
    const auto key = input.credentials.Get("sample.key");
    if (!key) {
      return adapters::ActFailed{std::string(base::Spelling(key.error().code)),
                                 key.error().message};
    }
    effects_.push_back(base::ToText(input.payload));
    return adapters::ActDone{{{"place", std::string(input.credentials.Get("sample.place").value())},
                              {"provider_ref", "note-" + std::to_string(effects_.size())}}};
  }

 protected:
  std::vector<std::string>& effects_;
  std::array<std::string_view, 1> classes_ = {kSampleClass};
  std::array<adapters::CredentialSpec, 2> manifest_ = {
      {{"sample.place", adapters::CredentialKind::kConfig, true, "place", "", "", ""},
       {"sample.key", adapters::CredentialKind::kSecret, true, "key", "", "", ""}}};
};

// A subject whose adapter is `T`, made from the list of effects.
template <typename T>
adapters::ConformanceSubject SampleSubject(std::vector<std::string>& effects) {
  adapters::ConformanceSubject subject;
  subject.make = [&effects] { return std::make_unique<T>(effects); };
  subject.action_class = std::string(kSampleClass);
  subject.payload = base::JsonObject{{"note", "buy milk"}};
  subject.other_payload = base::JsonObject{{"note", "buy more milk"}};
  subject.settings = {{"sample.place", "kitchen"}, {"sample.key", kSampleSecret}};
  subject.secret_name = "sample.key";
  subject.effects = [&effects] { return effects.size(); };
  return subject;
}

}  // namespace approval::testing
