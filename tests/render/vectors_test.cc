// The payloads that the reference was recorded with (vectors/telegram), through our rendering.
#include "tests/support/vectors.h"

#include <gtest/gtest.h>

#include "render/card.h"
#include "tests/render/payloads.h"

namespace approval::render {
namespace {

struct Recorded {
  base::Json payload;
  std::string payload_hash;
  std::string action_class;
};

Recorded Read(const std::string& name) {
  const base::Json vector = testing::ReadJsonFile(testing::VectorsDir() / "telegram" / name);
  for (const base::Json& event : vector.at("log_events").get_array()) {
    if (event.at("event").get_string() != "approval.requested") continue;
    const base::Json& payload = event.at("payload");
    return {vector.at("payload"), std::string(payload.at("payload_hash").get_string()),
            std::string(payload.at("class").get_string())};
  }
  ADD_FAILURE() << name << " holds no request";
  return {};
}

Canonical BlockOf(const Recorded& recorded) {
  const auto block = CanonicalBlock(recorded.payload, recorded.action_class);
  EXPECT_TRUE(block.has_value());
  return block ? *block : Canonical{};
}

TEST(Vectors, OurPayloadHashIsTheReferences) {
  APPROVAL_REQUIRE_VECTORS();
  for (const char* name : {"01-email.json", "02-argv.json", "03-shell-command.json",
                           "04-file-edit.json", "05-long-20kb.json", "06-hostile-html-bidi.json"}) {
    const Recorded recorded = Read(name);
    EXPECT_EQ(BlockOf(recorded).payload_hash, recorded.payload_hash) << name;
  }
}

TEST(Vectors, EachPayloadHasItsView) {
  APPROVAL_REQUIRE_VECTORS();
  EXPECT_EQ(BlockOf(Read("01-email.json")).shape, Shape::kEmail);
  EXPECT_EQ(BlockOf(Read("02-argv.json")).shape, Shape::kArgv);
  EXPECT_EQ(BlockOf(Read("03-shell-command.json")).shape, Shape::kCommand);
  EXPECT_EQ(BlockOf(Read("04-file-edit.json")).shape, Shape::kFileChange);
  EXPECT_EQ(BlockOf(Read("06-hostile-html-bidi.json")).shape, Shape::kEmail);
}

// channels.md 8.37
TEST(Vectors, TheBodyOfVectorSixCannotEndItsRegion) {
  APPROVAL_REQUIRE_VECTORS();
  const std::string block = BlockOf(Read("06-hostile-html-bidi.json")).text;
  EXPECT_NE(block.find("\n│ --- body ends ---\n"), std::string::npos);
  EXPECT_EQ(block.find("\n--- body ends ---\n"), std::string::npos);
  EXPECT_NE(block.find("«U+202E»evil reversed«U+202C»"), std::string::npos);
}

TEST(Vectors, TheCardOfVectorSixNamesWhatIsOdd) {
  APPROVAL_REQUIRE_VECTORS();
  const Recorded recorded = Read("06-hostile-html-bidi.json");
  const Card card =
      BuildCard(RequestFor(recorded.payload, recorded.action_class), kTestNow, CardOptions{});
  std::string warnings;
  for (const Warning& warning : card.warnings) warnings += warning.text + "\n";
  EXPECT_NE(warnings.find("look-alike letters in body: p«U+0430»yp«U+0430»l"), std::string::npos);
  EXPECT_NE(warnings.find("2 characters that cannot be seen or that change the direction in "
                          "subject"),
            std::string::npos);
}

}  // namespace
}  // namespace approval::render
