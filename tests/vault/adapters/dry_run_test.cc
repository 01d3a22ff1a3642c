// The dry run: the run's own answers, and nothing spent, recorded or caused.
#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/support/adapter_project.h"
#include "tests/support/sample_adapter.h"

namespace approval::adapters {
namespace {

using base::Json;
using base::JsonArray;
using base::JsonObject;
using testing::SampleAdapter;
using testing::TextOf;

class DryRunTest : public ::testing::Test {
 protected:
  void SetUp() override {
    project_.Store("sample.place", "kitchen");
    project_.Store("sample.key", testing::kSampleSecret);
    project_.Seal();
    token_ = project_.Granted("t1:k", std::string(testing::kSampleClass), payload_);
    before_ = project_.LogBytes();
  }

  void TearDown() override { EXPECT_TRUE(effects_.empty() || expects_effects_); }

  // The dry run's code is the run's, and the log is as it was.
  void ExpectSameCode(const std::string& key, const std::string& token, const Json& payload,
                      const std::string& code) {
    SampleAdapter adapter(effects_);
    const std::string before = project_.LogBytes();
    const Executed dry = project_.DryRun(adapter, key, token, payload);
    EXPECT_FALSE(dry.ok);
    EXPECT_EQ(TextOf(dry.answer, "code"), code);
    EXPECT_EQ(project_.LogBytes(), before);
    const Executed real = project_.Run(adapter, key, token, payload);
    EXPECT_EQ(TextOf(real.answer, "code"), code);
  }

  testing::AdapterProject project_;
  std::vector<std::string> effects_;
  Json payload_ = JsonObject{{"note", "buy milk"}};
  std::string token_;
  std::string before_;
  bool expects_effects_ = false;
};

TEST_F(DryRunTest, ABoundRunWouldStartAndNothingIsSpent) {
  SampleAdapter adapter(effects_);
  const Executed dry = project_.DryRun(adapter, "t1:k", token_, payload_);
  ASSERT_TRUE(dry.ok) << base::ToText(dry.answer);
  EXPECT_EQ(project_.LogBytes(), before_);
  EXPECT_EQ(dry.answer.at("payload_hash"), dry.answer.at("bound_hash"));
  EXPECT_EQ(TextOf(dry.answer, "state"), "granted");
  EXPECT_EQ(TextOf(dry.answer.at("preview").as_object(), "note"), "buy milk");
  expects_effects_ = true;
  EXPECT_TRUE(project_.Run(adapter, "t1:k", token_, payload_).ok);
}

TEST_F(DryRunTest, TheChecksAreListedInTheOrderOfTheRun) {
  SampleAdapter adapter(effects_);
  const Executed dry = project_.DryRun(adapter, "t1:k", token_, payload_);
  std::string names;
  for (const Json& check : dry.answer.at("checks").as_array()) {
    names += TextOf(check.as_object(), "check") + " ";
  }
  EXPECT_EQ(names, "payload declared class token credentials bytes precheck start ");
}

TEST_F(DryRunTest, ItAnswersWhatTheRunWouldAnswer) {
  const std::string code_class = "sample.note.other";
  const std::string foreign = project_.Granted("t2:k", code_class, payload_);
  ExpectSameCode("t1:k", std::string(64, 'a'), payload_, "token-mismatch");
  ExpectSameCode("t1:k", "", payload_, "token-required");
  ExpectSameCode("t1:k", token_, JsonObject{{"note", "other"}}, "payload-mismatch");
  ExpectSameCode("t2:k", foreign, payload_, "adapter-class-mismatch");
  ExpectSameCode("nokey", token_, payload_, "action-not-registered");
  ExpectSameCode("t1:k", token_, JsonObject{{"note", "\xed\xa0\x80"}}, "payload-unhashable");
}

TEST_F(DryRunTest, ARevokedLapsedOrSpentGrantIsSaidToBeSo) {
  ASSERT_TRUE(project_.gate().Decide({gate::Decision::kRevoke, "t1:k", "human:alice"}));
  ExpectSameCode("t1:k", token_, payload_, "token-revoked");
  const std::string spent = project_.Granted("t2:k", std::string(testing::kSampleClass), payload_);
  SampleAdapter adapter(effects_);
  expects_effects_ = true;
  ASSERT_TRUE(project_.Run(adapter, "t2:k", spent, payload_).ok);
  ExpectSameCode("t2:k", spent, payload_, "token-consumed");
}

TEST_F(DryRunTest, ALockedVaultOrARefusedPrecheckIsSaidToBeSo) {
  const Json odd = JsonObject{{"nothing", 1}};
  const std::string token = project_.Granted("t2:k", std::string(testing::kSampleClass), odd);
  ExpectSameCode("t2:k", token, odd, "adapter-precheck-refused");
  project_.source().passphrase = [] { return std::optional<base::Secret>(); };
  ExpectSameCode("t1:k", token_, payload_, "credential-unavailable");
}

TEST_F(DryRunTest, WithoutAFittingTokenNoCredentialIsRead) {
  int asked = 0;
  project_.source().passphrase = [&] {
    ++asked;
    return std::optional(base::Secret("pass"));
  };
  SampleAdapter adapter(effects_);
  EXPECT_FALSE(project_.DryRun(adapter, "t1:k", std::string(64, 'a'), payload_).ok);
  EXPECT_FALSE(project_.DryRun(adapter, "t1:k", "", payload_).ok);
  EXPECT_EQ(asked, 0);
}

TEST_F(DryRunTest, AnActionThatNeedsNoTokenIsProvedByItsDeclaration) {
  class Free final : public SampleAdapter {
   public:
    explicit Free(std::vector<std::string>& effects) : SampleAdapter(effects) {
      classes_ = {"free.note"};
    }
  };
  Free adapter(effects_);
  project_.Declare("t3:k", "free.note", payload_);
  const std::string before = project_.LogBytes();
  EXPECT_TRUE(project_.DryRun(adapter, "t3:k", "", payload_).ok);
  const Executed other = project_.DryRun(adapter, "t3:k", "", JsonObject{{"note", "x"}});
  EXPECT_EQ(TextOf(other.answer, "code"), "payload-mismatch");
  EXPECT_EQ(project_.LogBytes(), before);
  expects_effects_ = true;
  ASSERT_TRUE(project_.Run(adapter, "t3:k", "", payload_).ok);
  EXPECT_EQ(TextOf(project_.DryRun(adapter, "t3:k", "", payload_).answer, "code"),
            "already-executed");
}

class Thrower final : public SampleAdapter {
 public:
  using SampleAdapter::SampleAdapter;
  std::optional<ActFailed> Precheck(const ActInput& input) const override {
    if (in_precheck) {
      throw std::runtime_error("saw " + std::string(input.credentials.Get("sample.key").value()));
    }
    return std::nullopt;
  }
  ActOutcome Act(const ActInput& input) override {
    throw std::runtime_error("saw " + std::string(input.credentials.Get("sample.key").value()));
  }
  bool in_precheck = true;
};

TEST_F(DryRunTest, APrecheckThatThrowsIsARefusalWhoseMessageIsRedacted) {
  Thrower adapter(effects_);
  const Executed done = project_.Run(adapter, "t1:k", token_, payload_);
  EXPECT_EQ(TextOf(done.answer, "adapter_code"), "precheck-threw");
  EXPECT_EQ(TextOf(done.answer, "message"), "saw [redacted]");
  EXPECT_EQ(project_.LogBytes(), before_);
}

TEST_F(DryRunTest, AnActThatThrowsIsIndeterminateAndOnlyItsMessageSurvives) {
  Thrower adapter(effects_);
  adapter.in_precheck = false;
  const Executed done = project_.Run(adapter, "t1:k", token_, payload_);
  EXPECT_EQ(TextOf(done.answer, "code"), "execution-indeterminate");
  EXPECT_EQ(base::ToText(done.answer).find(testing::kSampleSecret), std::string::npos);
  EXPECT_EQ(project_.Records().back().event, "execution.indeterminate");
}

class LeakyCode final : public SampleAdapter {
 public:
  using SampleAdapter::SampleAdapter;
  ActOutcome Act(const ActInput& input) override {
    const std::string key(input.credentials.Get("sample.key").value());
    return ActFailed{"code-" + key, "the key " + key + " is not liked"};
  }
};

TEST_F(DryRunTest, TheAdaptersOwnCodeIsRedactedToo) {
  LeakyCode adapter(effects_);
  const Executed done = project_.Run(adapter, "t1:k", token_, payload_);
  EXPECT_EQ(TextOf(done.answer, "adapter_code"), "code-[redacted]");
  EXPECT_EQ(base::AsInteger(done.answer.at("redactions")), 2);
}

}  // namespace
}  // namespace approval::adapters
