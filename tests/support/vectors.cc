#include "tests/support/vectors.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "core/base/json.h"

namespace approval::testing {

std::filesystem::path VectorsDir() {
  if (const char* named = std::getenv("APPROVAL_VECTORS"); named != nullptr && *named != '\0') {
    return named;
  }
  return std::filesystem::path(APPROVAL_SOURCE_DIR) / ".." / "shared" / "vectors";
}

bool VectorsPresent() { return std::filesystem::is_directory(VectorsDir()); }

bool InCi() { return std::getenv("CI") != nullptr; }

std::string ReadText(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in.good()) << "cannot read " << path;
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

boost::json::value ReadJsonFile(const std::filesystem::path& path) {
  auto parsed = base::ParseJson(ReadText(path), base::kLenientJson);
  EXPECT_TRUE(parsed.has_value()) << path << ": " << (parsed ? "" : parsed.error().message);
  return parsed ? *parsed : boost::json::value();
}

}  // namespace approval::testing
