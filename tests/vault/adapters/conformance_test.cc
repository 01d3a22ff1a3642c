// The conformance runner passes what keeps the contract and fails what breaks it.
#include "vault/adapters/conformance.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "core/base/clock.h"
#include "core/gate/gate.h"
#include "tests/support/fakes.h"
#include "tests/support/sample_adapter.h"
#include "tests/support/temp_folder.h"

namespace approval::adapters {
namespace {

using testing::SampleAdapter;
using testing::SampleSubject;

class ConformanceTest : public ::testing::Test {
 protected:
  tl::expected<ConformanceReport, ConformanceViolation> Run(const ConformanceSubject& subject) {
    return RunConformance(subject, {folder_.path(), clock_, random_});
  }

  template <typename T>
  ConformanceViolation ViolationOf() {
    const auto report = Run(SampleSubject<T>(effects_));
    EXPECT_FALSE(report);
    return report ? ConformanceViolation{} : report.error();
  }

  testing::TempFolder folder_;
  testing::FakeClock clock_;
  base::SystemRandom random_;
  std::vector<std::string> effects_;
};

TEST_F(ConformanceTest, AnAdapterThatKeepsTheContractPassesEveryCheck) {
  const auto report = Run(SampleSubject<SampleAdapter>(effects_));
  ASSERT_TRUE(report) << report.error().check << ": " << report.error().what;
  ASSERT_EQ(report->size(), 9U);
  EXPECT_EQ(report->front().check, "bad-token");
  EXPECT_EQ(report->back().check, "observe");
}

TEST_F(ConformanceTest, ACheckThatCannotRunAsItIsSaysSo) {
  const auto report = Run(SampleSubject<SampleAdapter>(effects_));
  ASSERT_TRUE(report);
  EXPECT_NE((*report)[7].note, "");
  EXPECT_NE((*report)[8].note.find("skipped"), std::string::npos);
}

class Failing : public SampleAdapter {
 public:
  using SampleAdapter::SampleAdapter;
  ActOutcome Act(const ActInput&) override { return ActFailed{"sample-full", "no room"}; }
};

TEST_F(ConformanceTest, AFailingAdapterOfTheSubjectIsUsedWhenThereIsOne) {
  ConformanceSubject subject = SampleSubject<SampleAdapter>(effects_);
  subject.make_failing = [this] { return std::make_unique<Failing>(effects_); };
  const auto report = Run(subject);
  ASSERT_TRUE(report) << report.error().what;
  EXPECT_EQ((*report)[7].note, "");
}

TEST_F(ConformanceTest, ASubjectWithoutADistinctiveSecretIsNotJudged) {
  ConformanceSubject subject = SampleSubject<SampleAdapter>(effects_);
  subject.settings["sample.key"] = "short";
  const auto report = Run(subject);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().check, "subject");
}

class WrongClass : public SampleAdapter {
 public:
  explicit WrongClass(std::vector<std::string>& effects) : SampleAdapter(effects) {
    classes_ = {"sample.note.read"};
  }
};

TEST_F(ConformanceTest, AWrongClassIsSeen) {
  EXPECT_EQ(ViolationOf<WrongClass>().check, "bad-token");
}

class ServesEverything : public SampleAdapter {
 public:
  using SampleAdapter::SampleAdapter;
  std::span<const std::string_view> classes() const override { return all_; }

 private:
  std::array<std::string_view, 2> all_ = {testing::kSampleClass, "conformance.foreign"};
};

TEST_F(ConformanceTest, AnAdapterThatServesAForeignClassIsSeen) {
  EXPECT_EQ(ViolationOf<ServesEverything>().check, "foreign-class");
}

class Throwing : public SampleAdapter {
 public:
  using SampleAdapter::SampleAdapter;
  ActOutcome Act(const ActInput&) override { throw std::runtime_error("lost my way"); }
};

TEST_F(ConformanceTest, AnActThatThrowsIsSeen) {
  const ConformanceViolation violation = ViolationOf<Throwing>();
  EXPECT_EQ(violation.check, "other-payload");
  EXPECT_NE(violation.what.find("execution-indeterminate"), std::string::npos);
}

class NeverKnows : public SampleAdapter {
 public:
  using SampleAdapter::SampleAdapter;
  ActOutcome Act(const ActInput&) override { return ActUnknown{"sample-unknown", "who knows"}; }
};

TEST_F(ConformanceTest, AnActThatNeverKnowsIsSeen) {
  EXPECT_NE(ViolationOf<NeverKnows>().what.find("execution-indeterminate"), std::string::npos);
}

class ActsTwice : public SampleAdapter {
 public:
  using SampleAdapter::SampleAdapter;
  ActOutcome Act(const ActInput& input) override {
    static_cast<void>(SampleAdapter::Act(input));
    return SampleAdapter::Act(input);
  }
};

TEST_F(ConformanceTest, AnAdapterThatActsTwiceIsSeen) {
  const ConformanceViolation violation = ViolationOf<ActsTwice>();
  EXPECT_EQ(violation.check, "happy-path");
  EXPECT_NE(violation.what.find("2 effects"), std::string::npos);
}

class HidesItsSecret : public SampleAdapter {
 public:
  explicit HidesItsSecret(std::vector<std::string>& effects) : SampleAdapter(effects) {
    manifest_[1].kind = CredentialKind::kConfig;
  }
};

TEST_F(ConformanceTest, ASecretThatTheManifestDoesNotCallOneIsSeenWhenItComesOut) {
  const ConformanceViolation violation = ViolationOf<HidesItsSecret>();
  EXPECT_EQ(violation.check, "published-secret");
  EXPECT_EQ(violation.what.find(testing::kSampleSecret), std::string::npos);
}

class Leaks : public HidesItsSecret {
 public:
  using HidesItsSecret::HidesItsSecret;
  ActOutcome Act(const ActInput& input) override {
    ActOutcome outcome = SampleAdapter::Act(input);
    std::get<ActDone>(outcome).detail["key"] =
        std::string(input.credentials.Get("sample.key").value());
    return outcome;
  }
};

TEST_F(ConformanceTest, AnAdapterThatLeaksASecretByItselfIsSeen) {
  EXPECT_EQ(ViolationOf<Leaks>().check, "happy-path");
}

class KeepsTheWindow : public SampleAdapter {
 public:
  using SampleAdapter::SampleAdapter;
  ActOutcome Act(const ActInput& input) override {
    kept_.push_back(input.credentials);
    return SampleAdapter::Act(input);
  }

 private:
  std::vector<CredentialWindow> kept_;
};

TEST_F(ConformanceTest, AnAdapterThatKeepsTheWindowIsSeen) {
  const ConformanceViolation violation = ViolationOf<KeepsTheWindow>();
  EXPECT_EQ(violation.check, "published-secret");
  EXPECT_NE(violation.what.find("keeps"), std::string::npos);
}

class ActsInPrecheck : public SampleAdapter {
 public:
  using SampleAdapter::SampleAdapter;
  std::optional<ActFailed> Precheck(const ActInput& input) const override {
    effects_.push_back("too early");
    return SampleAdapter::Precheck(input);
  }
};

TEST_F(ConformanceTest, AnEffectBeforeTheSpendIsSeen) {
  EXPECT_EQ(ViolationOf<ActsInPrecheck>().check, "dry-run");
}

// Knows where the log of the case lies, and writes there when it acts.
class WritesTheLog : public SampleAdapter {
 public:
  WritesTheLog(std::vector<std::string>& effects, std::string scratch, const base::Clock& clock,
               base::Random& random)
      : SampleAdapter(effects), scratch_(std::move(scratch)), clock_(clock), random_(random) {}
  ActOutcome Act(const ActInput& input) override {
    const std::string folder = scratch_ + "/happy-path";
    gate::Gate gate({folder + "/.approval/log/events.jsonl", folder + "/APPROVAL.md", {}}, clock_,
                    random_);
    std::string sha256;
    static_cast<void>(gate.Attest("human:nobody", sha256));
    return SampleAdapter::Act(input);
  }

 private:
  std::string scratch_;
  const base::Clock& clock_;
  base::Random& random_;
};

TEST_F(ConformanceTest, AnAdapterThatWritesTheLogIsSeen) {
  ConformanceSubject subject = SampleSubject<SampleAdapter>(effects_);
  subject.make = [this] {
    return std::make_unique<WritesTheLog>(effects_, folder_.path(), clock_, random_);
  };
  const auto report = Run(subject);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().check, "happy-path");
  EXPECT_NE(report.error().what.find("two are due"), std::string::npos);
}

class LiesAboutClasses : public SampleAdapter {
 public:
  using SampleAdapter::SampleAdapter;
  std::optional<tl::expected<std::vector<Effect>, ActFailed>> Observe(const ObserveWindow&,
                                                                      CredentialWindow&) override {
    return std::vector<Effect>{{"e-1", "payment.transfer", 0, "somebody else's"}};
  }
};

TEST_F(ConformanceTest, AnObserveOfForeignClassesIsSeen) {
  EXPECT_EQ(ViolationOf<LiesAboutClasses>().check, "observe");
}

class ThrowsWhenLooking : public SampleAdapter {
 public:
  using SampleAdapter::SampleAdapter;
  std::optional<tl::expected<std::vector<Effect>, ActFailed>> Observe(const ObserveWindow&,
                                                                      CredentialWindow&) override {
    throw std::runtime_error("blind");
  }
};

TEST_F(ConformanceTest, AnObserveThatThrowsIsSeen) {
  EXPECT_EQ(ViolationOf<ThrowsWhenLooking>().check, "observe");
}

}  // namespace
}  // namespace approval::adapters
