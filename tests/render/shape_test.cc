#include "render/shape.h"

#include <gtest/gtest.h>

namespace approval::render {
namespace {

Shape Of(std::string_view text) { return DetectShape(*base::ParseJson(text, base::kStrictJson)); }

const std::string kDigest(64, 'a');

TEST(Shape, IsReadFromTheStructure) {
  EXPECT_EQ(Of(R"({"command":"ls"})"), Shape::kCommand);
  EXPECT_EQ(Of(R"({"command":"ls","cwd":"/"})"), Shape::kCommand);
  EXPECT_EQ(Of(R"({"argv":["ls"],"cwd":"/"})"), Shape::kArgv);
  EXPECT_EQ(Of(R"({"file":"a","before":"x","after":"y"})"), Shape::kFileChange);
  EXPECT_EQ(Of(R"({"file":"a","content":"x","tool":"Write","rule":"r"})"), Shape::kFileChange);
  EXPECT_EQ(Of(R"({"to":"a@b","subject":"s","body":"b"})"), Shape::kEmail);
  EXPECT_EQ(Of(R"({"inbox_id":"i","draft_id":"d","to":["a@b"],"subject":"s","text":"t"})"),
            Shape::kDraft);
  EXPECT_EQ(Of(R"({"method":"GET","url":"https://example.com/"})"), Shape::kHttp);
  EXPECT_EQ(Of(R"({"room_id":"r","title":"t","body":"b"})"), Shape::kPost);
  EXPECT_EQ(Of(R"({"thread_id":"t","body":"b"})"), Shape::kPost);
  EXPECT_EQ(Of(R"({"base64":"YWJj"})"), Shape::kBinary);
  EXPECT_EQ(Of(R"("text")"), Shape::kText);
  EXPECT_EQ(Of(R"([1])"), Shape::kOpaque);
  EXPECT_EQ(Of("null"), Shape::kOpaque);
  EXPECT_EQ(Of("{}"), Shape::kOpaque);
}

TEST(Shape, AnArgvMayCarryBoundFiles) {
  EXPECT_EQ(
      Of(R"({"argv":[],"cwd":"/","files":[{"path":"a","size":3,"sha256":")" + kDigest + R"("}]})"),
      Shape::kArgv);
}

TEST(Shape, ABoundFileWithAnythingElseIsOpaque) {
  const std::string head = R"({"argv":[],"cwd":"/","files":[{"path":"a","size":)";
  EXPECT_EQ(Of(head + R"(-1,"sha256":")" + kDigest + R"("}]})"), Shape::kOpaque);
  EXPECT_EQ(Of(head + R"(3,"sha256":"aa"}]})"), Shape::kOpaque);
  EXPECT_EQ(Of(head + R"(3,"mode":1,"sha256":")" + kDigest + R"("}]})"), Shape::kOpaque);
}

// channels.md 8.24
TEST(Shape, OneExtraKeyIsOpaque) {
  EXPECT_EQ(Of(R"({"command":"ls","x":1})"), Shape::kOpaque);
  EXPECT_EQ(Of(R"({"argv":["ls"],"cwd":"/","env":{}})"), Shape::kOpaque);
  EXPECT_EQ(Of(R"({"file":"a","content":"x","mode":"w"})"), Shape::kOpaque);
  EXPECT_EQ(Of(R"({"to":"a","subject":"s","body":"b","headers":"c"})"), Shape::kOpaque);
  EXPECT_EQ(Of(R"({"inbox_id":"i","draft_id":"d","to":[],"subject":"s","text":"t","html":"h"})"),
            Shape::kOpaque);
  EXPECT_EQ(Of(R"({"method":"GET","url":"u","timeout":1})"), Shape::kOpaque);
  EXPECT_EQ(Of(R"({"thread_id":"t","body":"b","author":"a"})"), Shape::kOpaque);
  EXPECT_EQ(Of(R"({"thread_id":"t","body":"b","references":[{"target":"x","mode":1}]})"),
            Shape::kOpaque);
  EXPECT_EQ(Of(R"({"base64":"YWJj","sha256":"a"})"), Shape::kOpaque);
}

// channels.md 8.25
TEST(Shape, AWrongTypeIsOpaque) {
  EXPECT_EQ(Of(R"({"command":["ls"]})"), Shape::kOpaque);
  EXPECT_EQ(Of(R"({"command":"ls","cwd":3})"), Shape::kOpaque);
  EXPECT_EQ(Of(R"({"argv":["ls",1],"cwd":"/"})"), Shape::kOpaque);
  EXPECT_EQ(Of(R"({"argv":["ls"]})"), Shape::kOpaque);
  EXPECT_EQ(Of(R"({"to":[1],"subject":"s","body":"b"})"), Shape::kOpaque);
  EXPECT_EQ(Of(R"({"to":null,"subject":"s","body":"b"})"), Shape::kOpaque);
  EXPECT_EQ(Of(R"({"file":"a","content":"x","replace_all":"no"})"), Shape::kOpaque);
  EXPECT_EQ(Of(R"({"inbox_id":"i","draft_id":"d","to":["a"],"cc":null,"subject":"s","text":""})"),
            Shape::kOpaque);
  EXPECT_EQ(Of(R"({"method":"GET","url":"u","body":{}})"), Shape::kOpaque);
  EXPECT_EQ(Of(R"({"method":"GET","url":"u","headers":[]})"), Shape::kOpaque);
  EXPECT_EQ(Of(R"({"thread_id":"t","body":"b","tags":"a"})"), Shape::kOpaque);
}

// channels.md 8.26
TEST(Shape, OnlyOneSideOfAnEditIsOpaque) {
  EXPECT_EQ(Of(R"({"file":"a","before":"x"})"), Shape::kOpaque);
  EXPECT_EQ(Of(R"({"file":"a","after":"x"})"), Shape::kOpaque);
  EXPECT_EQ(Of(R"({"file":"a","before":"x","after":"y","content":"z"})"), Shape::kOpaque);
  EXPECT_EQ(Of(R"({"file":"a"})"), Shape::kOpaque);
}

TEST(Shape, APostGoesToOnePlace) {
  EXPECT_EQ(Of(R"({"title":"t","body":"b"})"), Shape::kOpaque);
  EXPECT_EQ(Of(R"({"room_id":"r","thread_id":"t","body":"b"})"), Shape::kOpaque);
}

TEST(Shape, AMethodAndAHeadersNameAreWordsOfTheProtocol) {
  EXPECT_EQ(Of(R"({"method":"GET /x","url":"u"})"), Shape::kOpaque);
  EXPECT_EQ(Of(R"({"method":"","url":"u"})"), Shape::kOpaque);
  EXPECT_EQ(Of(R"({"method":"GET","url":"u","headers":{"a: b":"c"}})"), Shape::kOpaque);
}

TEST(Shape, TwoHeadersOfOneNameAreOpaque) {
  EXPECT_EQ(Of(R"({"method":"GET","url":"u","headers":{"host":"a","Host":"b"}})"), Shape::kOpaque);
}

TEST(Shape, BytesHaveOneSpelling) {
  for (const std::string_view text : {"YWJ", "YWI", "YW Jj", "YWJj\\n", "YW-_", "YWJk=", "YWJ="}) {
    EXPECT_EQ(Of(R"({"base64":")" + std::string(text) + R"("})"), Shape::kOpaque) << text;
  }
  EXPECT_EQ(Of(R"({"base64":""})"), Shape::kBinary);
}

// channels.md 8.27
TEST(Shape, NoKindOrTypeInThePayloadNamesTheShape) {
  EXPECT_EQ(Of(R"({"kind":"email","amount":1})"), Shape::kOpaque);
  EXPECT_EQ(Of(R"({"type":"command","command":"ls"})"), Shape::kOpaque);
}

}  // namespace
}  // namespace approval::render
