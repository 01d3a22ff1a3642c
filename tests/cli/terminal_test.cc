// `approval channel cli` at a terminal, as a person uses them: full screen,
// plain lines, small windows, closed windows, keys that nobody meant (channels.md 5.2; field
// reports, kind J).
#include <csignal>

#include "tests/cli/terminal_rig.h"

namespace approval {
namespace {

using testing::Holds;
using testing::Letter;
using testing::Pty;
using testing::TerminalTest;

constexpr const char* kEnterScreen = "\x1b[?1049h";
constexpr const char* kLeaveScreen = "\x1b[?2004l\x1b[?1049l";
constexpr const char* kKeys = "g approve";

// The terminal is as a program finds it: lines, echo, the first screen, pastes without marks.
void ExpectGivenBack(const Pty& pty) {
  const termios now = pty.Settings();
  EXPECT_NE(now.c_lflag & static_cast<tcflag_t>(ICANON), 0U);
  EXPECT_NE(now.c_lflag & static_cast<tcflag_t>(ECHO), 0U);
  const std::string& screen = pty.Screen();
  EXPECT_GT(screen.rfind(kLeaveScreen) + 1, screen.rfind(kEnterScreen) + 1) << screen;
}

TEST_F(TerminalTest, AKeyAndEnterApproveAndTheRecordStaysOnTheScreen) {
  Request("t");
  Pty pty = Channel();
  ASSERT_TRUE(pty.WaitFor(kKeys)) << pty.Screen();
  pty.TypeLater("g");
  ASSERT_TRUE(pty.WaitFor("note (may be empty): ")) << pty.Screen();
  pty.TypeLater("fine");
  ASSERT_TRUE(pty.WaitFor("fine"));
  pty.Type("\r");
  ASSERT_TRUE(pty.WaitFor("t:k -> granted at seq 4")) << pty.Screen();
  EXPECT_EQ(pty.Wait(), 0);
  ExpectGivenBack(pty);
  EXPECT_TRUE(Holds(Log(), "\"note\":\"fine\"")) << Log();
}

TEST_F(TerminalTest, ARejectionNeedsANote) {
  Request("t");
  Pty pty = Channel();
  ASSERT_TRUE(pty.WaitFor(kKeys));
  pty.TypeLater("r");
  ASSERT_TRUE(pty.WaitFor("why: "));
  pty.TypeLater("\r");
  ASSERT_TRUE(pty.WaitFor("a rejection needs a note"));
  pty.TypeLater("wrong");
  ASSERT_TRUE(pty.WaitFor("wrong"));
  pty.Type("\r");
  EXPECT_EQ(pty.Wait(), 0);
  EXPECT_TRUE(Holds(Log(), "\"note\":\"wrong\""));
}

TEST_F(TerminalTest, AWarningAsksForTheWordYes) {
  Request("t", Letter("please visit pаypal.com"));
  Pty pty = Channel();
  ASSERT_TRUE(pty.WaitFor(kKeys));
  pty.TypeLater("g");
  ASSERT_TRUE(pty.WaitFor("type yes to approve: ")) << pty.Screen();
  pty.TypeLater("y");
  ASSERT_TRUE(pty.WaitFor("y"));
  pty.Type("\r");
  ASSERT_TRUE(pty.WaitFor("not approved; nothing recorded"));
  EXPECT_FALSE(Decided());
  pty.TypeLater("g");
  ASSERT_TRUE(pty.WaitFor("type yes to approve: "));
  pty.TypeLater("yes");
  ASSERT_TRUE(pty.WaitFor("yes"));
  pty.Type("\r");
  ASSERT_TRUE(pty.WaitFor("note (may be empty): "));
  pty.TypeLater("\r");
  EXPECT_EQ(pty.Wait(), 0);
  EXPECT_TRUE(Granted());
}

// FR-109: what was typed before the screen stood is no answer.
TEST_F(TerminalTest, TypeAheadAnswersNothing) {
  Request("t");
  Pty pty = Channel();
  pty.Type("g\r\r");
  ASSERT_TRUE(pty.WaitFor(kKeys));
  pty.TypeLater("s");
  EXPECT_EQ(pty.Wait(), 0);
  EXPECT_FALSE(Decided());
}

TEST_F(TerminalTest, PastedLinesAnswerNothing) {
  Request("t");
  Pty pty = Channel();
  ASSERT_TRUE(pty.WaitFor(kKeys));
  pty.TypeLater("\x1b[200~g\r\ryes\r\r\x1b[201~");
  ASSERT_TRUE(pty.WaitFor("nothing was answered")) << pty.Screen();
  // A terminal without marks around a paste: everything arrives at once.
  pty.TypeLater("g\r\ryes\r\r");
  pty.TypeLater("g");
  ASSERT_TRUE(pty.WaitFor("note (may be empty): "));
  pty.TypeLater("\x1b[200~two\nlines\n\x1b[201~");
  ASSERT_TRUE(pty.WaitFor("two lines"));
  pty.TypeLater("\x1b");
  ASSERT_TRUE(pty.WaitFor("nothing recorded"));
  pty.TypeLater("q");
  EXPECT_EQ(pty.Wait(), 0);
  EXPECT_FALSE(Decided());
}

TEST_F(TerminalTest, AFocusChangeOrAFunctionKeyAnswersNothing) {
  Request("t");
  Pty pty = Channel();
  ASSERT_TRUE(pty.WaitFor(kKeys));
  for (const char* sequence : {"\x1b[I", "\x1b[O", "\x1b[15~", "\x1b[<0;3;3M", "\r"}) {
    pty.TypeLater(sequence);
  }
  pty.TypeLater("q");
  EXPECT_EQ(pty.Wait(), 0);
  EXPECT_FALSE(Decided());
}

// The keys that lead to each question, and its prompt.
struct Prompt {
  std::vector<std::string> keys;
  const char* shows;
};

std::vector<Prompt> Prompts() {
  return {
      {{}, kKeys}, {{"g"}, "type yes to approve: "}, {{"r"}, "why: "}, {{"p"}, "the exact bytes"}};
}

void Walk(Pty& pty, const Prompt& prompt) {
  ASSERT_TRUE(pty.WaitFor(kKeys)) << pty.Screen();
  for (const std::string& key : prompt.keys) pty.TypeLater(key);
  if (prompt.keys.empty()) return;
  ASSERT_TRUE(pty.WaitFor(prompt.shows)) << pty.Screen();
}

TEST_F(TerminalTest, ControlCAtAnyPromptRecordsNothingAndGivesTheTerminalBack) {
  Request("t", Letter("pаypal"));
  for (const Prompt& prompt : Prompts()) {
    Pty pty = Channel();
    Walk(pty, prompt);
    pty.TypeLater("\x03");
    EXPECT_EQ(pty.Wait(), 128 + SIGINT) << prompt.shows;
    ExpectGivenBack(pty);
    EXPECT_FALSE(Decided()) << prompt.shows;
  }
}

TEST_F(TerminalTest, ControlZAtAnyPromptGivesTheTerminalBackAndTakesItAgain) {
  Request("t", Letter("pаypal"));
  for (const Prompt& prompt : Prompts()) {
    Pty pty = Channel();
    Walk(pty, prompt);
    pty.TypeLater("\x1a");
    ASSERT_TRUE(pty.WaitStopped()) << prompt.shows;
    ExpectGivenBack(pty);
    pty.Signal(SIGCONT);
    ASSERT_TRUE(pty.WaitFor(kEnterScreen)) << prompt.shows;
    ASSERT_TRUE(pty.WaitFor(prompt.shows)) << pty.Screen();
    pty.TypeLater("\x03");
    EXPECT_EQ(pty.Wait(), 128 + SIGINT);
    EXPECT_FALSE(Decided());
  }
}

TEST_F(TerminalTest, TheEndOfInputAtAnyPromptRecordsNothing) {
  Request("t", Letter("pаypal"));
  for (const Prompt& prompt : Prompts()) {
    Pty pty = Channel();
    Walk(pty, prompt);
    pty.TypeLater("\x04");
    EXPECT_EQ(pty.Wait(), 0) << prompt.shows;
    ExpectGivenBack(pty);
    EXPECT_FALSE(Decided());
  }
}

TEST_F(TerminalTest, ATerminalThatIsClosedEndsTheSessionAndRecordsNothing) {
  Request("t", Letter("pаypal"));
  for (const Prompt& prompt : Prompts()) {
    Pty pty = Channel();
    Walk(pty, prompt);
    pty.HangUp();
    EXPECT_EQ(pty.Wait(), 128 + SIGHUP) << prompt.shows;
    EXPECT_FALSE(Decided());
  }
}

TEST_F(TerminalTest, ACrashGivesTheTerminalBack) {
  Request("t");
  for (const int number : {SIGSEGV, SIGABRT, SIGTERM}) {
    Pty pty = Channel();
    ASSERT_TRUE(pty.WaitFor(kKeys));
    pty.Signal(number);
    EXPECT_EQ(pty.Wait(), 128 + number);
    ExpectGivenBack(pty);
  }
}

TEST_F(TerminalTest, AnotherSizeDrawsTheCardAgain) {
  Request("t");
  Pty pty = Channel();
  ASSERT_TRUE(pty.WaitFor(kKeys));
  pty.Resize(40, 20);
  // The line above the keys is as long as the terminal, less one column.
  std::string rule;
  for (int i = 0; i < 39; ++i) rule += "─";
  ASSERT_TRUE(pty.WaitFor(rule + "\x1b[K"));
  pty.Resize(10, 12);
  ASSERT_TRUE(pty.WaitFor("g r d p "));
  pty.TypeLater("q");
  EXPECT_EQ(pty.Wait(), 0);
}

// FR-091: a card that does not fit is approved only after its end was there.
TEST_F(TerminalTest, AnApprovalNeedsTheEndOfTheTextOnTheScreen) {
  std::string body;
  for (int i = 0; i < 60; ++i) body += "line " + std::to_string(i) + "\n";
  Request("t", Letter(body));
  Pty pty = Channel({80, 24, "xterm"});
  ASSERT_TRUE(pty.WaitFor("space goes on")) << pty.Screen();
  pty.TypeLater("g");
  ASSERT_TRUE(pty.WaitFor("there is more of the card below")) << pty.Screen();
  for (int i = 0; i < 6; ++i) pty.TypeLater(" ");
  ASSERT_TRUE(pty.WaitFor("line 59"));
  pty.TypeLater("g");
  ASSERT_TRUE(pty.WaitFor("note (may be empty): "));
  pty.TypeLater("\r");
  EXPECT_EQ(pty.Wait(), 0);
  EXPECT_TRUE(Granted());
}

TEST_F(TerminalTest, ADumbTerminalGetsLinesWithoutAnEscape) {
  Request("t");
  for (const char* term : {"dumb", ""}) {
    Pty pty = Channel({80, 24, term});
    ASSERT_TRUE(pty.WaitFor("> ")) << pty.Screen();
    pty.TypeLater("d\n");
    ASSERT_TRUE(pty.WaitFor("[computed] class"));
    ASSERT_TRUE(pty.WaitFor("> "));
    pty.TypeLater("q\n");
    EXPECT_EQ(pty.Wait(), 0);
    EXPECT_FALSE(Holds(pty.Screen(), "\x1b[?")) << term;
  }
}

TEST_F(TerminalTest, PlainIsLineByLineAtAnyTerminal) {
  Request("t");
  Pty pty = At({"channel", "cli", "--plain"});
  ASSERT_TRUE(pty.WaitFor("> "));
  pty.TypeLater("g\n");
  ASSERT_TRUE(pty.WaitFor("note (may be empty): "));
  pty.TypeLater("\n");
  ASSERT_TRUE(pty.WaitFor("-> granted"));
  EXPECT_EQ(pty.Wait(), 0);
  EXPECT_FALSE(Holds(pty.Screen(), kEnterScreen));
}

TEST_F(TerminalTest, NoColorMeansNone) {
  Request("t");
  environment_["NO_COLOR"] = "1";
  for (const bool plain : {false, true}) {
    Pty pty = plain ? At({"channel", "cli", "--plain"}) : Channel();
    ASSERT_TRUE(pty.WaitFor(kKeys));
    pty.TypeLater(plain ? "q\n" : "q");
    EXPECT_EQ(pty.Wait(), 0);
    EXPECT_FALSE(Holds(pty.Screen(), "\x1b[1m"));
    EXPECT_FALSE(Holds(pty.Screen(), "\x1b[33m"));
  }
}

TEST_F(TerminalTest, WatchRingsOnANewRequestAndStays) {
  Pty pty = At({"channel", "cli", "--watch"});
  ASSERT_TRUE(pty.WaitFor("nothing waits for an answer")) << pty.Screen();
  Request("t");
  ASSERT_TRUE(pty.WaitFor("\a")) << pty.Screen();
  ASSERT_TRUE(pty.WaitFor("Send an email"));
  pty.TypeLater("s");
  ASSERT_TRUE(pty.WaitFor("nothing new waits for an answer")) << pty.Screen();
  // Skipped ones can be asked about again.
  pty.TypeLater("a");
  ASSERT_TRUE(pty.WaitFor("Send an email"));
  // Somebody else answers.
  ASSERT_EQ(Run({"reject", "t:k", "--note", "no"}).exit, 0);
  ASSERT_TRUE(pty.WaitFor("was settled elsewhere: Rejected by human:alice")) << pty.Screen();
  ASSERT_TRUE(pty.WaitFor("nothing waits for an answer"));
  pty.TypeLater("q");
  EXPECT_EQ(pty.Wait(), 0);
  ExpectGivenBack(pty);
}

TEST_F(TerminalTest, TheTimeLeftCountsDownOnTheScreen) {
  PutPolicy("defaults:\n  autonomy: manual\n  approval_ttl: 68s\n");
  ASSERT_EQ(Run({"policy", "attest"}).exit, 0);
  Request("t");
  Pty pty = Channel();
  ASSERT_TRUE(pty.WaitFor("about 1 minute left")) << pty.Screen();
  ASSERT_TRUE(pty.WaitFor("less than a minute left", std::chrono::seconds(30))) << pty.Screen();
  pty.TypeLater("q");
  EXPECT_EQ(pty.Wait(), 0);
}

TEST_F(TerminalTest, InteractiveWithoutATerminalIsAUsageError) {
  Request("t");
  const auto refused = Run({"channel", "cli", "--interactive"}, "g\n\n");
  EXPECT_EQ(refused.exit, 2);
  EXPECT_TRUE(Holds(refused.err, "from a terminal only")) << refused.err;
  EXPECT_FALSE(Decided());
}

}  // namespace
}  // namespace approval
