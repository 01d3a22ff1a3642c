// Setup beside a real gnome-keyring on a session bus of its own (adapters.md 7.3, 8.105, 8.106).
#include "tests/cli/setup_rig.h"

namespace approval {
namespace {

using testing::Pty;

class KeyringSetup : public testing::SetupTest {
 protected:
  // `approval <words>` at a terminal, behind these lines of shell on an unlocked keyring.
  Pty OnBus(const std::string& before, const std::string& words) {
    ::mkdir(folder_.Path("run").c_str(), 0700);
    std::map<std::string, std::string> environment = environment_;
    environment.erase("DBUS_SESSION_BUS_ADDRESS");
    environment["XDG_RUNTIME_DIR"] = folder_.Path("run");
    environment["XDG_DATA_HOME"] = folder_.Path("data");
    return Pty({"dbus-run-session", "--", "/bin/sh", "-c",
                "printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1\n" +
                    before + "\n" + testing::ApprovalProgram() + " " + words},
               folder_.path(), environment);
  }
};

TEST_F(KeyringSetup, OnlyTheSourceGoesIntoTheFileAndTheSecretIntoTheKeyring) {
  Pty pty = OnBus("",
                  "setup vault; secret-tool search --all approval \"$(sed -n "
                  "'s/.*secret-service://p' .approval/env)\" 2>&1 | grep -c '^secret = '");
  EXPECT_SEEN(pty, "is in the keyring, as approval-vault-passphrase-");
  EXPECT_SEEN(pty, "next:");
  EXPECT_SEEN(pty, "1");
  EXPECT_EQ(pty.Wait(), 0);
  const std::string map = Map();
  EXPECT_EQ(map.find("APPROVAL_VAULT_PASSPHRASE=secret-service:approval-vault-passphrase-"), 0U);
  EXPECT_EQ(std::count(map.begin(), map.end(), '\n'), 1);
}

TEST_F(KeyringSetup, AKeyringThatDoesNotTakeTheSecretLeavesTheFileUntouched) {
  Pty pty = OnBus(
      "printf v | secret-tool store --label x approval x\n"
      "dbus-send --session --print-reply --dest=org.freedesktop.secrets /org/freedesktop/secrets "
      "org.freedesktop.Secret.Service.Lock "
      "array:objpath:/org/freedesktop/secrets/collection/login >/dev/null",
      "setup vault");
  EXPECT_SEEN(pty, "helper-failed");
  EXPECT_SEEN(pty, "locked");
  EXPECT_EQ(pty.Wait(), 4);
  EXPECT_EQ(Map(), "");
}

TEST_F(KeyringSetup, SamplingUsesTheNameThatThePolicyGives) {
  PutPolicy("audit:\n  supervised_sample_rate: 0.5\n  sampling_secret_env: MY_SAMPLE\n");
  Pty pty = OnBus("", "setup sampling");
  EXPECT_SEEN(pty, "next:");
  EXPECT_EQ(pty.Wait(), 0);
  EXPECT_EQ(Map().find("MY_SAMPLE=secret-service:approval-sampling-secret-"), 0U);
  EXPECT_EQ(pty.Screen().find("stays off"), std::string::npos);
}

}  // namespace
}  // namespace approval
