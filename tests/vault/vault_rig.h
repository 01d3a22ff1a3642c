// A vault in a temp folder, with keys that are derived quickly where a test asks for it.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/temp_folder.h"
#include "tests/support/vectors.h"
#include "vault/vault.h"

namespace approval::vault {

inline std::vector<std::string> NamesIn(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  return names;
}

inline base::Secret S(const char* text) { return base::Secret(std::string(text)); }

inline KdfHeader LightHeader(base::Random& random) {
  KdfHeader header = FreshHeader(random);
  header.n = 4096;
  return header;
}

inline std::string Sealed(const KdfHeader& kdf, const Entries& entries,
                          const base::Secret& passphrase, base::Random& random) {
  return *SealVaultText(kdf, entries, *DeriveVaultKey(kdf, passphrase), random);
}

class VaultTest : public ::testing::Test {
 protected:
  // A vault with `a` = 1 whose key is derived quickly; it keeps that when it is changed.
  void SeedLight() {
    Entries entries;
    entries.emplace("a", S("1"));
    folder_.Write("home/vault.enc", Sealed(LightHeader(random_), entries, pass_, random_));
    ASSERT_EQ(::chmod(path_.c_str(), 0600), 0);
  }
  std::string Bytes() const { return testing::ReadText(path_); }
  mode_t Mode() const {
    struct stat info {};
    return ::stat(path_.c_str(), &info) == 0 ? info.st_mode & 07777 : 0;
  }

  testing::TempFolder folder_;
  base::SystemRandom random_;
  std::string path_ = folder_.Path("home/vault.enc");
  Vault vault_{path_, random_};
  base::Secret pass_ = S("correct horse");
};

}  // namespace approval::vault
