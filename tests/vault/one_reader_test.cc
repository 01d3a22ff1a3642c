// Who may read values: the sources themselves are the evidence.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/support/vectors.h"

namespace approval::vault {
namespace {

namespace fs = std::filesystem;

// Source files below the folders of the product that hold the text.
std::vector<std::string> FilesWith(const std::string& text) {
  std::vector<std::string> found;
  const fs::path root(APPROVAL_SOURCE_DIR);
  for (const char* room : {"core", "render", "channels", "vault", "gateway"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / room)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".cc" && extension != ".h") continue;
      if (testing::ReadText(entry.path()).find(text) == std::string::npos) continue;
      found.push_back(fs::relative(entry.path(), root).string());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

TEST(VaultSources, OnlyTheCredentialWindowReadsValues) {
  EXPECT_EQ(FilesWith("Unlock("), (std::vector<std::string>{"vault/adapters/credentials.cc",
                                                            "vault/vault.cc", "vault/vault.h"}));
}

TEST(VaultSources, OnlyTheVaultOpensAndSealsItsFile) {
  EXPECT_EQ(FilesWith("OpenVaultText("),
            (std::vector<std::string>{"vault/vault.cc", "vault/vault_format.cc",
                                      "vault/vault_format.h"}));
}

}  // namespace
}  // namespace approval::vault
