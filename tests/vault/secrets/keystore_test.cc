// The keystore against a real gnome-keyring on a private session bus.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/support/process.h"
#include "tests/support/temp_folder.h"

namespace approval::secrets {
namespace {

using testing::RunResult;

class KeystoreTest : public ::testing::Test {
 protected:
  // Runs a shell script on a session bus of its own; the keyring lives in the temp folder.
  RunResult OnBus(const std::string& script) const {
    testing::RunOptions options = Options();
    return testing::RunProcess({"dbus-run-session", "--", "/bin/sh", "-c", script}, options);
  }
  testing::RunOptions Options() const {
    ::mkdir(folder_.Path("run").c_str(), 0700);
    testing::RunOptions options;
    options.folder = folder_.path();
    options.environment = {{"HOME", folder_.path()},
                           {"XDG_DATA_HOME", folder_.Path("data")},
                           {"XDG_RUNTIME_DIR", folder_.Path("run")},
                           {"KS", std::string(APPROVAL_BIN_DIR) + "/keystore"}};
    return options;
  }
  static std::string Unlocked() {
    return "printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1\n";
  }
  testing::TempFolder folder_;
};

TEST_F(KeystoreTest, SecretToolFindsWhatWeStored) {
  const RunResult run = OnBus(
      Unlocked() + "printf 'v 1' | $KS store own-item && secret-tool lookup approval own-item");
  EXPECT_EQ(run.out, "v 1") << run.err;
}

TEST_F(KeystoreTest, WeFindWhatSecretToolStoredWithoutItsLineEnd) {
  const RunResult run =
      OnBus(Unlocked() +
            "echo theirs | secret-tool store --label their-item approval their-item\n"
            "$KS lookup their-item");
  EXPECT_EQ(run.out, "theirs\n") << run.err;
}

TEST_F(KeystoreTest, ReplacingLeavesOneItemForBoth) {
  const RunResult run = OnBus(Unlocked() +
                              "printf one | secret-tool store --label i approval i\n"
                              "printf two | $KS store i\n"
                              "secret-tool lookup approval i; echo; $KS lookup i");
  EXPECT_EQ(run.out, "two\ntwo\n") << run.err;
}

TEST_F(KeystoreTest, FR176_NoItemNoServiceNoBusAndLockedAreToldApart) {
  const RunResult missing = OnBus(Unlocked() + "$KS lookup nothing");
  EXPECT_EQ(missing.out.find("helper-item-missing"), 0U) << missing.out;
  // A bus without anybody who serves secrets: nothing may be started on demand.
  const RunResult no_service = testing::RunProcess(
      {"/bin/sh", "-c",
       "cat >bus.conf <<'X'\n<busconfig><listen>unix:tmpdir=/tmp</listen><policy "
       "context=\"default\"><allow send_destination=\"*\"/><allow own=\"*\"/></policy>"
       "</busconfig>\nX\ndbus-run-session --config-file=bus.conf -- $KS lookup x"},
      Options());
  EXPECT_EQ(no_service.out.find("helper-failed"), 0U) << no_service.out << no_service.err;
  testing::RunOptions alone = Options();
  alone.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=" + folder_.Path("no-such-bus");
  const RunResult no_bus =
      testing::RunProcess({std::string(APPROVAL_BIN_DIR) + "/keystore", "lookup", "x"}, alone);
  EXPECT_EQ(no_bus.out.find("helper-failed"), 0U) << no_bus.out;
  EXPECT_NE(no_bus.out.find("no keyring can be reached"), std::string::npos) << no_bus.out;
  const RunResult locked =
      OnBus(Unlocked() +
            "printf v | $KS store x\n"
            "dbus-send --session --print-reply --dest=org.freedesktop.secrets "
            "/org/freedesktop/secrets org.freedesktop.Secret.Service.Lock "
            "array:objpath:/org/freedesktop/secrets/collection/login >/dev/null\n"
            "$KS lookup x");
  EXPECT_EQ(locked.out.find("helper-failed"), 0U) << locked.out << locked.err;
  EXPECT_NE(locked.out.find("locked"), std::string::npos) << locked.out;
}

}  // namespace
}  // namespace approval::secrets
