// Every shape's block, byte for byte (tests/render/golden): output that changes is another
// renderer's, and needs another name.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "render/canonical_block.h"
#include "tests/render/payloads.h"
#include "tests/support/vectors.h"

namespace approval::render {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> Payloads() {
  std::vector<fs::path> out;
  for (const auto& entry :
       fs::directory_iterator(fs::path(APPROVAL_SOURCE_DIR) / "tests/render/golden")) {
    if (entry.path().extension() == ".json") out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

Canonical BlockOf(const fs::path& file) {
  const auto block =
      CanonicalBlock(Parsed(testing::ReadText(file)), "golden." + file.stem().string());
  EXPECT_TRUE(block.has_value()) << file;
  return block ? *block : Canonical{};
}

// channels.md 8.34
TEST(Golden, EachBlockIsTheStoredOne) {
  for (const fs::path& file : Payloads()) {
    fs::path text = file;
    EXPECT_EQ(BlockOf(file).text + "\n", testing::ReadText(text.replace_extension(".txt"))) << file;
  }
}

TEST(Golden, EachFileIsNamedAfterItsShapeAndEveryShapeHasOne) {
  std::set<Shape> shapes;
  for (const fs::path& file : Payloads()) {
    const Shape shape = BlockOf(file).shape;
    EXPECT_TRUE(file.stem().string().starts_with(Spelling(shape))) << file;
    shapes.insert(shape);
  }
  EXPECT_EQ(shapes.size(), 10u);
}

TEST(Golden, TheDocumentShowsAStoredBlockAndNamesEveryShape) {
  const fs::path root(APPROVAL_SOURCE_DIR);
  const std::string document = testing::ReadText(root / "docs/rendering.md");
  for (const char* name : {"http.json", "http.txt"}) {
    const std::string stored = testing::ReadText(root / "tests/render/golden" / name);
    EXPECT_NE(document.find("\n" + stored + "```"), std::string::npos) << name;
  }
  for (const fs::path& file : Payloads()) {
    const std::string row = "| `" + std::string(Spelling(BlockOf(file).shape)) + "` |";
    EXPECT_NE(document.find(row), std::string::npos) << row;
  }
}

}  // namespace
}  // namespace approval::render
