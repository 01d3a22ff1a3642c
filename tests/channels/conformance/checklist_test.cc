// Lines of the checklist that every channel keeps, each on all three over their real code, a real
// log and the real gate (channels.md 8).
#include <gtest/gtest.h>

#include "core/base/files.h"
#include "core/base/sha256.h"
#include "render/canonical_block.h"
#include "render/card.h"
#include "render/queue_file.h"
#include "tests/channels/conformance/harnesses.h"
#include "tests/channels/conformance/texts.h"
#include "tests/support/raw_scan.h"

namespace approval::testing {
namespace {

constexpr const char* kKey = "task-1:chaser";

std::vector<MakeChannel> Channels() {
  return {PageUnderTest, TerminalUnderTest, TelegramUnderTest};
}

// The check of the suite, on every channel.
void ExpectKept(int check) {
  for (const MakeChannel& make : Channels()) {
    const Finding finding = CheckOne(make, check);
    EXPECT_EQ(finding.check, 0) << finding.what;
  }
}

// What stands below the folder of the payloads under the hash of the letter.
std::string StoredName(const Bench& bench) {
  return bench.rig.folder.Path("payloads/" + HashOf(Letter()) + ".json");
}

// channels.md 8.1
TEST(EveryChannel, ShowsEachFieldAsWhatItIsTagged) { ExpectKept(1); }

// channels.md 8.5, 8.6
TEST(EveryChannel, ShowsNothingOfAChangedStoreFileAndTheQueueNamesTheMismatch) {
  for (const MakeChannel& make : Channels()) {
    Bench bench;
    ASSERT_TRUE(bench.Ask(kKey));
    ASSERT_TRUE(base::ReadFile(StoredName(bench)));
    bench.rig.folder.Write("payloads/" + HashOf(Letter()) + ".json",
                           R"({"to":["other@example.org"],"subject":"s","body":"b"})");
    const auto channel = make(bench);
    EXPECT_TRUE(channel->Show().empty());
    const auto view = bench.Look();
    ASSERT_EQ(view->skipped.size(), 1U);
    EXPECT_EQ(view->skipped[0].error.code, base::Code::kPayloadMismatch);
    EXPECT_EQ(view->skipped[0].error.message.find("other@"), std::string::npos);
  }
}

// channels.md 8.9
TEST(EveryChannel, ShowsNothingOfALogThatDoesNotVerify) {
  for (const MakeChannel& make : Channels()) {
    Bench bench;
    ASSERT_TRUE(bench.Ask(kKey));
    std::string bytes = *base::ReadFile(bench.rig.gate.log_path());
    bytes.replace(bytes.find("agent:claude"), 12, "agent:clAude");
    bench.rig.folder.Write("log/events.jsonl", bytes);
    const auto channel = make(bench);
    EXPECT_TRUE(channel->Show().empty());
    const auto view = bench.Look();
    ASSERT_TRUE(view->stopped);
    EXPECT_EQ(view->stopped->code, base::Code::kLogCorrupt);
    EXPECT_TRUE(view->requests.empty());
  }
}

// channels.md 8.12
TEST(EveryChannel, OneGestureIsOneEventOfAHumanForTheKeyWithoutABatchAndNoTokenIsTold) {
  ExpectKept(4);
}

// channels.md 8.14
TEST(EveryChannel, ASecondGestureIsAlreadyDecidedAndAppendsNothing) { ExpectKept(7); }

// channels.md 8.21
TEST(EveryChannel, AWithdrawnRequestCannotBeGranted) { ExpectKept(6); }

// channels.md 8.22
TEST(EveryChannel, ShowsHowLongTheRequestWaitsAsAComputedSentence) {
  for (const MakeChannel& make : Channels()) {
    Bench bench;
    ASSERT_TRUE(bench.Ask(kKey));
    const auto channel = make(bench);
    const std::vector<Rendered> shown = channel->Show();
    ASSERT_EQ(shown.size(), 1U);
    const auto view = bench.Look();
    const gate::RequestModel& request = view->requests.at(0);
    EXPECT_EQ(request.waiting.source, "clock");
    const std::string sentence = render::BuildCard(request, view->now_ms, {}).deadline;
    EXPECT_NE(sentence.find("until "), std::string::npos);
    EXPECT_NE(shown[0].text.find(sentence), std::string::npos)
        << channel->name() << ": " << sentence << "\n"
        << shown[0].text;
    // On lines of its own, not among what somebody says.
    const std::size_t at = shown[0].text.find(sentence);
    const std::size_t line = shown[0].text.rfind('\n', at) + 1;
    EXPECT_EQ(shown[0].text.substr(line, at - line).find("says"), std::string::npos);
  }
}

// channels.md 8.33
TEST(EveryChannel, ShowsTheSameBytesUnderTheSameDigest) {
  const auto block = render::CanonicalBlock(Letter(), "communicate.email.external");
  ASSERT_TRUE(block);
  for (const MakeChannel& make : Channels()) {
    Bench bench;
    ASSERT_TRUE(bench.Ask(kKey));
    const auto channel = make(bench);
    const std::vector<Rendered> shown = channel->Show();
    ASSERT_EQ(shown.size(), 1U);
    EXPECT_EQ(shown[0].payload, block->text) << channel->name();
    EXPECT_EQ(base::Sha256Hex(shown[0].payload), block->display_hash) << channel->name();
    EXPECT_NE(shown[0].text.find(block->display_hash), std::string::npos) << channel->name() << "\n"
                                                                          << shown[0].text;
  }
}

// channels.md 8.39
TEST(EveryChannel, MarksWhatCannotBeSeenAndShowsNoneOfItRaw) {
  const std::vector<std::pair<std::string, std::string>> hidden = {
      {"\u202A", "«U+202A»"},      {"\u202E", "«U+202E»"},
      {"\u2066", "«U+2066»"},      {"\u2069", "«U+2069»"},
      {"\u200B", "«U+200B»"},      {"\u200F", "«U+200F»"},
      {"\uFEFF", "«U+FEFF»"},      {"\u00AD", "«U+00AD»"},
      {"\U000E0041", "«U+E0041»"}, {std::string(1, '\0'), "«U+0000»"},
      {"\a", "«U+0007»"},          {"\x1b", "«U+001B»"},
      {"\r", "«U+000D»"}};
  std::string text;
  std::string marked;
  for (const auto& [raw, mark] : hidden) {
    text += "x" + raw;
    marked += "x" + mark;
  }
  for (const MakeChannel& make : Channels()) {
    Bench bench;
    ASSERT_TRUE(bench.Ask(kKey, Letter(text + "y"), text + "z"));
    const auto channel = make(bench);
    const std::vector<Rendered> shown = channel->Show();
    ASSERT_EQ(shown.size(), 1U);
    EXPECT_NE(shown[0].payload.find("│ " + marked + "y"), std::string::npos) << channel->name();
    EXPECT_NE(shown[0].text.find(marked + "z"), std::string::npos) << channel->name() << "\n"
                                                                   << shown[0].text;
    EXPECT_EQ(RawFault(shown[0].text), "") << channel->name();
    const auto view = bench.Look();
    render::QueueFileInput file;
    file.requests = view->requests;
    file.now_ms = view->now_ms;
    const std::string queue_file = render::QueueFile(file);
    EXPECT_EQ(RawFault(queue_file), "");
    EXPECT_NE(queue_file.find(marked + "z"), std::string::npos);
  }
}

// channels.md 8.46
TEST(EveryChannel, ThePageAndTheChatOfferNoGrantControlForWhatTheyCannotShowWhole) {
  constexpr const char* kSign = "\nApprove: ";
  Bench bench;
  ASSERT_TRUE(bench.Ask(kKey));
  const auto page = PageUnderTest(bench);
  std::vector<Rendered> shown = page->Show();
  ASSERT_EQ(shown.size(), 1U);
  EXPECT_NE(shown[0].text.find(kSign), std::string::npos) << shown[0].text;
  bench.runtime.SpoilPayloads();
  shown = page->Show();
  ASSERT_EQ(shown.size(), 1U);
  EXPECT_EQ(shown[0].text.find(kSign), std::string::npos) << shown[0].text;
  const auto chat = TelegramUnderTest(bench);
  ASSERT_EQ(chat->Show().size(), 1U);
  EXPECT_EQ(chat->Press(kKey, channels::Gesture::kGrant), "no such button");
}

// channels.md 8.46
TEST(EveryChannel, TheTerminalOffersNoKeyForItAndAnswersThatKeyWithWhy) {
  Bench bench;
  ASSERT_TRUE(bench.Ask(kKey));
  const auto terminal = TerminalUnderTest(bench);
  std::vector<Rendered> shown = terminal->Show();
  ASSERT_EQ(shown.size(), 1U);
  EXPECT_NE(shown[0].text.find("g approve"), std::string::npos) << shown[0].text;
  bench.runtime.SpoilPayloads();
  shown = terminal->Show();
  ASSERT_EQ(shown.size(), 1U);
  EXPECT_EQ(shown[0].text.find("g approve"), std::string::npos) << shown[0].text;
  const std::size_t before = bench.rig.Count();
  EXPECT_NE(terminal->Press(kKey, channels::Gesture::kGrant).find("cannot show every byte"),
            std::string::npos);
  EXPECT_TRUE(bench.runtime.seen().empty());
  EXPECT_EQ(bench.rig.Count(), before);
}

// channels.md 8.46
TEST(EveryChannel, GrantsNothingThatItCouldNotShowWhole) { ExpectKept(10); }

}  // namespace
}  // namespace approval::testing
