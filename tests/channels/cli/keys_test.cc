// Bytes of a raw terminal as keys, whole and in pieces.
#include "channels/cli/keys.h"

#include <gtest/gtest.h>

#include <random>

namespace approval::channels::cli {
namespace {

using Kind = Key::Kind;

std::vector<Kind> KindsOf(const std::vector<Key>& keys) {
  std::vector<Kind> out;
  for (const Key& key : keys) out.push_back(key.kind);
  return out;
}

TEST(Keys, LettersAndControlsAreKeys) {
  KeyDecoder decoder;
  EXPECT_EQ(KindsOf(decoder.Feed("gя\r\x7f\x15\x04\x0c\x01")),
            (std::vector<Kind>{Kind::kText, Kind::kText, Kind::kEnter, Kind::kBackspace,
                               Kind::kKillLine, Kind::kEndOfInput, Kind::kRedraw, Kind::kOther}));
}

TEST(Keys, ArrowsAndPagesAreKeysInBothOfTheirForms) {
  KeyDecoder decoder;
  EXPECT_EQ(KindsOf(decoder.Feed("\x1b[A\x1bOB\x1b[5~\x1b[6~\x1b[H\x1b[4~")),
            (std::vector<Kind>{Kind::kUp, Kind::kDown, Kind::kPageUp, Kind::kPageDown, Kind::kHome,
                               Kind::kEnd}));
}

// FR-109: the letters of an escape sequence (a focus change, a mouse, a function key) answer
// nothing.
TEST(Keys, AnUnknownSequenceLeavesNoLettersBehind) {
  for (const std::string sequence :
       {"\x1b[I", "\x1b[O", "\x1b[15~", "\x1b[<0;10;10M", "\x1b[1;5C", "\x1bOP", "\x1bg"}) {
    KeyDecoder decoder;
    EXPECT_EQ(KindsOf(decoder.Feed(sequence)), std::vector<Kind>{Kind::kOther}) << sequence;
  }
}

TEST(Keys, APasteIsOneKeyHoweverItArrives) {
  const std::string bytes = "\x1b[200~g\ryes\r\x1b[A\x1b[201~s";
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    KeyDecoder decoder;
    auto keys = decoder.Feed(bytes.substr(0, cut));
    for (const Key& key : decoder.Feed(bytes.substr(cut))) keys.push_back(key);
    ASSERT_EQ(KindsOf(keys), (std::vector<Kind>{Kind::kPaste, Kind::kText})) << cut;
    EXPECT_EQ(keys.at(0).text, "g\ryes\r\x1b[A");
  }
}

TEST(Keys, APauseTurnsALoneEscapeIntoItsKeyAndForgetsHalfASequence) {
  KeyDecoder decoder;
  EXPECT_TRUE(decoder.Feed("\x1b").empty());
  EXPECT_EQ(KindsOf(decoder.Pause()), std::vector<Kind>{Kind::kEscape});
  EXPECT_TRUE(decoder.Feed("\x1b[1").empty());
  EXPECT_EQ(KindsOf(decoder.Pause()), std::vector<Kind>{Kind::kOther});
  EXPECT_EQ(KindsOf(decoder.Feed("g")), std::vector<Kind>{Kind::kText});
}

TEST(Keys, AnOpenPasteStaysOpenAcrossAPause) {
  KeyDecoder decoder;
  EXPECT_TRUE(decoder.Feed("\x1b[200~g").empty());
  EXPECT_TRUE(decoder.Pause().empty());
  EXPECT_EQ(KindsOf(decoder.Feed("\r\x1b[201~")), std::vector<Kind>{Kind::kPaste});
}

TEST(Keys, EveryByteStringGivesKeysAndNothingIsKeptForEver) {
  std::mt19937 random(5);
  for (int i = 0; i < 3000; ++i) {
    KeyDecoder decoder;
    std::string bytes;
    for (std::size_t n = random() % 40; n > 0; --n) {
      bytes += random() % 3 == 0 ? '\x1b' : static_cast<char>(random());
    }
    decoder.Feed(bytes);
    decoder.Pause();
    decoder.Feed("\x1b[201~");
    decoder.Pause();
    ASSERT_FALSE(decoder.waits());
  }
}

}  // namespace
}  // namespace approval::channels::cli
