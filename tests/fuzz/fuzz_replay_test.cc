// The fuzz targets' checks over seeds that once failed or stand for a shape, and over random inputs
// from a fixed seed, for machines without a fuzzer.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/fuzz/checks.h"
#include "tests/render/random_text.h"

namespace approval::fuzz {
namespace {

constexpr int kInputs = 1500;

std::vector<std::string> Seeds() {
  std::vector<std::string> seeds;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(APPROVAL_SOURCE_DIR) / "tests/fuzz/corpus")) {
    std::ifstream file(entry.path(), std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return seeds;
}

// A shape's byte, then lengths and texts as the generator reads them.
std::string RandomInput(render::RandomText& random) {
  std::string out(1, static_cast<char>(random.Below(10)));
  for (std::size_t parts = 1 + random.Below(8); parts > 0; --parts) {
    const std::string text = random.Text(random.Below(8) == 0 ? 200 : 12);
    out.push_back(static_cast<char>(random.Below(2) == 0 ? text.size() : random.Below(256)));
    out += text;
  }
  return out;
}

using Check = std::string (*)(std::string_view);

void Replay(Check check, std::uint32_t seed) {
  for (const std::string& input : Seeds()) ASSERT_EQ(check(input), "") << input;
  render::RandomText random(seed);
  for (int i = 0; i < kInputs; ++i) {
    const std::string input = RandomInput(random);
    ASSERT_EQ(check(input), "") << "input " << i << ": " << input;
  }
}

TEST(FuzzReplay, SeedsAreThere) { EXPECT_GE(Seeds().size(), 10U); }

TEST(FuzzReplay, QuotedTextComesBackAndCutsEndBetweenClusters) { Replay(CheckQuoting, 101); }

TEST(FuzzReplay, CommandsAndAddressesAreReadWithoutRawBytes) { Replay(CheckCommand, 102); }

TEST(FuzzReplay, TheCanonicalBlockGivesThePayloadBack) { Replay(CheckBlock, 103); }

TEST(FuzzReplay, TheTerminalsRowsGiveTheBlockBack) { Replay(CheckTerminal, 104); }

TEST(FuzzReplay, TheTelegramCardIsBalancedAndHoldsEveryByteOrSaysSo) { Replay(CheckTelegram, 105); }

TEST(FuzzReplay, ThePageIsBalancedAndGivesTheBlockBack) { Replay(CheckPage, 106); }

TEST(FuzzReplay, TheQueueFileKeepsItsLinesAndSpans) { Replay(CheckQueueFile, 107); }

TEST(FuzzReplay, TheScannerFindsWhatMayNotBeRaw) {
  for (const char* bad : {"\x1b[2J", "a\u202Eb", "a\u200Bb", "\xFF", "a\u00A0b", "\u0301", "\r",
                          "a\u200Db", "e\u0301\u0301\u0301\u0301\u0301\u0301"}) {
    EXPECT_NE(RawFault(bad), "") << bad;
  }
  EXPECT_EQ(RawFault("e\u0301 \U0001F468\u200D\U0001F469 \u2764\uFE0F\n1\uFE0F\u20E3"), "");
}

}  // namespace
}  // namespace approval::fuzz
