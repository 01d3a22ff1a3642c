// `approval setup service` at a terminal: the unit that it shows, writes and removes
// (adapters.md 7.5).
#include "tests/cli/setup_rig.h"

namespace approval {
namespace {

using testing::Pty;

class ServiceSetup : public testing::SetupTest {};

TEST_F(ServiceSetup, TheUnitIsShownBeforeItIsWrittenAndNothingIsStarted) {
  Pty pty = At({"setup", "service"});
  EXPECT_SEEN(pty, "ExecStart=/bin/sh -lc");
  EXPECT_SEEN(pty, "NoNewPrivileges=yes");
  EXPECT_SEEN(pty, "Write it?");
  const std::string unit = folder_.Path(".config/systemd/user/approval-up.service");
  EXPECT_FALSE(std::filesystem::exists(unit));
  pty.TypeLater("y\n");
  EXPECT_SEEN(pty, "systemctl --user enable --now approval-up.service");
  EXPECT_EQ(pty.Wait(), 0);
  const std::string text = testing::ReadText(unit);
  EXPECT_NE(text.find("WorkingDirectory=" + folder_.path()), std::string::npos) << text;
  EXPECT_NE(text.find("up --json --no-login-link"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(folder_.Path(".local/state/approval")));
  Pty removal = At({"setup", "service", "--uninstall"});
  EXPECT_SEEN(removal, "disable --now");
  removal.TypeLater("y\n");
  EXPECT_EQ(removal.Wait(), 0);
  EXPECT_FALSE(std::filesystem::exists(unit));
}

TEST_F(ServiceSetup, LogsInsideTheLogsHomeAndQuotesInPathsAreRefused) {
  for (const std::string logs : {".approval/service", "it's"}) {
    Pty pty = At({"setup", "service", "--logs", logs});
    EXPECT_SEEN(pty, "usage");
    EXPECT_EQ(pty.Wait(), 2);
  }
}

}  // namespace
}  // namespace approval
