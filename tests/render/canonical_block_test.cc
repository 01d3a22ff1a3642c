#include "render/canonical_block.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>

#include "core/base/sha256.h"
#include "render/quote.h"
#include "tests/render/payloads.h"

namespace approval::render {
namespace {

std::string Block(const base::Json& payload, std::string_view action_class = "c") {
  const auto block = CanonicalBlock(payload, action_class);
  EXPECT_TRUE(block.has_value());
  return block ? block->text : "";
}

std::string BlockOf(std::string_view json) { return Block(Parsed(json)); }

// The block without the two lines that hold the payload's hash.
std::string WithoutHash(const base::Json& payload, std::string_view action_class) {
  const auto block = CanonicalBlock(payload, action_class);
  std::string text = block->text;
  for (std::size_t at = text.find(block->payload_hash); at != std::string::npos;
       at = text.find(block->payload_hash)) {
    text.replace(at, 64, "H");
  }
  return text;
}

bool Has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(CanonicalBlock, IsTheConstructionOfTheConventionUnderOurName) {
  const auto block = CanonicalBlock(Parsed(R"({"cwd":"/srv","argv":["git","push"]})"), "vcs.push");
  ASSERT_TRUE(block.has_value());
  EXPECT_EQ(block->text,
            "===== the exact bytes begin =====\n"
            "renderer: approval/canonical/1\n"
            "class: vcs.push\n"
            "payload kind: argv\n"
            "payload sha256: " +
                block->payload_hash +
                "\n\n"
                "arguments: 2\n"
                "1: \"git\"\n"
                "2: \"push\"\n"
                "cwd: \"/srv\"\n"
                "files: (absent)\n"
                "stored as .approval/payloads/" +
                block->payload_hash +
                ".json, checked against this hash on every read\n"
                "===== the exact bytes end =====");
}

// channels.md 8.34
TEST(CanonicalBlock, TheDigestsAreOverTheTextWithTheRenderersNameAndOverTheCanonicalForm) {
  const base::Json payload = Parsed(R"({"b":1,"a":"x"})");
  const auto block = CanonicalBlock(payload, "c");
  EXPECT_EQ(block->display_hash, base::Sha256Hex(block->text));
  EXPECT_TRUE(Has(block->text, "\nrenderer: approval/canonical/1\n"));
  EXPECT_EQ(block->payload_hash, *base::CanonicalHash(payload));
}

// Pins every view: another output needs another renderer name.
// channels.md 8.34
TEST(CanonicalBlock, TheOutputOfThisRendererNameIsPinned) {
  std::string all;
  for (const std::string_view payload :
       {R"({"to":["a@b"],"cc":"c@d","subject":"s\nt","body":"x\n\ty"})",
        R"({"command":"a\tb\nc","cwd":"/"})", R"({"argv":["a"," ",""],"cwd":"/"})",
        R"({"file":"f","before":"1\n2\n3\n4\n5\n6\n","after":"1\n2\n3\n4\n5\nx"})",
        R"({"file":"f","content":"x\n","rule":"protected-path"})", R"("text")",
        R"({"k":[1,2.5,null,true,{},[]],"z":"é\u202e\""})"}) {
    all += BlockOf(payload) + "\n";
  }
  EXPECT_EQ(base::Sha256Hex(all),
            "d40697a1e0c70fb6209f12590a622e584e7d1f61f0c6b8601af0640ea8e475a4");
}

TEST(CanonicalBlock, TheOrderOfMembersAndTheSpellingOfNumbersDoNotCount) {
  EXPECT_EQ(BlockOf(R"({"b":1.0,"a":[1e2]})"), BlockOf(R"({"a":[100],"b":1})"));
  EXPECT_EQ(BlockOf(R"({"subject":"s","to":"t","body":"b"})"),
            BlockOf(R"({"body":"b","to":"t","subject":"s"})"));
}

// channels.md 8.36
TEST(CanonicalBlock, OneListItemWithACommaTwoItemsAndAStringDiffer) {
  const std::string tail = R"(,"subject":"s","body":"b"})";
  const std::string one = BlockOf(R"({"to":["a, b"])" + tail);
  const std::string two = BlockOf(R"({"to":["a","b"])" + tail);
  const std::string text = BlockOf(R"({"to":"a, b")" + tail);
  EXPECT_TRUE(Has(one, "to: list of 1\nto 1: \"a, b\"\n"));
  EXPECT_TRUE(Has(two, "to: list of 2\nto 1: \"a\"\nto 2: \"b\"\n"));
  EXPECT_TRUE(Has(text, "to: \"a, b\"\n"));
}

// channels.md 8.35
TEST(CanonicalBlock, AnAbsentMemberAndTheWordAbsentDiffer) {
  EXPECT_TRUE(Has(BlockOf(R"({"command":"ls"})"), "cwd: (absent)\n"));
  EXPECT_TRUE(Has(BlockOf(R"j({"command":"ls","cwd":"(absent)"})j"), "cwd: \"(absent)\"\n"));
}

// channels.md 8.23
TEST(CanonicalBlock, AMailShowsItsFieldsOneByOneAndItsBodyWithRealLineBreaks) {
  const std::string block =
      BlockOf(R"({"from":"me@a","to":["x@a","y@a"],"cc":"z@a","bcc":["h@a"],"subject":"Hi",)"
              R"("content_type":"text/plain","body":"One\n\ntwo é\n"})");
  const std::size_t start = block.find("from: ");
  ASSERT_NE(start, std::string::npos);
  EXPECT_EQ(block.substr(start, block.find("stored as ") - start),
            "from: \"me@a\"\n"
            "to: list of 2\n"
            "to 1: \"x@a\"\n"
            "to 2: \"y@a\"\n"
            "cc: \"z@a\"\n"
            "bcc: list of 1\n"
            "bcc 1: \"h@a\"\n"
            "subject: \"Hi\"\n"
            "content_type: \"text/plain\"\n"
            "body: 3 lines, 11 characters, 12 bytes\n"
            "│ One\n│\n│ two é\n│\n");
}

// channels.md 8.24
TEST(CanonicalBlock, OneExtraKeyMakesAnyShapeOpaqueWithEveryMemberInIt) {
  for (const std::string_view sample :
       {R"({"to":"a@b","subject":"s","body":"the text"})", R"({"command":"ls -l","cwd":"/srv"})",
        R"({"file":"f","before":"old","after":"new"})", R"({"file":"f","content":"whole"})"}) {
    base::JsonObject payload = Parsed(sample).as_object();
    payload["extra"] = "one more";
    const std::string block = Block(payload);
    EXPECT_TRUE(Has(block, "\npayload kind: opaque\n")) << sample;
    for (const auto& member : payload) {
      EXPECT_TRUE(
          Has(block, "│   \"" + std::string(member.key()) + "\": " + base::ToText(member.value())))
          << block;
    }
  }
}

TEST(CanonicalBlock, BccAndContentTypeAreShown) {
  const std::string block =
      BlockOf(R"({"to":"a","bcc":["h@x"],"content_type":"text/html","subject":"s","body":"b"})");
  EXPECT_TRUE(Has(block, "bcc 1: \"h@x\"\n"));
  EXPECT_TRUE(Has(block, "content_type: \"text/html\"\n"));
  EXPECT_TRUE(Has(block, "from: (absent)\n"));
}

TEST(CanonicalBlock, ABodyHasItsCountsBeforeIt) {
  EXPECT_TRUE(Has(BlockOf(R"({"to":"a","subject":"s","body":"é\nb\n"})"),
                  "body: 2 lines, 4 characters, 5 bytes\n│ é\n│ b\n│\n"));
}

// channels.md 8.38
TEST(CanonicalBlock, ALineBreakInASubjectOrAnAddressStaysOnItsLine) {
  EXPECT_TRUE(Has(BlockOf(R"({"to":["a@b\nbcc: c@d"],"cc":"e@f\n","subject":"s","body":"b"})"),
                  "to 1: \"a@b ⏎ bcc: c@d\"\ncc: \"e@f ⏎ \"\n"));
  EXPECT_TRUE(Has(BlockOf(R"({"to":"a","subject":"Hi\r\nBcc: x","body":"b"})"),
                  "subject: \"Hi«U+000D» ⏎ Bcc: x\"\n"));
}

// FR-106
// channels.md 8.28
TEST(CanonicalBlock, CommandsOfBackslashesAndLineBreaksNeverRenderAlike) {
  static constexpr std::array<std::string_view, 8> kPieces = {"\n", "\\", "n", "\\n",
                                                              "\r", "⏎",  " ", "a"};
  std::set<std::string> commands;
  std::set<std::string> texts;
  // Every command of four pieces.
  for (std::size_t number = 0; number < 8 * 8 * 8 * 8; ++number) {
    std::string command;
    for (std::size_t rest = number, i = 0; i < 4; ++i, rest /= 8) command += kPieces[rest % 8];
    if (!commands.insert(command).second) continue;
    EXPECT_TRUE(texts.insert(WithoutHash(base::JsonObject{{"command", command}}, "c")).second)
        << command;
  }
}

// channels.md 8.28
TEST(CanonicalBlock, RealAndLiteralLineFeedsInACommandDiffer) {
  EXPECT_TRUE(Has(BlockOf(R"({"command":"a\nb"})"), "│ a\n│ b\n"));
  EXPECT_TRUE(Has(BlockOf(R"({"command":"a\\nb"})"), "│ a\\nb\n"));
}

// channels.md 8.45
TEST(CanonicalBlock, AnArgumentWithBlanksOrQuotesOrNothingInItIsOneLine) {
  EXPECT_TRUE(Has(BlockOf(R"({"argv":["sh","-c","echo \"a\" 'b'","","x\ny"],"cwd":"/"})"),
                  "arguments: 5\n1: \"sh\"\n2: \"-c\"\n3: \"echo \"a\" 'b'\"\n"
                  "4: \"\" (empty)\n5: \"x ⏎ y\"\ncwd: "));
}

// channels.md 8.45
TEST(CanonicalBlock, AnArgumentPerLineAndBlankOnesNamed) {
  EXPECT_TRUE(Has(BlockOf(R"({"argv":["rm","/srv/a b",""," "],"cwd":"/"})"),
                  "1: \"rm\"\n2: \"/srv/a b\"\n3: \"\" (empty)\n4: \" \" (blank, 1 character)\n"));
}

TEST(CanonicalBlock, BoundFilesShowPathSizeAndDigest) {
  const std::string digest(64, 'a');
  EXPECT_TRUE(Has(BlockOf(R"({"argv":["x"],"cwd":"/","files":[{"path":"p","size":3,"sha256":")" +
                          digest + R"("}]})"),
                  "files: list of 1\nfile 1 path: \"p\"\nfile 1 size: 3 bytes\nfile 1 sha256: " +
                      digest + "\n"));
}

// channels.md 8.31
TEST(CanonicalBlock, AnEditIsADiffWithContextAndHunkHeaders) {
  EXPECT_TRUE(Has(BlockOf(R"({"file":"f","before":"a\nb\nc\n","after":"a\nx\nc\n"})"),
                  "before: 3 lines, 6 characters, 6 bytes, ends with a line break\n"
                  "after: 3 lines, 6 characters, 6 bytes, ends with a line break\n"
                  "change: 1 line removed, 1 line added\n"
                  "│ @@ before: lines 1 to 3, after: lines 1 to 3 @@\n"
                  "│  a\n│ -b\n│ +x\n│  c\n"));
}

TEST(CanonicalBlock, UnchangedLinesFarFromTheChangeAreStillInTheBlock) {
  const std::string block =
      BlockOf(R"({"file":"f","before":"1\n2\n3\n4\n5\n6\nx\n","after":"1\n2\n3\n4\n5\n6\ny\n"})");
  EXPECT_TRUE(Has(block, "│ @@ before: lines 4 to 7, after: lines 4 to 7 @@\n│  4\n"));
  EXPECT_TRUE(Has(block,
                  "unchanged and not shown above: 3 lines\n"
                  "│ @@ before: lines 1 to 3, after: lines 1 to 3 @@\n│  1\n│  2\n│  3\n"));
}

// channels.md 8.31
TEST(CanonicalBlock, AWholeFileShowsItsCountAndEveryLine) {
  EXPECT_TRUE(Has(BlockOf(R"({"file":"f","content":"x\n\ty"})"),
                  "tabs: → is a tab\ncontent: 2 lines, 4 characters, 4 bytes, no line break at the "
                  "end\n│ +x\n│ +→   y\n"));
}

TEST(CanonicalBlock, ARunOfBlankLinesInAFileIsCounted) {
  std::string content(300, '\n');
  content += "x";
  EXPECT_TRUE(Has(Block(base::JsonObject{{"file", "f"}, {"content", content}}),
                  "│ +«300 blank lines»\n│ +x\n"));
}

// channels.md 8.31
TEST(CanonicalBlock, AProtectedPathSaysWhichCheckoutForBoth) {
  EXPECT_TRUE(
      Has(BlockOf(R"({"file":"f","content":"x","rule":"protected-path"})"), "note: live: "));
  EXPECT_TRUE(Has(BlockOf(R"({"file":"f","content":"x","rule":"protected-path-proposal"})"),
                  "note: a proposal: "));
  const std::string edit = R"({"file":"f","before":"a","after":"b","rule":")";
  EXPECT_TRUE(Has(BlockOf(edit + R"(protected-path"})"), "note: live: "));
  EXPECT_TRUE(Has(BlockOf(edit + R"(protected-path-proposal"})"), "note: a proposal: "));
}

TEST(CanonicalBlock, AnOpaqueValueIsJsonWithEveryByteQuoted) {
  EXPECT_TRUE(Has(BlockOf(R"({"z":"é\u202e\n\"","a":[1,{}]})"),
                  "no view applies; the value as JSON:\n│ {\n│   \"a\": [\n│     1,\n│     {}\n│   "
                  "],\n│   \"z\": \"é«U+202E»\\n\\\"\"\n│ }\n"));
}

// channels.md 8.32
TEST(CanonicalBlock, ALongCommandAndABigFileAreShownWhole) {
  std::string lines;
  for (int i = 0; i < 5000; ++i) lines += "line " + std::to_string(i) + "\n";
  const std::string command = Block(base::JsonObject{{"command", lines}});
  const std::string file = Block(base::JsonObject{{"file", "f"}, {"content", lines}});
  for (int i = 0; i < 5000; ++i) {
    ASSERT_TRUE(Has(command, "│ line " + std::to_string(i) + "\n"));
    ASSERT_TRUE(Has(file, "│ +line " + std::to_string(i) + "\n"));
  }
}

// Vector 06, FR-104: nothing in a payload begins a line of ours.
// channels.md 8.37
TEST(CanonicalBlock, ABodyCannotEndItsRegion) {
  const std::string own = BlockOf(R"({"to":"a","subject":"s","body":"b"})");
  const std::string forged =
      Block(base::JsonObject{{"to", "a"}, {"subject", own}, {"body", "x\n" + own}});
  std::size_t ends = 0;
  for (std::size_t at = forged.find("\n====="); at != std::string::npos;
       at = forged.find("\n=====", at + 1)) {
    ++ends;
  }
  EXPECT_EQ(ends, 1u);
}

// channels.md 8.28
TEST(CanonicalBlock, TwoPayloadsThatDifferNeverRenderAlike) {
  RandomPayload random(20261130);
  std::map<std::string, std::string> seen;
  std::set<Shape> shapes;
  for (int round = 0; round < 100'000; ++round) {
    const base::Json payload = random.Next();
    const std::string canonical = *base::Canonicalize(payload);
    const auto [known, fresh] = seen.emplace(WithoutHash(payload, "c"), canonical);
    ASSERT_TRUE(fresh || known->second == canonical) << canonical << "\n" << known->second;
    shapes.insert(DetectShape(payload));
  }
  EXPECT_EQ(shapes.size(), 10u) << "a shape was never drawn";
}

TEST(CanonicalBlock, TwoClassesNeverRenderAlike) {
  const base::Json payload = Parsed(R"({"command":"ls"})");
  EXPECT_NE(WithoutHash(payload, "a"), WithoutHash(payload, "b"));
  EXPECT_TRUE(Has(Block(payload, "a\nb"), "\nclass: a ⏎ b\n"));
}

// channels.md 8.43
TEST(CanonicalBlock, APayloadWithoutACanonicalFormIsRefused) {
  const base::Json lone(std::string("x\xED\xA0\xBDy"));
  const auto refused = CanonicalBlock(base::JsonObject{{"a", lone}}, "c");
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, base::Code::kPayloadUnrenderable);
  EXPECT_FALSE(CanonicalBlock(base::Json(1e308 * 10), "c").has_value());
}

}  // namespace
}  // namespace approval::render
