// An adapter that is a program of its own: one JSON object in, one out, inside the same window
// (docs/adapters.md).
//
// At each step the program's bytes are copied, hashed, compared with what the person installed, and
// exactly those bytes run. Only the names of the manifest reach the program, on its standard input.
// In `act`, whatever is not a clear answer of a program that was started is an unknown outcome:
// crash, deadline, garbage, silence. Before `act` the same is a refusal. What the program says on
// standard error is quoted in messages, cut, and recorded nowhere.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vault/adapters/adapter.h"
#include "vault/adapters/program_manifest.h"

namespace approval::adapters {

class ProgramAdapter final : public Adapter {
 public:
  explicit ProgramAdapter(ProgramManifest manifest);
  ProgramAdapter(const ProgramAdapter&) = delete;
  ProgramAdapter& operator=(const ProgramAdapter&) = delete;

  std::string_view name() const override { return manifest_.name; }
  std::span<const std::string_view> classes() const override { return classes_; }
  std::span<const CredentialSpec> manifest() const override { return specs_; }
  std::optional<std::string> CheckSetting(std::string_view name,
                                          std::string_view value) const override;
  std::optional<ActFailed> Precheck(const ActInput& input) const override;
  tl::expected<base::JsonObject, ActFailed> Preview(const ActInput& input) const override;
  ActOutcome Act(const ActInput& input) override;
  std::optional<tl::expected<Probed, ProbeFailed>> Probe(CredentialWindow& credentials) override;
  std::optional<tl::expected<std::vector<Effect>, ActFailed>> Observe(
      const ObserveWindow& window, CredentialWindow& credentials) override;

 private:
  ProgramManifest manifest_;
  std::vector<std::string_view> classes_;
  std::vector<CredentialSpec> specs_;
};

}  // namespace approval::adapters
