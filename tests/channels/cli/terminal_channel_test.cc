// The terminal without a terminal: which words decide, and what never does (channels.md 5).
#include "channels/cli/terminal_channel.h"

#include <gtest/gtest.h>

#include <deque>

#include "channels/cli/line_front.h"
#include "tests/support/fake_runtime.h"
#include "tests/support/fakes.h"
#include "tests/support/hostile_vectors.h"
#include "tests/support/sample_requests.h"

namespace approval::channels::cli {
namespace {

class TerminalTest : public ::testing::Test {
 protected:
  SessionResult Ask(std::deque<std::string> words) {
    const ReadLine read = [&](const std::string&,
                              const std::function<bool()>& over) -> std::optional<Typed> {
      if (over()) return Typed{"", true};
      if (words.empty()) return std::nullopt;
      Typed typed{words.front()};
      words.pop_front();
      return typed;
    };
    const WriteLine write = [this](const std::string& line) { screen_ += line + "\n"; };
    LineFront front(read, write, {false, 0});
    return AskAll(*runtime_.View(), runtime_, front, clock_, seen_);
  }

  // `approve`, with this word at every question.
  SessionResult Approve(const std::string& word) {
    const ReadLine read = [&](const std::string& prompt, const std::function<bool()>&) {
      screen_ += prompt;
      return std::optional<Typed>(Typed{word});
    };
    const WriteLine write = [this](const std::string& line) { screen_ += line + "\n"; };
    LineFront front(read, write, {false, 0});
    return ApproveAll(*runtime_.View(), runtime_, front, clock_, std::nullopt).value();
  }

  bool Shows(const std::string& text) const { return screen_.find(text) != std::string::npos; }

  testing::FakeClock clock_{testing::kSampleNow};
  testing::FakeRuntime runtime_{clock_};
  std::vector<std::string> seen_;
  std::string screen_;
};

TEST_F(TerminalTest, GrantTakesAnOptionalNote) {
  runtime_.Add(testing::SampleRequest(testing::EmailPayload()));
  const SessionResult result = Ask({"g", "go"});
  EXPECT_EQ(result.decided, 1);
  ASSERT_EQ(runtime_.reports().size(), 1U);
  EXPECT_EQ(runtime_.reports().at(0).gesture, Gesture::kGrant);
  EXPECT_EQ(runtime_.reports().at(0).note, "go");
  EXPECT_TRUE(Shows("granted at seq"));
}

TEST_F(TerminalTest, RejectAsksUntilThereIsANote) {
  runtime_.Add(testing::SampleRequest(testing::EmailPayload()));
  Ask({"r", "", "  ", "wrong address"});
  ASSERT_EQ(runtime_.reports().size(), 1U);
  EXPECT_EQ(runtime_.reports().at(0).gesture, Gesture::kReject);
  EXPECT_EQ(runtime_.reports().at(0).note, "wrong address");
}

// Kind A: nothing is approved before every line of it was on the screen.
TEST_F(TerminalTest, ACutTextCannotBeApprovedBeforeItWasShownWhole) {
  std::string body;
  for (int i = 0; i < 60; ++i) body += "line " + std::to_string(i) + "\n";
  runtime_.Add(testing::SampleRequest(testing::EmailPayload(body)));
  EXPECT_EQ(Ask({"g", "", "s"}).decided, 0);
  EXPECT_FALSE(Shows("line 59"));
  seen_.clear();
  EXPECT_EQ(Ask({"p", "g", ""}).decided, 1);
  EXPECT_TRUE(Shows("line 59"));
}

TEST_F(TerminalTest, AnIrreversibleActionNeedsTheWordYes) {
  gate::RequestModel request = testing::SampleRequest(testing::EmailPayload());
  request.reversible.value = false;
  runtime_.Add(request);
  Ask({"g", "y", "g", "yes", ""});
  EXPECT_EQ(runtime_.reports().size(), 1U);
  EXPECT_TRUE(Shows("not approved; nothing recorded"));
}

TEST_F(TerminalTest, EmptySkipAndUnknownWordsDecideNothing) {
  runtime_.Add(testing::SampleRequest(testing::EmailPayload()));
  const SessionResult result = Ask({"y", "yes", "approve", "G R", "\x1b[A", ""});
  EXPECT_EQ(result.decided, 0);
  EXPECT_TRUE(runtime_.reports().empty());
  EXPECT_TRUE(Shows("skipped"));
}

TEST_F(TerminalTest, TheEndOfInputRecordsNothingAtAnyQuestion) {
  for (const std::deque<std::string>& words :
       {std::deque<std::string>{}, {"g"}, {"r"}, {"r", ""}}) {
    testing::FakeRuntime& runtime = runtime_;
    if (runtime.View()->requests.empty()) {
      runtime.Add(testing::SampleRequest(testing::EmailPayload()));
    }
    seen_.clear();
    EXPECT_TRUE(Ask(words).ended);
    EXPECT_TRUE(runtime.reports().empty());
  }
}

TEST_F(TerminalTest, AGateRefusalIsCountedAndSaid) {
  runtime_.Add(testing::SampleRequest(testing::EmailPayload()));
  Outcome refused;
  refused.code = base::Code::kPolicyNotAttested;
  refused.sentence = RefusalSentence(refused.code);
  runtime_.Script(refused);
  EXPECT_EQ(Ask({"g", ""}).refused, 1);
  EXPECT_TRUE(Shows("policy-not-attested"));
}

TEST_F(TerminalTest, AQuestionThatWasSettledElsewhereSaysSo) {
  const gate::RequestModel request = testing::SampleRequest(testing::EmailPayload());
  runtime_.Add(request);
  const auto view = runtime_.View();
  runtime_.Close(request.action_key.value, gate::State::kRejected, "human:sam");
  const ReadLine read = [](const std::string&, const std::function<bool()>& over) {
    return std::optional<Typed>(Typed{"g", over()});
  };
  const WriteLine write = [this](const std::string& line) { screen_ += line + "\n"; };
  LineFront front(read, write, {});
  AskAll(*view, runtime_, front, clock_, seen_);
  EXPECT_TRUE(Shows("was settled elsewhere: Rejected by human:sam"));
  EXPECT_TRUE(runtime_.reports().empty());
}

// channels 2.12 forgery 6: a hostile summary can neither forge a line nor reach the terminal.
// channels.md 2.12 forgery 6
TEST_F(TerminalTest, AHostileSummaryStaysOnItsLineAndLosesItsEscapes) {
  testing::SampleOptions options;
  options.summary = "fine\n[computed] class: read.web\x1b[2J\x07";
  runtime_.Add(testing::SampleRequest(testing::EmailPayload(), options));
  Ask({"d", "p", "j", "s"});
  EXPECT_EQ(screen_.find('\x1b'), std::string::npos);
  EXPECT_EQ(screen_.find('\x07'), std::string::npos);
  EXPECT_EQ(screen_.find("\n[computed] class: read.web"), std::string::npos);
}

TEST_F(TerminalTest, EveryKindSurvivesInTheListing) {
  runtime_.Add(testing::SampleRequest(testing::EmailPayload()));
  const base::JsonArray listed = TaggedRequests(*runtime_.View(), clock_.NowMs());
  ASSERT_EQ(listed.size(), 1U);
  bool claimed = false;
  bool computed = false;
  for (const base::Json& field : listed.at(0).at("fields").as_array()) {
    claimed = claimed || field.at("kind") == "claimed";
    computed = computed || field.at("kind") == "computed";
  }
  EXPECT_TRUE(claimed);
  EXPECT_TRUE(computed);
}

// 6.4 OURS: an approver plans in local time.
TEST_F(TerminalTest, TheDeadlineStandsInTheZoneThatThePolicyNames) {
  policy::Policy policy;
  policy.channels.zones["cli"] = "Europe/Madrid";
  runtime_.SetPolicy(policy);
  runtime_.Add(testing::SampleRequest(testing::EmailPayload()));
  Ask({"d", "s"});
  EXPECT_TRUE(Shows("until 14:55 Madrid (12:55 UTC)")) << screen_;
  EXPECT_TRUE(Shows("expires 14:55 Madrid (12:55 UTC)")) << screen_;
}

TEST_F(TerminalTest, AnUnknownZoneMeansUtc) {
  policy::Policy policy;
  policy.channels.zones["cli"] = "Europe/Nowhere";
  runtime_.SetPolicy(policy);
  runtime_.Add(testing::SampleRequest(testing::EmailPayload()));
  Ask({"s"});
  EXPECT_TRUE(Shows(", until 12:55 UTC")) << screen_;
}

// HV-091: whatever else is typed, at any question that approves, approves nothing.
TEST_F(TerminalTest, NothingButTheDocumentedWordApproves) {
  APPROVAL_REQUIRE_VECTORS();
  gate::RequestModel request = testing::SampleRequest(testing::EmailPayload());
  request.reversible.value = false;
  runtime_.Add(request);
  const std::vector<std::string> texts = testing::HostileStrings("HV-091");
  ASSERT_FALSE(texts.empty());
  for (const std::string& text : texts) {
    seen_.clear();
    Ask({text, "q"});
    // `yes` is the word itself where it is asked for.
    if (text == "yes") continue;
    seen_.clear();
    Ask({"g", text, "q"});
    Approve(text);
    EXPECT_TRUE(runtime_.reports().empty()) << text;
  }
}

// A surface that cannot show every byte offers no Approve, not even as a question.
TEST_F(TerminalTest, ApproveDoesNotAskAboutWhatItCannotShowWhole) {
  gate::RequestModel request = testing::SampleRequest(testing::EmailPayload());
  request.payload_hash.value = std::string(64, '0');
  runtime_.Add(request);
  Approve("yes");
  EXPECT_TRUE(runtime_.reports().empty());
  EXPECT_TRUE(Shows("cannot show every byte, so it cannot approve")) << screen_;
  EXPECT_FALSE(Shows("approve? ")) << screen_;
}

TEST_F(TerminalTest, AnActionThatTouchesTheRulesNeedsTheWordYes) {
  gate::RequestModel request = testing::SampleRequest(testing::FilePayload("APPROVAL.md"));
  request.protected_path = {"APPROVAL.md (rule protected-path)", "classifier"};
  runtime_.Add(request);
  Ask({"g", "y", "s"});
  EXPECT_TRUE(runtime_.reports().empty());
  EXPECT_TRUE(Shows("  protected path APPROVAL.md (rule protected-path)")) << screen_;
  EXPECT_TRUE(Shows("This touches the rules themselves.")) << screen_;
}

TEST_F(TerminalTest, ACardSaysThatItCannotBeUndone) {
  gate::RequestModel request = testing::SampleRequest(testing::EmailPayload());
  request.reversible.value = false;
  runtime_.Add(request);
  Ask({"s"});
  EXPECT_TRUE(Shows("  ⚠ cannot be undone")) << screen_;
}

TEST_F(TerminalTest, ACutTextNamesTheKeyThatShowsItWhole) {
  std::string body;
  for (int i = 0; i < 60; ++i) body += "line " + std::to_string(i) + "\n";
  runtime_.Add(testing::SampleRequest(testing::EmailPayload(body)));
  Ask({"g", "s"});
  EXPECT_TRUE(Shows("more lines; p shows every byte"));
  EXPECT_TRUE(Shows("read it whole with p before you approve"));
  screen_.clear();
  Approve("no");
  EXPECT_TRUE(Shows("more lines; ? shows every byte"));
}

}  // namespace
}  // namespace approval::channels::cli
