// One fresh project of a conformance check, and adapters that watch another one. Internal to the
// room.
//
// The project lives below a folder of its own and is made whole by Open: attested policy, two
// granted actions (one of a class that no adapter serves), a vault with the settings.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/log/record.h"
#include "vault/adapters/conformance.h"
#include "vault/adapters/execute.h"

namespace approval::adapters {

inline constexpr std::string_view kForeignClass = "conformance.foreign";

class ConformanceCase {
 public:
  ConformanceCase(const ConformanceSubject& subject, const ConformanceTools& tools,
                  const std::string& name);

  // What could not be made, if anything.
  std::optional<std::string> Open();

  struct Granted {
    std::string key;
    std::string token;
  };
  const Granted& own() const { return own_; }
  const Granted& foreign() const { return foreign_; }

  Executed Run(Adapter& adapter, const Granted& grant, const base::Json& payload,
               const std::optional<std::string>& token = {});
  Executed DryRun(const Adapter& adapter);

  // Records of the log; nothing when it does not verify.
  std::optional<std::vector<log::Record>> Records() const;
  std::string LogBytes() const;
  const CredentialSource& source() const { return source_; }
  const ConformanceTools& tools() const { return tools_; }
  gate::Gate& gate() { return gate_; }

 private:
  std::optional<std::string> Grant(Granted& granted, const std::string& action_class);

  const ConformanceSubject& subject_;
  const ConformanceTools& tools_;
  std::string folder_;
  gate::GateOptions project_;
  gate::Gate gate_;
  CredentialSource source_;
  Granted own_;
  Granted foreign_;
};

// Passes everything on and notes what passed.
class WatchedAdapter : public Adapter {
 public:
  WatchedAdapter(Adapter& inner, ConformanceCase& project) : inner_(inner), case_(project) {}

  std::string_view name() const override { return inner_.name(); }
  std::span<const std::string_view> classes() const override { return inner_.classes(); }
  std::span<const CredentialSpec> manifest() const override { return inner_.manifest(); }
  std::optional<ActFailed> Precheck(const ActInput& input) const override;
  tl::expected<base::JsonObject, ActFailed> Preview(const ActInput& input) const override {
    return inner_.Preview(input);
  }
  ActOutcome Act(const ActInput& input) override;

  int acts() const { return acts_; }
  // Last event in the log when Act was called.
  const std::string& event_at_act() const { return event_at_act_; }
  const std::string& key() const { return key_; }
  const base::Json& payload() const { return payload_; }
  // The window that the act had.
  std::optional<CredentialWindow>& kept() { return kept_; }

 protected:
  virtual ActOutcome ActInside(const ActInput& input) { return inner_.Act(input); }

  Adapter& inner_;

 private:
  ConformanceCase& case_;
  int acts_ = 0;
  std::string event_at_act_;
  std::string key_;
  base::Json payload_;
  std::optional<CredentialWindow> kept_;
};

// Publishes a secret beside what the inner adapter answers.
class PublishingAdapter final : public WatchedAdapter {
 public:
  PublishingAdapter(Adapter& inner, ConformanceCase& project, std::string secret_name)
      : WatchedAdapter(inner, project), secret_name_(std::move(secret_name)) {}

 protected:
  ActOutcome ActInside(const ActInput& input) override;

 private:
  std::string secret_name_;
};

// Reports a failure in place of acting.
class RefusingAdapter final : public WatchedAdapter {
 public:
  using WatchedAdapter::WatchedAdapter;

 protected:
  ActOutcome ActInside(const ActInput& input) override;
};

}  // namespace approval::adapters
