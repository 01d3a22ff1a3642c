// The screens in docs/terminal.md, made by the real program in a real terminal emulator.
//
// APPROVAL_UPDATE_SCREENS=1 writes them anew; otherwise they must be what is there.
#include <chrono>
#include <cstdlib>
#include <regex>
#include <thread>

#include "core/base/files.h"
#include "tests/cli/project.h"

namespace approval {
namespace {

const std::string kDocument = std::string(APPROVAL_SOURCE_DIR) + "/docs/terminal.md";

// A terminal emulator with a server of its own; another width is another server, since one that was
// told to end may still be there.
class Tmux {
 public:
  Tmux(const testing::TempFolder& folder, int columns, int rows, const std::string& command)
      : socket_(folder.Path("tmux-" + std::to_string(columns))), folder_(folder.path()) {
    Call({"-u", "-f", "/dev/null", "new-session", "-d", "-x", std::to_string(columns), "-y",
          std::to_string(rows), command});
  }
  ~Tmux() { Call({"kill-server"}); }
  Tmux(const Tmux&) = delete;
  Tmux& operator=(const Tmux&) = delete;

  // After the time that a person needs to read.
  void Press(const std::string& keys) {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    Call({"send-keys", keys});
  }
  // The screen once it holds the text.
  std::string Screen(const std::string& text) {
    std::string screen;
    for (int i = 0; i < 150; ++i) {
      screen = Call({"capture-pane", "-p"}).out;
      if (screen.find(text) != std::string::npos) return screen;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    ADD_FAILURE() << "never shown: " << text << "\n" << screen;
    return screen;
  }

 private:
  testing::RunResult Call(std::vector<std::string> words) {
    words.insert(words.begin(), {"tmux", "-S", socket_});
    testing::RunOptions options;
    options.folder = folder_;
    options.environment = {{"LANG", "C.UTF-8"}, {"TERM", "screen"}};
    return testing::RunProcess(words, options);
  }

  std::string socket_;
  std::string folder_;
};

// Without the times of this run, empty rows in a row, and the empty end.
std::string Settled(std::string screen) {
  screen = std::regex_replace(screen, std::regex("[0-9][0-9]:[0-9][0-9] UTC"), "18:05 UTC");
  screen = std::regex_replace(screen, std::regex("23h 59m left"), "24h 0m left");
  screen = std::regex_replace(screen, std::regex("\n{3,}"), "\n\n");
  while (!screen.empty() && screen.back() == '\n') screen.pop_back();
  return screen + "\n";
}

class TerminalScreens : public testing::ProjectTest {
 protected:
  void SetUp() override {
    StartAttested("defaults:\n  autonomy: manual\n  approval_ttl: 24h\n");
    Register("chaser", "communicate.email.external",
             base::JsonObject{{"to", base::JsonArray{"agency@example.co.uk", "me@exаmple.org"}},
                              {"subject", "Deposit refund chaser"},
                              {"body",
                               "Hello,\n\nFollowing up on the deposit refund, now 21 days "
                               "late. Please let me know when it will be paid.\n\nSam"}});
    ASSERT_EQ(Ask("chaser").exit, 0);
  }

  std::string Command(const std::string& words) const {
    return "env APPROVAL_HUMAN=human:alice NO_COLOR=1 " + testing::ApprovalProgram() + " " + words +
           "; sleep 60";
  }

  // The document holds this screen under this name.
  static void Compare(const std::string& name, const std::string& screen) {
    std::string document = testing::ReadText(kDocument);
    const std::string begin = "<!-- screen " + name + " -->\n```\n";
    const std::size_t at = document.find(begin);
    ASSERT_NE(at, std::string::npos) << name;
    const std::size_t from = at + begin.size();
    const std::size_t to = document.find("```\n", from);
    ASSERT_NE(to, std::string::npos) << name;
    if (std::getenv("APPROVAL_UPDATE_SCREENS") != nullptr) {
      ASSERT_FALSE(HasFailure()) << "not written";
      document.replace(from, to - from, Settled(screen));
      const auto done = base::ReplaceFile(kDocument, document);
      ASSERT_TRUE(done);
      return;
    }
    EXPECT_EQ(document.substr(from, to - from), Settled(screen)) << name;
  }
};

TEST_F(TerminalScreens, TheCardAtFortyEightyAndTwoHundredColumns) {
  for (const int columns : {40, 80, 200}) {
    Tmux tmux(folder_, columns, columns == 40 ? 40 : 24, Command("channel cli"));
    Compare("card-" + std::to_string(columns), tmux.Screen("g approve"));
  }
}

TEST_F(TerminalScreens, TheHelpAndTheExactBytes) {
  Tmux tmux(folder_, 80, 40, Command("channel cli"));
  tmux.Screen("g approve");
  tmux.Press("?");
  Compare("help-80", tmux.Screen("goes on with the line above it."));
  tmux.Press("p");
  Compare("bytes-80", tmux.Screen("display hash"));
}

TEST_F(TerminalScreens, OneQuestion) {
  Tmux tmux(folder_, 80, 30, Command("approve chaser:k"));
  Compare("approve-80", tmux.Screen("/N/?]"));
}

TEST_F(TerminalScreens, TheQueue) {
  Register("migrate", "deploy.production",
           base::JsonObject{{"command", "make migrate"}, {"cwd", "/srv/app"}});
  ASSERT_EQ(Ask("migrate").exit, 0);
  Tmux tmux(folder_, 80, 24, Command("queue"));
  Compare("queue-80", tmux.Screen("migrate"));
}

}  // namespace
}  // namespace approval
