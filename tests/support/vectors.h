// Finds the test vectors that are handed to the project beside its checkout.
//
// VectorsDir returns the folder named by APPROVAL_VECTORS, else <source>/../shared/vectors. When it
// does not exist, APPROVAL_REQUIRE_VECTORS fails the test under CI and skips it elsewhere.
#pragma once

#include <filesystem>
#include <string>

#include <boost/json/value.hpp>

namespace approval::testing {

std::filesystem::path VectorsDir();
bool VectorsPresent();
bool InCi();

// The whole file; fails the calling test with a message when it cannot be read.
std::string ReadText(const std::filesystem::path& path);

// The file parsed as JSON; duplicates allowed, since vectors hold deliberately odd documents.
boost::json::value ReadJsonFile(const std::filesystem::path& path);

}  // namespace approval::testing

#define APPROVAL_REQUIRE_VECTORS()                                                \
  do {                                                                            \
    if (!::approval::testing::VectorsPresent()) {                                 \
      if (::approval::testing::InCi()) {                                          \
        FAIL() << "vectors missing at " << ::approval::testing::VectorsDir();     \
      }                                                                           \
      GTEST_SKIP() << "vectors missing at " << ::approval::testing::VectorsDir(); \
    }                                                                             \
  } while (false)
