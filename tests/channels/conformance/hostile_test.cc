// The hostile payloads of the shared vectors on every surface, each over its real code: what a
// person reads there is the quoted payload, whole, and nothing in it acts (channels.md 2.9,
// FR-108).
#include <gtest/gtest.h>

#include <charconv>

#include "core/base/utf8.h"
#include "core/gate/pending.h"
#include "render/card.h"
#include "render/queue_file.h"
#include "tests/channels/conformance/harnesses.h"
#include "tests/support/hostile_vectors.h"
#include "tests/support/raw_scan.h"

namespace approval::testing {
namespace {

constexpr const char* kKey = "t:k";

struct Surface {
  const char* name;
  MakeChannel make;
};

std::vector<Surface> Surfaces() {
  return {{"page", PageUnderTest}, {"terminal", TerminalUnderTest}, {"chat", TelegramUnderTest}};
}

struct Shown {
  std::string text;     // everything, line by line
  std::string payload;  // the region with the exact bytes
  std::string canonical;
  bool warned = false;
  std::string queue_file;
};

Shown Show(const MakeChannel& make, const HostileInput& input) {
  Bench bench;
  EXPECT_TRUE(bench.Ask(kKey, input.payload)) << input.id;
  const auto channel = make(bench);
  const std::vector<Rendered> rendered = channel->Show();
  EXPECT_EQ(rendered.size(), 1U) << input.id;
  const auto view = bench.Look();
  EXPECT_EQ(view->requests.size(), 1U) << input.id;
  if (rendered.empty() || view->requests.empty()) return {};
  const render::Card card = render::BuildCard(view->requests.front(), view->now_ms, {});
  render::QueueFileInput file;
  file.requests = view->requests;
  file.now_ms = view->now_ms;
  return {rendered.front().text, rendered.front().payload, card.canonical_text,
          !card.warnings.empty(), render::QueueFile(file)};
}

std::string RawOf(std::string_view name) {
  std::uint32_t value = 0;
  const std::string_view digits = name.substr(2);
  std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  std::string raw;
  base::AppendUtf8(raw, value);
  return raw;
}

std::vector<std::string> List(const base::JsonObject& index, const char* name) {
  std::vector<std::string> out;
  if (const base::Json* list = index.if_contains(name)) {
    for (const base::Json& text : list->get_array()) out.push_back(TextOf(text));
  }
  return out;
}

class HostilePayloads : public ::testing::TestWithParam<std::size_t> {
 protected:
  // Every fourth one, so that four tests run side by side.
  static std::vector<HostileInput> Inputs() {
    std::vector<HostileInput> out;
    std::size_t number = 0;
    for (HostileInput& input : HostileInputs("payload")) {
      if (number++ % 4 == GetParam()) out.push_back(std::move(input));
    }
    return out;
  }
};

TEST_P(HostilePayloads, WhatIsReadOnASurfaceIsTheQuotedPayloadWhole) {
  APPROVAL_REQUIRE_VECTORS();
  for (const HostileInput& input : Inputs()) {
    for (const Surface& surface : Surfaces()) {
      const Shown shown = Show(surface.make, input);
      const std::string where = input.id + " on the " + surface.name;
      ASSERT_FALSE(shown.canonical.empty()) << where;
      EXPECT_EQ(shown.payload, shown.canonical) << where;
      for (const char* list : {"must_show", "must_keep"}) {
        for (const std::string& text : List(input.index, list)) {
          EXPECT_NE(shown.payload.find(text), std::string::npos) << where << ": " << text;
        }
      }
    }
  }
}

TEST_P(HostilePayloads, NothingOfItStandsRawOnAnySurface) {
  APPROVAL_REQUIRE_VECTORS();
  for (const HostileInput& input : Inputs()) {
    for (const Surface& surface : Surfaces()) {
      const Shown shown = Show(surface.make, input);
      const std::string where = input.id + " on the " + surface.name;
      EXPECT_EQ(RawFault(shown.text), "") << where;
      EXPECT_EQ(RawFault(shown.payload), "") << where;
      EXPECT_EQ(RawFault(shown.queue_file), "") << where;
      for (const std::string& name : List(input.index, "forbid_raw")) {
        // Line feeds are drawn as lines in regions and as marks in lines.
        if (name == "U+000A") continue;
        EXPECT_EQ(shown.text.find(RawOf(name)), std::string::npos) << where << " " << name;
        EXPECT_EQ(shown.payload.find(RawOf(name)), std::string::npos) << where << " " << name;
      }
    }
  }
}

TEST_P(HostilePayloads, WhatIsOddIsSaidAboveThePayloadOnEverySurface) {
  APPROVAL_REQUIRE_VECTORS();
  for (const HostileInput& input : Inputs()) {
    for (const Surface& surface : Surfaces()) {
      const Shown shown = Show(surface.make, input);
      const std::string where = input.id + " on the " + surface.name;
      EXPECT_TRUE(shown.warned || input.treat != "show-with-warning") << where;
      if (!shown.warned) continue;
      const std::size_t sign = shown.text.find("⚠ ");
      ASSERT_NE(sign, std::string::npos) << where;
      const std::size_t bar = shown.text.find("│");
      EXPECT_TRUE(bar == std::string::npos || sign < bar) << where << "\n" << shown.text;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Quarter, HostilePayloads,
                         ::testing::Range(std::size_t{0}, std::size_t{4}));

// channels.md 2.12 forgery 3
TEST(HostilePairs, WhatMustDifferDiffersOnEverySurface) {
  APPROVAL_REQUIRE_VECTORS();
  for (const Surface& surface : Surfaces()) {
    std::vector<std::string> seen;
    for (const HostileInput& input : HostileInputs("payload")) {
      if (input.treat == "distinct-pair") seen.push_back(Show(surface.make, input).payload);
    }
    ASSERT_GE(seen.size(), 8U);
    for (std::size_t i = 0; i < seen.size(); ++i) {
      for (std::size_t j = i + 1; j < seen.size(); ++j) EXPECT_NE(seen[i], seen[j]);
    }
  }
}

// Letters that differ only in script, in everything that names where something goes.
// channels.md 2.12 forgery 7
TEST(LookAlikes, AreSaidAboveThePayloadOnEverySurface) {
  const std::string host = "pаypal.com";  // the second letter is Cyrillic
  const std::vector<std::pair<const char*, base::Json>> payloads = {
      {"a recipient", base::JsonObject{{"to", "pay@" + host}, {"subject", "s"}, {"body", "b"}}},
      {"an argument",
       base::JsonObject{{"argv", base::JsonArray{"ssh", "deploy@" + host}}, {"cwd", "/srv"}}},
      {"a path", base::JsonObject{{"file", "/srv/pаssword.txt"}, {"content", "x\n"}}},
      {"a web address",
       base::JsonObject{{"method", "POST"}, {"url", "https://" + host + "/v1"}, {"body", "x"}}},
      {"a command", base::JsonObject{{"command", "curl https://" + host + "/x"}}}};
  for (const Surface& surface : Surfaces()) {
    for (const auto& [what, payload] : payloads) {
      HostileInput input;
      input.id = what;
      input.payload = payload;
      const Shown shown = Show(surface.make, input);
      const std::size_t warning = shown.text.find("look-alike letters in ");
      ASSERT_NE(warning, std::string::npos) << what << " on the " << surface.name;
      const std::size_t mark = shown.text.find("«U+0430»", warning);
      ASSERT_NE(mark, std::string::npos) << what << " on the " << surface.name;
      // Above the letters themselves.
      EXPECT_LT(mark, shown.text.find("pа")) << what << " on the " << surface.name;
    }
  }
}

}  // namespace
}  // namespace approval::testing
