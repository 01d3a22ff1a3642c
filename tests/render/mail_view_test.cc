// Every part of a mail is shown: block, card and warnings of the members beyond the bare mail.
#include <gtest/gtest.h>

#include "core/base/encoding.h"
#include "core/base/sha256.h"
#include "render/card.h"
#include "tests/render/payloads.h"

namespace approval::render {
namespace {

base::JsonObject Bare() {
  return {{"from", "me@example.com"},
          {"to", base::JsonArray{"a@example.net", "b@example.net"}},
          {"subject", "s"},
          {"body", "hello"}};
}

base::Json With(const char* name, base::Json value) {
  base::JsonObject mail = Bare();
  mail[name] = std::move(value);
  return mail;
}

base::JsonObject File(const std::string& name, const std::string& type = "application/pdf") {
  return {{"name", name}, {"type", type}, {"base64", base::Base64Encode("abc")}};
}

base::Json WithFile(base::JsonObject file) {
  return With("attachments", base::JsonArray{std::move(file)});
}

std::string BlockOf(const base::Json& payload) {
  return CanonicalBlock(payload, "communicate.email.external")->text;
}

Card CardOf(const base::Json& payload) { return BuildCard(RequestFor(payload), kTestNow, {}); }

std::string KeysOf(const base::Json& payload) {
  std::string out;
  for (const KeyLine& line : CardOf(payload).key_lines) out += line.label + "=" + line.value + "\n";
  return out;
}

std::string WarningsOf(const base::Json& payload) {
  std::string out;
  for (const Warning& warning : CardOf(payload).warnings) out += warning.text + "\n";
  return out;
}

bool Has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(MailView, AbsentFurtherMembersPrintNothing) {
  const std::string block = BlockOf(Bare());
  for (const char* word :
       {"from_name", "names", "reply_to", "in_reply_to", "references", "html", "attachment"}) {
    EXPECT_FALSE(Has(block, word)) << word;
  }
}

TEST(MailView, EveryFurtherMemberKeepsTheShapeAndIsInTheBlock) {
  base::JsonObject payload = Bare();
  payload["from_name"] = "Ada";
  payload["names"] = base::JsonObject{{"b@example.net", "Bob"}};
  payload["reply_to"] = "desk@example.com";
  payload["in_reply_to"] = "<1@x>";
  payload["references"] = base::JsonArray{"<0@x>", "<1@x>"};
  payload["html"] = "<p>hello</p>\n";
  payload["attachments"] = base::JsonArray{File("a.pdf")};
  const std::string block = BlockOf(payload);
  EXPECT_TRUE(Has(block, "payload kind: email\n"));
  EXPECT_TRUE(Has(block, "from: \"me@example.com\"\nfrom_name: \"Ada\"\n"));
  EXPECT_TRUE(Has(block, "names: 1\nname 1 of: \"b@example.net\"\nname 1 is: \"Bob\"\n"));
  EXPECT_TRUE(Has(block, "reply_to: \"desk@example.com\"\n"));
  EXPECT_TRUE(
      Has(block, "in_reply_to: \"<1@x>\"\nreferences: list of 2\nreference 1: \"<0@x>\"\n"));
  EXPECT_TRUE(Has(block,
                  "html, sent as an alternative to the body: 1 line, 13 characters, 13 bytes\n"
                  "│ <p>hello</p>\n"));
  EXPECT_TRUE(Has(block,
                  "attachments: list of 1\nattachment 1 name: \"a.pdf\"\n"
                  "attachment 1 type: \"application/pdf\"\n"
                  "attachment 1 size: 3 bytes, not stated\n"
                  "attachment 1 sha256: " +
                      base::Sha256Hex("abc") +
                      ", not stated\n"
                      "attachment 1 base64: 4 characters\n│ YWJj\n"));
}

TEST(MailView, AFileByPathShowsWhatIsBoundAndWhenItIsRead) {
  const std::string digest(64, 'a');
  const std::string block = BlockOf(WithFile({{"name", "a.pdf"},
                                              {"type", "application/pdf"},
                                              {"path", "/srv/a.pdf"},
                                              {"sha256", digest},
                                              {"size", 7}}));
  EXPECT_TRUE(Has(block, "attachment 1 size: 7 bytes\nattachment 1 sha256: " + digest +
                             "\nattachment 1 is read when the mail is sent, from path: "
                             "\"/srv/a.pdf\"\n"));
}

TEST(MailView, OneUnknownMemberInAnAttachmentMakesTheMailOpaque) {
  base::JsonObject file = File("a.pdf");
  file["disposition"] = "inline";
  EXPECT_EQ(CardOf(WithFile(file)).shape, Shape::kOpaque);
}

TEST(MailView, AStatedDigestThatIsNotThatOfTheBytesIsNoFactAndMakesTheMailOpaque) {
  base::JsonObject file = File("a.pdf");
  file["sha256"] = std::string(64, 'a');
  EXPECT_EQ(CardOf(WithFile(file)).shape, Shape::kOpaque);
  file["sha256"] = base::Sha256Hex("abc");
  EXPECT_EQ(CardOf(WithFile(file)).shape, Shape::kEmail);
}

TEST(MailView, ANameOfNobodyInSightMakesTheMailOpaque) {
  EXPECT_EQ(CardOf(With("names", base::JsonObject{{"x@example.net", "X"}})).shape, Shape::kOpaque);
  EXPECT_EQ(CardOf(With("names", base::JsonObject{{"a@example.net", "A"}})).shape, Shape::kEmail);
}

TEST(MailCard, ANameStandsInALineOfItsOwnAndNeverWhereAnAddressStands) {
  base::JsonObject payload = Bare();
  payload["from_name"] = "Ada";
  payload["names"] = base::JsonObject{{"b@example.net", "Bob"}};
  EXPECT_EQ(KeysOf(payload),
            "to 1/2=a@example.net\nto 2/2=b@example.net\nto 2/2 name=Bob\n"
            "from=me@example.com\nfrom name=Ada\nsubject=s\n");
}

TEST(MailCard, AnAttachmentIsARowOfNameTypeSizeAndDigest) {
  EXPECT_TRUE(Has(KeysOf(WithFile(File("a.pdf"))),
                  "attachment=a.pdf │ application/pdf │ 3 bytes │ sha256 " +
                      base::Sha256Hex("abc").substr(0, 12) + "…\n"));
}

TEST(MailCard, ANameCannotForgeTheFactsBehindIt) {
  EXPECT_TRUE(Has(KeysOf(WithFile(File("a │ text/plain"))),
                  "attachment=a «U+2502» text/plain │ application/pdf"));
}

TEST(MailCard, AnHtmlAlternativeIsSaidAndShownBehindTheBody) {
  const Card card = CardOf(With("html", "<b>other</b>"));
  EXPECT_TRUE(Has(KeysOf(With("html", "<b>other</b>")),
                  "html=an HTML alternative is sent too: 1 line, 12 characters, 12 bytes\n"));
  EXPECT_EQ(card.content,
            (std::vector<std::string>{
                "hello", "«an HTML alternative is sent too: 1 line, 12 characters, 12 bytes»",
                "<b>other</b>"}));
}

TEST(MailWarnings, AnswersThatGoToAnotherDomainAreNamed) {
  EXPECT_EQ(WarningsOf(With("reply_to", "desk@EXAMPLE.com")), "");
  EXPECT_EQ(WarningsOf(With("reply_to", "me@examp1e.com")),
            "answers go to another domain than the sender's: me@examp1e.com, not me@example.com\n");
}

TEST(MailWarnings, LookAlikeLettersInNamesAndInTheReplyAddressAreNamed) {
  EXPECT_TRUE(Has(WarningsOf(With("from_name", "P\u0430ypal")),
                  "look-alike letters in from_name: P«U+0430»ypal"));
  EXPECT_TRUE(
      Has(WarningsOf(With("reply_to", "me@ex\u0430mple.com")), "look-alike letters in reply_to"));
  EXPECT_TRUE(Has(WarningsOf(With("html", "P\u0430y")), "look-alike letters in html"));
}

TEST(MailWarnings, ANameThatReadsLikeAnAddressIsNamed) {
  EXPECT_EQ(WarningsOf(With("from_name", "boss@example.org")),
            "a name that reads like an address in from_name: boss@example.org\n");
  EXPECT_EQ(WarningsOf(With("names", base::JsonObject{{"a@example.net", "x\uff20y"}})),
            "a name that reads like an address in names: x\uff20y\n");
}

TEST(MailWarnings, AnAttachmentThatMayRunIsNamed) {
  EXPECT_EQ(WarningsOf(WithFile(File("report.pdf"))), "");
  EXPECT_EQ(WarningsOf(WithFile(File("setup.EXE"))),
            "attachment 1 may run as a program when it is opened (ends in .exe): setup.EXE\n");
  EXPECT_EQ(
      WarningsOf(WithFile(File("invoice.pdf.js"))),
      "attachment 1 may run as a program when it is opened (ends in .js behind a .pdf that is "
      "for show): invoice.pdf.js\n");
  EXPECT_TRUE(Has(WarningsOf(WithFile(File("a.exe.. "))), "ends in .exe"));
  EXPECT_TRUE(
      Has(WarningsOf(WithFile(File("notes", "application/x-msdownload"))), "its type says so"));
}

}  // namespace
}  // namespace approval::render
