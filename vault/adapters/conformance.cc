#include "vault/adapters/conformance.h"

#include <algorithm>
#include <array>
#include <exception>

#include "core/base/encoding.h"
#include "vault/adapters/conformance_case.h"

namespace approval::adapters {
namespace {

using Wrong = std::optional<std::string>;  // what is wrong; nothing when all is well
using base::JsonObject;

constexpr std::size_t kMinSecret = 8;

std::string Member(const JsonObject& object, const char* name) {
  return std::string(base::StringMember(object, name).value_or(""));
}

// One case, with the adapter under test and what was there before it ran.
struct Trial {
  const ConformanceSubject& subject;
  ConformanceCase& project;
  Adapter& adapter;
  std::string& note;
  std::size_t effects_before = 0;
  std::size_t records_before = 0;
  std::string log_before{};

  void Mark() {
    effects_before = subject.effects();
    records_before = project.Records().value_or(std::vector<log::Record>{}).size();
    log_before = project.LogBytes();
  }

  // Refused with the code, and nothing was called, recorded or caused.
  Wrong WasRefused(const Executed& done, const WatchedAdapter& watched,
                   std::initializer_list<std::string_view> codes) const {
    const std::string code = Member(done.answer, "code");
    if (done.ok) return "the run went through";
    if (std::find(codes.begin(), codes.end(), code) == codes.end())
      return "it was refused " + code + ": " + Member(done.answer, "message");
    if (watched.acts() != 0) return "act was called";
    return NothingHappened();
  }

  Wrong NothingHappened() const {
    if (project.LogBytes() != log_before) return "something was written to the log";
    if (subject.effects() != effects_before) return "the far side saw an effect";
    return std::nullopt;
  }

  Wrong RunsOnce() const {
    WatchedAdapter watched(adapter, project);
    const Executed done = project.Run(watched, project.own(), subject.payload);
    if (!done.ok) {
      return "the approved payload does not run afterwards: " + Member(done.answer, "code") + " " +
             Member(done.answer, "adapter_code") + " " + Member(done.answer, "message");
    }
    return std::nullopt;
  }
};

Wrong BadToken(Trial& trial) {
  WatchedAdapter watched(trial.adapter, trial.project);
  const Executed done =
      trial.project.Run(watched, trial.project.own(), trial.subject.payload, std::string(64, 'a'));
  return trial.WasRefused(done, watched, {"token-mismatch"});
}

Wrong OtherPayload(Trial& trial) {
  WatchedAdapter watched(trial.adapter, trial.project);
  const Executed done =
      trial.project.Run(watched, trial.project.own(), trial.subject.other_payload);
  if (auto wrong = trial.WasRefused(done, watched, {"payload-mismatch"})) return wrong;
  return trial.RunsOnce();
}

Wrong ForeignClass(Trial& trial) {
  WatchedAdapter watched(trial.adapter, trial.project);
  const Executed done = trial.project.Run(watched, trial.project.foreign(), trial.subject.payload);
  if (auto wrong = trial.WasRefused(done, watched, {"adapter-class-mismatch"})) return wrong;
  if (!trial.project.gate().Token(trial.project.foreign().key)) return "the token was spent";
  return std::nullopt;
}

Wrong DryRunCausesNothing(Trial& trial) {
  WatchedAdapter watched(trial.adapter, trial.project);
  const Executed done = trial.project.DryRun(watched);
  if (!done.ok) return "it would not start: " + Member(done.answer, "code");
  if (done.answer.contains("preview_refused")) return "the preview refuses what act accepts";
  if (watched.acts() != 0) return "act was called";
  return trial.NothingHappened();
}

// The two records that a run adds, and that the answer names them.
Wrong JoinsTheLog(const Trial& trial, const Executed& done) {
  const auto records = trial.project.Records();
  if (!records) return "the log does not verify";
  if (records->size() != trial.records_before + 2) {
    return "the run added " + std::to_string(records->size() - trial.records_before) +
           " records; two are due";
  }
  const log::Record& start = (*records)[trial.records_before];
  const log::Record& end = (*records)[trial.records_before + 1];
  if (start.event != "execution.started" || end.event != "execution.completed") {
    return "the records are " + start.event + " and " + end.event;
  }
  if (base::AsInteger(done.answer.at("started_seq")) != start.seq ||
      base::AsInteger(done.answer.at("outcome_seq")) != end.seq) {
    return "the answer names other records than the log has";
  }
  const base::Json* recorded = end.payload.if_contains("provider_ref");
  const base::Json* answered = done.answer.if_contains("provider_ref");
  if ((recorded == nullptr) != (answered == nullptr) ||
      (recorded != nullptr && *recorded != *answered)) {
    return "the provider_ref of the answer is not the log's";
  }
  return std::nullopt;
}

// In no form that a plain search finds.
Wrong HoldsNoSecret(const Trial& trial, const Executed& done) {
  const std::string& secret = trial.subject.settings.at(trial.subject.secret_name);
  const std::string all = base::ToText(done.answer) + trial.project.LogBytes() +
                          (done.error ? done.error->message : "");
  for (const std::string& form :
       {secret, base::Base64Encode(secret), base::PercentEncode(secret, "-._~")}) {
    if (all.find(form) != std::string::npos) return "the secret came out";
  }
  return std::nullopt;
}

Wrong HappyPath(Trial& trial) {
  WatchedAdapter watched(trial.adapter, trial.project);
  const Executed done = trial.project.Run(watched, trial.project.own(), trial.subject.payload);
  if (!done.ok) {
    return "the run ended with " + Member(done.answer, "code") + " " +
           Member(done.answer, "adapter_code") + " " + Member(done.answer, "message");
  }
  if (watched.acts() != 1) return "act was called " + std::to_string(watched.acts()) + " times";
  if (watched.event_at_act() != "execution.started")
    return "act ran before its start was on record";
  if (watched.key() != trial.project.own().key) return "act got another key";
  if (watched.payload() != trial.subject.payload) return "act got another payload";
  const std::size_t effects = trial.subject.effects() - trial.effects_before;
  if (effects != 1) return "the far side saw " + std::to_string(effects) + " effects; one is due";
  if (auto wrong = JoinsTheLog(trial, done)) return wrong;
  return HoldsNoSecret(trial, done);
}

Wrong SecondRun(Trial& trial) {
  if (auto wrong = trial.RunsOnce()) return wrong;
  trial.Mark();
  WatchedAdapter watched(trial.adapter, trial.project);
  const Executed done = trial.project.Run(watched, trial.project.own(), trial.subject.payload);
  return trial.WasRefused(done, watched, {"token-consumed", "already-executed"});
}

Wrong PublishedSecret(Trial& trial) {
  PublishingAdapter hostile(trial.adapter, trial.project, trial.subject.secret_name);
  const Executed done = trial.project.Run(hostile, trial.project.own(), trial.subject.payload);
  if (!done.ok) return "the run ended with " + Member(done.answer, "code");
  if (auto wrong = HoldsNoSecret(trial, done)) return wrong;
  if (base::AsInteger(done.answer.at("redactions")).value_or(0) < 1) return "nothing was redacted";
  CredentialWindow& kept = *hostile.kept();
  const auto after = kept.Get(trial.subject.secret_name);
  if (after || after.error().code != base::Code::kCredentialWindowClosed) {
    return "the credential window still answers after the action";
  }
  if (kept.HeldElsewhere()) return "the adapter keeps the credential window";
  return std::nullopt;
}

Wrong ReportedFailure(Trial& trial) {
  std::unique_ptr<Adapter> failing;
  if (trial.subject.make_failing) {
    failing = trial.subject.make_failing();
  } else {
    failing = std::make_unique<RefusingAdapter>(trial.adapter, trial.project);
    trial.note = "the runner reported the failure: the subject brings no failing adapter";
  }
  const Executed done = trial.project.Run(*failing, trial.project.own(), trial.subject.payload);
  const std::string code = Member(done.answer, "code");
  if (code != "adapter-failed") return "the run ended with " + (code.empty() ? "success" : code);
  if (done.answer.at("acted") != base::Json(true)) return "the answer says that it did not act";
  if (Member(done.answer, "adapter_code").empty()) return "the adapter's own code is gone";
  const auto records = trial.project.Records();
  if (!records || records->back().event != "execution.failed") return "no failure is on record";
  return HoldsNoSecret(trial, done);
}

Wrong Observe(Trial& trial) {
  CredentialWindow window(&trial.project.source(), trial.project.tools().random,
                          WindowGrant::OfPerson());
  std::optional<tl::expected<std::vector<Effect>, ActFailed>> seen;
  try {
    seen = trial.adapter.Observe({0, trial.project.tools().clock.NowMs()}, window);
  } catch (...) {
    return "observe threw";
  }
  window.Close();
  if (!seen) {
    trial.note = "skipped: the adapter cannot look";
    return trial.NothingHappened();
  }
  if (!*seen) return "observe failed with " + seen->error().code;
  const auto classes = trial.adapter.classes();
  for (const Effect& effect : **seen) {
    if (std::find(classes.begin(), classes.end(), effect.action_class) == classes.end()) {
      return "an effect has a class that is not the adapter's";
    }
    if (effect.id.empty()) return "an effect has no id";
  }
  return trial.NothingHappened();
}

struct Check {
  const char* name;
  Wrong (*run)(Trial&);
};

constexpr std::array<Check, 9> kChecks = {{{"bad-token", BadToken},
                                           {"other-payload", OtherPayload},
                                           {"foreign-class", ForeignClass},
                                           {"dry-run", DryRunCausesNothing},
                                           {"happy-path", HappyPath},
                                           {"second-run", SecondRun},
                                           {"published-secret", PublishedSecret},
                                           {"reported-failure", ReportedFailure},
                                           {"observe", Observe}}};

// What the author must bring before anything can be judged.
Wrong Usable(const ConformanceSubject& subject) {
  if (!subject.make || !subject.effects) return "the subject brings no adapter or no count";
  if (subject.payload == subject.other_payload) return "the two payloads are equal";
  const auto secret = subject.settings.find(subject.secret_name);
  if (secret == subject.settings.end() || secret->second.size() < kMinSecret) {
    return "secret_name must name a setting of at least 8 characters";
  }
  return std::nullopt;
}

Wrong RunCheck(const ConformanceSubject& subject, const ConformanceTools& tools, const Check& check,
               std::string& note) {
  if (subject.reset) subject.reset();
  ConformanceCase project(subject, tools, check.name);
  if (auto failed = project.Open()) return "the case cannot be made: " + *failed;
  const std::unique_ptr<Adapter> adapter = subject.make();
  if (adapter == nullptr) return "the factory made nothing";
  Trial trial{subject, project, *adapter, note};
  trial.Mark();
  if (auto wrong = check.run(trial)) return wrong;
  if (!project.Records()) return "the log does not verify afterwards";
  return std::nullopt;
}

}  // namespace

tl::expected<ConformanceReport, ConformanceViolation> RunConformance(
    const ConformanceSubject& subject, const ConformanceTools& tools) {
  if (auto wrong = Usable(subject)) {
    return tl::unexpected(ConformanceViolation{"subject", std::move(*wrong)});
  }
  ConformanceReport report;
  for (const Check& check : kChecks) {
    ConformanceLine line{check.name};
    if (auto wrong = RunCheck(subject, tools, check, line.note)) {
      return tl::unexpected(ConformanceViolation{check.name, std::move(*wrong)});
    }
    report.push_back(std::move(line));
  }
  return report;
}

}  // namespace approval::adapters
