// Every channel through the one suite, and broken ones that it must stop at the right check.
#include "tests/channels/conformance/conformance.h"

#include <gtest/gtest.h>

#include "tests/channels/conformance/harnesses.h"

namespace approval::testing {
namespace {

// A terminal whose output is bent on its way to the person.
class Bent : public ChannelUnderTest {
 public:
  explicit Bent(Bench& bench) : bench_(bench), inner_(TerminalUnderTest(bench)) {}
  std::string name() const override { return inner_->name(); }
  channels::Health health() const override { return inner_->health(); }
  std::vector<Rendered> Show() override {
    std::vector<Rendered> shown = inner_->Show();
    for (Rendered& one : shown) Bend(one);
    return shown;
  }
  std::string Press(const std::string& key, channels::Gesture gesture) override {
    return inner_->Press(key, gesture);
  }

 protected:
  Bench& bench_;

 private:
  virtual void Bend(Rendered& one) = 0;

  std::unique_ptr<ChannelUnderTest> inner_;
};

class ClaimShownAsComputed final : public Bent {
 public:
  using Bent::Bent;

 private:
  void Bend(Rendered& one) override {
    for (RenderedField& field : one.fields) field.claimed = false;
  }
};

class PayloadDropped final : public Bent {
 public:
  using Bent::Bent;

 private:
  void Bend(Rendered& one) override { one.payload.clear(); }
};

class ClaimUnquoted final : public Bent {
 public:
  using Bent::Bent;

 private:
  void Bend(Rendered& one) override {
    for (const gate::RequestModel& request : bench_.runtime.View()->requests) {
      one.text += "\nagent says: " + request.summary.value.value_or("");
    }
  }
};

// Answers for whatever is oldest, not for what the person looked at.
class AnswersTheOldest final : public Bent {
 public:
  using Bent::Bent;
  std::string Press(const std::string& key, channels::Gesture gesture) override {
    const auto view = bench_.runtime.View();
    return Bent::Press(view->requests.empty() ? key : view->requests[0].action_key.value, gesture);
  }

 private:
  void Bend(Rendered&) override {}
};

// Reports an approval without looking whether it could show the bytes.
class ApprovesUnseen final : public Bent {
 public:
  using Bent::Bent;
  std::string Press(const std::string& key, channels::Gesture gesture) override {
    const auto view = bench_.runtime.View();
    if (view->requests.empty()) return Bent::Press(key, gesture);
    for (const gate::RequestModel& request : view->requests) {
      if (request.action_key.value != key) continue;
      channels::Report report;
      report.action_key = key;
      report.gesture = gesture;
      report.request_hash = request.chain.value.hash;
      report.delivery_id = "unseen-" + key;
      return bench_.runtime.Decide(name(), report).sentence;
    }
    return "not here";
  }

 private:
  void Bend(Rendered&) override {}
};

template <typename Broken>
Finding Judge() {
  return CheckConformance([](Bench& bench) { return std::make_unique<Broken>(bench); });
}

TEST(Conformance, ThePageConforms) {
  const Finding finding = CheckConformance(PageUnderTest);
  EXPECT_EQ(finding.check, 0) << finding.what;
}

TEST(Conformance, TheTerminalConforms) {
  const Finding finding = CheckConformance(TerminalUnderTest);
  EXPECT_EQ(finding.check, 0) << finding.what;
}

TEST(Conformance, TelegramConforms) {
  const Finding finding = CheckConformance(TelegramUnderTest);
  EXPECT_EQ(finding.check, 0) << finding.what;
}

// channels.md 8.19
TEST(Conformance, AChannelThatShowsAClaimAsComputedFailsAtTagging) {
  const Finding finding = Judge<ClaimShownAsComputed>();
  EXPECT_EQ(finding.check, 1) << finding.what;
}

// channels.md 8.20
TEST(Conformance, AChannelThatDropsThePayloadFailsAtTheFullPayload) {
  const Finding finding = Judge<PayloadDropped>();
  EXPECT_EQ(finding.check, 3) << finding.what;
}

TEST(Conformance, AChannelThatAnswersForAnotherRequestFailsAtTwoAtOnce) {
  const Finding finding = Judge<AnswersTheOldest>();
  EXPECT_EQ(finding.check, 5) << finding.what;
}

TEST(Conformance, AChannelThatLetsAClaimBeginALineFailsAtQuoting) {
  const Finding finding = Judge<ClaimUnquoted>();
  EXPECT_EQ(finding.check, 8) << finding.what;
}

TEST(Conformance, AChannelThatApprovesWhatItCannotShowFailsAtTruncation) {
  const Finding finding = Judge<ApprovesUnseen>();
  EXPECT_EQ(finding.check, 10) << finding.what;
}

}  // namespace
}  // namespace approval::testing
