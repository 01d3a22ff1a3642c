// Domains on their way to ASCII, and files between approval and sending.
#include "vault/adapters/email/wire_mail.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "core/base/sha256.h"
#include "tests/support/temp_folder.h"

namespace approval::adapters::email {
namespace {

base::JsonObject Bare() {
  return {{"from", "a@example.com"},
          {"to", base::JsonArray{"b@example.net"}},
          {"subject", "s"},
          {"body", "b"}};
}

class AttachedFile : public ::testing::Test {
 protected:
  AttachedFile() { folder_.Write("a.pdf", "approved"); }

  base::Json Payload(const std::string& path) const {
    base::JsonObject mail = Bare();
    mail["attachments"] = base::JsonArray{base::JsonObject{{"name", "a.pdf"},
                                                           {"type", "application/pdf"},
                                                           {"path", path},
                                                           {"sha256", base::Sha256Hex("approved")},
                                                           {"size", 8}}};
    return mail;
  }
  std::string CodeOf(const std::string& path) const {
    const auto mail = ReadWireMail(Payload(path));
    return mail ? "" : mail.error().code;
  }
  std::string CodeNow() const { return CodeOf(folder_.Path("a.pdf")); }

  testing::TempFolder folder_;
};

TEST_F(AttachedFile, TheBytesThatWereHashedAreTheBytesThatAreSent) {
  const auto mail = ReadWireMail(Payload(folder_.Path("a.pdf")));
  ASSERT_TRUE(mail) << mail.error().message;
  EXPECT_EQ(mail->attachments.at(0).bytes, "approved");
}

TEST_F(AttachedFile, AFileThatChangedAfterApprovalIsRefused) {
  folder_.Write("a.pdf", "replaced");
  EXPECT_EQ(CodeNow(), "email-attachment-changed");
  folder_.Write("a.pdf", "approved and more");
  EXPECT_EQ(CodeNow(), "email-attachment-changed");
  folder_.Write("a.pdf", "");
  EXPECT_EQ(CodeNow(), "email-attachment-changed");
}

TEST_F(AttachedFile, AFileThatIsMissingIsRefused) {
  EXPECT_EQ(CodeOf(folder_.Path("b.pdf")), "email-attachment-missing");
  EXPECT_EQ(CodeOf(folder_.path()), "email-attachment-missing");
}

TEST_F(AttachedFile, APipeInItsPlaceDoesNotHoldTheReaderUp) {
  ASSERT_EQ(::mkfifo(folder_.Path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(CodeOf(folder_.Path("pipe")), "email-attachment-missing");
}

TEST(InternationalDomain, GoesOutInItsAsciiForm) {
  EXPECT_EQ(ToAsciiAddress("a@exämple.com"), "a@xn--exmple-cua.com");
  EXPECT_EQ(ToAsciiAddress("a@例え.テスト"), "a@xn--r8jz45g.xn--zckzah");
  EXPECT_EQ(ToAsciiAddress("a@Plain.example"), "a@Plain.example");
}

TEST(InternationalDomain, WithoutAnExactAsciiFormIsRefused) {
  // Capital letters would have to be folded: another spelling than the approved one.
  EXPECT_EQ(ToAsciiAddress("a@EXÄMPLE.com"), std::nullopt);
  base::JsonObject mail = Bare();
  mail["to"] = base::JsonArray{"a@Ä.com"};
  const auto read = ReadWireMail(mail);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, "email-payload-invalid");
}

TEST(InternationalDomain, OneAddressInTwoSpellingsCannotHaveTwoNames) {
  base::JsonObject mail = Bare();
  mail["to"] = base::JsonArray{"c@exämple.com", "c@xn--exmple-cua.com"};
  mail["names"] = base::JsonObject{{"c@exämple.com", "One"}, {"c@xn--exmple-cua.com", "Two"}};
  const auto read = ReadWireMail(mail);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, "email-payload-invalid");
  mail["names"] = base::JsonObject{{"c@exämple.com", "One"}, {"c@xn--exmple-cua.com", "One"}};
  EXPECT_TRUE(ReadWireMail(mail));
}

TEST(InternationalDomain, EveryAddressIsMappedAndANameKeepsIts) {
  base::JsonObject mail = Bare();
  mail["from"] = "f@exämple.com";
  mail["reply_to"] = "r@exämple.com";
  mail["cc"] = base::JsonArray{"c@exämple.com"};
  mail["bcc"] = base::JsonArray{"h@exämple.com"};
  mail["names"] = base::JsonObject{{"c@exämple.com", "C"}};
  const auto read = ReadWireMail(mail);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->from, "f@xn--exmple-cua.com");
  EXPECT_EQ(read->reply_to, "r@xn--exmple-cua.com");
  EXPECT_EQ(read->bcc.at(0), "h@xn--exmple-cua.com");
  EXPECT_EQ(read->names.at("c@xn--exmple-cua.com"), "C");
}

}  // namespace
}  // namespace approval::adapters::email
