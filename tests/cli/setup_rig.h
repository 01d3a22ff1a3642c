// A project in a temp folder, and `approval setup` at a terminal in it.
#pragma once

#include <filesystem>

#include "tests/cli/project.h"
#include "tests/support/pty.h"

namespace approval::testing {

class SetupTest : public ProjectTest {
 protected:
  void SetUp() override {
    environment_ = {{"APPROVAL_HUMAN", "human:alice"},
                    {"HOME", folder_.path()},
                    {"DBUS_SESSION_BUS_ADDRESS", "unix:path=" + folder_.Path("no-bus")}};
    ASSERT_EQ(Run({"init"}).exit, 0);
  }
  Pty At(std::vector<std::string> words) const {
    words.insert(words.begin(), ApprovalProgram());
    return Pty(words, folder_.path(), environment_);
  }
  std::string MapPath() const { return folder_.Path(kMap); }
  // Nothing while there is none, as with the log.
  std::string Map() const { return TextIfThere(kMap); }
  std::string LogBytes() const { return TextIfThere(kLog); }

 private:
  std::string TextIfThere(const char* name) const {
    const std::string path = folder_.Path(name);
    return std::filesystem::exists(path) ? ReadText(path) : "";
  }
};

// With a passphrase at hand, so that adapters can be set up.
class AdapterSetupTest : public SetupTest {
 protected:
  void SetUp() override {
    SetupTest::SetUp();
    environment_["APPROVAL_VAULT_PASSPHRASE"] = "pass";
  }
  // The names in the vault, one a line.
  std::string Names() const { return Run({"vault", "list"}).out; }
  std::string VaultBytes() const { return ReadText(folder_.Path(kVault)); }
  bool HasVault() const { return std::filesystem::exists(folder_.Path(kVault)); }
};

}  // namespace approval::testing

#define EXPECT_SEEN(pty, text) \
  ASSERT_TRUE((pty).WaitFor(text)) << "no \"" << (text) << "\" in\n" << (pty).Screen()
