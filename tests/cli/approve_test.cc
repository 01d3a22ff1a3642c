// `approval approve`: one question `[y/N/?]` a request, at a terminal.
#include "tests/cli/terminal_rig.h"

namespace approval {
namespace {

using testing::Holds;
using testing::Letter;
using testing::Pty;
using ApproveTest = testing::TerminalTest;

TEST_F(ApproveTest, ApproveTakesYesAndNothingElse) {
  Request("t");
  for (const char* word : {"", "n", "yess", "approve", "g", "Y e s"}) {
    Pty pty = At({"approve", "t:k"});
    ASSERT_TRUE(pty.WaitFor("approve? [y/N/?] ")) << pty.Screen();
    pty.TypeLater(std::string(word) + "\n");
    ASSERT_TRUE(pty.WaitFor("not approved; it stays pending")) << pty.Screen();
    EXPECT_EQ(pty.Wait(), 1) << word;
  }
  EXPECT_FALSE(Decided());
  Pty pty = At({"approve", "t:k"});
  ASSERT_TRUE(pty.WaitFor("[y/N/?] "));
  pty.TypeLater("?\n");
  ASSERT_TRUE(pty.WaitFor("display hash"));
  ASSERT_TRUE(pty.WaitFor("[y/N/?] "));
  pty.TypeLater("y\n");
  ASSERT_TRUE(pty.WaitFor("-> granted at seq 4")) << pty.Screen();
  EXPECT_EQ(pty.Wait(), 0);
}

TEST_F(ApproveTest, ApproveGoesThroughTheQueueOneByOneAndStopsAtTheEndOfInput) {
  Request("a");
  Request("b");
  Request("c");
  Pty pty = At({"approve"});
  ASSERT_TRUE(pty.WaitFor("1 of 3"));
  ASSERT_TRUE(pty.WaitFor("[y/N/?] "));
  pty.TypeLater("y\n");
  ASSERT_TRUE(pty.WaitFor("a:k -> granted"));
  ASSERT_TRUE(pty.WaitFor("2 of 3"));
  ASSERT_TRUE(pty.WaitFor("[y/N/?] "));
  pty.TypeLater("\x04");
  ASSERT_TRUE(pty.WaitFor("end of input: nothing recorded"));
  EXPECT_EQ(pty.Wait(), 0);
  EXPECT_EQ(Answer(Run({"queue", "--json"}).out).at("pending").as_array().size(), 2U);
}

TEST_F(ApproveTest, ApproveOfAWarnedRequestTakesTheWholeWord) {
  Request("t", Letter("pаypal"));
  Pty pty = At({"approve"});
  ASSERT_TRUE(pty.WaitFor("[yes/N/?] ")) << pty.Screen();
  pty.TypeLater("y\n");
  ASSERT_TRUE(pty.WaitFor("not approved"));
  EXPECT_EQ(pty.Wait(), 0);
  EXPECT_FALSE(Decided());
}

TEST_F(ApproveTest, ApproveOfWhatDoesNotWaitSaysSo) {
  Pty pty = At({"approve", "t:k"});
  EXPECT_EQ(pty.Wait(), 1);
  EXPECT_TRUE(Holds(pty.Screen(), "not-awaiting")) << pty.Screen();
}

TEST_F(ApproveTest, ApproveWithoutATerminalIsAUsageError) {
  Request("t");
  EXPECT_EQ(Run({"approve", "t:k"}, "yes\n").exit, 2);
  EXPECT_EQ(Run({"approve", "t:k", "--json"}, "yes\n").exit, 2);
  EXPECT_FALSE(Decided());
}

}  // namespace
}  // namespace approval
