// The members beyond the bare mail: what each accepts (docs/email.md).
#include <gtest/gtest.h>

#include "core/base/encoding.h"
#include "core/base/sha256.h"
#include "vault/mail/email_payload.h"
#include "vault/mail/header_text.h"
#include "vault/mail/lint.h"

namespace approval::mail {
namespace {

base::JsonObject Bare() {
  return {{"from", "a@example.com"},
          {"to", base::JsonArray{"b@example.net"}},
          {"cc", base::JsonArray{"c@example.net"}},
          {"bcc", base::JsonArray{"d@example.net"}},
          {"subject", "s"},
          {"body", "b"}};
}

base::Json With(const char* name, base::Json value) {
  base::JsonObject mail = Bare();
  mail[name] = std::move(value);
  return mail;
}

// Why the mail with this member is refused; empty when it is taken.
std::string Refusal(const char* name, base::Json value) {
  const auto mail = ReadEmailPayload(With(name, std::move(value)), MailForm::kWhole);
  return mail ? "" : mail.error();
}

bool Takes(const char* name, base::Json value) { return Refusal(name, std::move(value)).empty(); }

base::JsonObject Inline(std::string_view bytes) {
  return {{"name", "a.txt"}, {"type", "text/plain"}, {"base64", base::Base64Encode(bytes)}};
}

base::JsonObject ByPath() {
  return {{"name", "a.pdf"},
          {"type", "application/pdf"},
          {"path", "/srv/a.pdf"},
          {"sha256", std::string(64, 'a')},
          {"size", 3}};
}

base::Json One(base::JsonObject attachment) { return base::JsonArray{std::move(attachment)}; }

TEST(WholeMail, ABareReaderKnowsNoneOfTheFurtherMembers) {
  for (const char* name :
       {"from_name", "names", "reply_to", "in_reply_to", "references", "html", "attachments"}) {
    const auto mail = ReadEmailPayload(With(name, "x"));
    ASSERT_FALSE(mail) << name;
    EXPECT_NE(mail.error().find("has no member"), std::string::npos);
  }
}

TEST(WholeMail, EveryMemberTogetherIsRead) {
  base::JsonObject payload = Bare();
  payload["from_name"] = "Ada Lovelace";
  payload["names"] = base::JsonObject{{"b@example.net", "Bob Ünal"}};
  payload["reply_to"] = "desk@example.com";
  payload["in_reply_to"] = "<1@example.net>";
  payload["references"] = base::JsonArray{"<0@example.net>", "<1@example.net>"};
  payload["html"] = "<p>b</p>";
  payload["attachments"] = base::JsonArray{Inline("abc"), ByPath()};
  const auto mail = ReadEmailPayload(payload, MailForm::kWhole);
  ASSERT_TRUE(mail) << mail.error();
  EXPECT_EQ(mail->from_name, "Ada Lovelace");
  EXPECT_EQ(mail->names.at("b@example.net"), "Bob Ünal");
  EXPECT_EQ(mail->reply_to, "desk@example.com");
  EXPECT_EQ(mail->references.size(), 2u);
  EXPECT_EQ(mail->html_alternative, "<p>b</p>");
  ASSERT_EQ(mail->attachments.size(), 2u);
  EXPECT_EQ(mail->attachments[0].bytes, "abc");
  EXPECT_EQ(mail->attachments[0].sha256, base::Sha256Hex("abc"));
  EXPECT_EQ(mail->attachments[1].path, "/srv/a.pdf");
  EXPECT_EQ(mail->attachments[1].size, 3u);
}

TEST(WholeMail, ANameIsOneVisibleLine) {
  EXPECT_TRUE(Takes("from_name", "Ada \"the\" Lovelace, Ltd."));
  EXPECT_TRUE(Takes("from_name", "山田 太郎"));
  EXPECT_TRUE(Takes("from_name", base::Json(std::string(128, 'x'))));
  for (const char* name : {"", " a", "a ", "a  b", "a\nb", "a\rb", "a\tb", "a\x1b", "a\xc2\x85",
                           "a\xc2\xa0", "a\xe2\x80\x8b", "a\xe2\x80\xae", "a\xe2\x81\xa6",
                           "\xef\xbb\xbf", "=?utf-8?q?x?=", "a\xff"}) {
    EXPECT_FALSE(Takes("from_name", name)) << name;
  }
  EXPECT_FALSE(Takes("from_name", base::Json(std::string(129, 'x'))));
}

TEST(WholeMail, ANameCannotBeTakenForAnAddress) {
  for (const char* name : {"boss@example.com", "a <b", "a>", "boss\uff20example.com"}) {
    EXPECT_FALSE(Takes("from_name", name)) << name;
    EXPECT_FALSE(Takes("names", base::JsonObject{{"b@example.net", name}})) << name;
  }
}

TEST(WholeMail, NamesBelongToRecipientsInSight) {
  EXPECT_TRUE(Takes("names", base::JsonObject{{"c@example.net", "C"}}));
  EXPECT_FALSE(Takes("names", base::JsonObject{{"d@example.net", "Hidden"}}));
  EXPECT_FALSE(Takes("names", base::JsonObject{{"x@example.net", "Nobody"}}));
  EXPECT_FALSE(Takes("names", base::JsonObject{{"b@example.net", 3}}));
  EXPECT_FALSE(Takes("names", base::JsonArray{}));
}

TEST(WholeMail, AReplyAddressIsOneBareAddress) {
  for (const char* address : {"", "a", "A <a@example.com>", "a@example.com,b@example.com",
                              "a@example.com\r\nBcc: x@evil.example"}) {
    EXPECT_FALSE(Takes("reply_to", address)) << address;
  }
  EXPECT_FALSE(Takes("reply_to", base::JsonArray{"a@example.com"}));
}

TEST(WholeMail, ThreadingTakesMessageIdsOnly) {
  for (const char* id : {"", "1@example.com", "<1>", "<a@b", "<a@b@c>", "<a b@c>", "<a@b>\r\nX: y",
                         "<@b>", "<a@>", "<a@b><c@d>"}) {
    EXPECT_FALSE(Takes("in_reply_to", id)) << id;
    EXPECT_FALSE(Takes("references", base::JsonArray{id})) << id;
  }
  EXPECT_FALSE(Takes("in_reply_to", base::Json("<" + std::string(246, 'a') + "@bc>")));
  EXPECT_TRUE(Takes("in_reply_to", base::Json("<" + std::string(246, 'a') + "@b>")));
  base::JsonArray many;
  for (std::size_t i = 0; i < kMaxReferences; ++i) many.push_back("<a@b>");
  EXPECT_TRUE(Takes("references", many));
  many.push_back("<a@b>");
  EXPECT_FALSE(Takes("references", many));
}

TEST(WholeMail, AnHtmlAlternativeStandsBesideAPlainBodyOnly) {
  base::Json payload = With("html", "<p>");
  payload.as_object()["content_type"] = "text/html";
  EXPECT_FALSE(ReadEmailPayload(payload, MailForm::kWhole));
  payload.as_object()["content_type"] = "text/plain";
  EXPECT_TRUE(ReadEmailPayload(payload, MailForm::kWhole));
}

TEST(WholeMail, AnAttachmentHasItsBytesOrAPathBoundByDigestAndSize) {
  EXPECT_TRUE(Takes("attachments", base::JsonArray{}));
  EXPECT_TRUE(Takes("attachments", One(Inline(""))));
  EXPECT_TRUE(Takes("attachments", One(ByPath())));
  for (const char* left_out : {"sha256", "size", "name", "type", "path"}) {
    base::JsonObject attachment = ByPath();
    attachment.erase(left_out);
    EXPECT_FALSE(Takes("attachments", One(attachment))) << left_out;
  }
  base::JsonObject both = ByPath();
  both["base64"] = "";
  EXPECT_FALSE(Takes("attachments", One(both)));
  base::JsonObject more = Inline("x");
  more["disposition"] = "inline";
  EXPECT_EQ(Refusal("attachments", One(more)), "attachment 1 has no member \"disposition\"");
}

TEST(WholeMail, WhatIsStatedBesideTheBytesMustAgree) {
  base::JsonObject attachment = Inline("abc");
  attachment["sha256"] = base::Sha256Hex("abc");
  attachment["size"] = 3;
  EXPECT_TRUE(Takes("attachments", One(attachment)));
  attachment["size"] = 4;
  EXPECT_FALSE(Takes("attachments", One(attachment)));
  attachment["size"] = 3;
  attachment["sha256"] = base::Sha256Hex("abd");
  EXPECT_FALSE(Takes("attachments", One(attachment)));
}

TEST(WholeMail, Base64HasOneSpelling) {
  for (const char* text : {"YQ", "YQ=", "YR==", "Y Q==", "YQ==\n", "_w==", "?"}) {
    base::JsonObject attachment = Inline("");
    attachment["base64"] = text;
    EXPECT_FALSE(Takes("attachments", One(attachment))) << text;
  }
}

TEST(WholeMail, AnAttachmentsNameIsAFileInNoFolder) {
  for (const char* name : {"", ".", "..", "a/b", "a\\b", "../a", "a\r\nb", "a\xe2\x80\xae", " a"}) {
    base::JsonObject attachment = Inline("x");
    attachment["name"] = name;
    EXPECT_FALSE(Takes("attachments", One(attachment))) << name;
  }
  base::JsonObject attachment = Inline("x");
  attachment["name"] = "größe@2x;\"1\".png";
  EXPECT_TRUE(Takes("attachments", One(attachment)));
}

TEST(WholeMail, AMediaTypeIsSimpleAndHasNoParameters) {
  for (const char* type : {"", "text", "text/", "/x", "text/plain; name=x", "text/plain\r\n",
                           "multipart/mixed", "Message/rfc822", "a/b/c"}) {
    EXPECT_FALSE(IsMediaType(type)) << type;
  }
  EXPECT_TRUE(IsMediaType("application/vnd.oasis.opendocument.text"));
}

TEST(WholeMail, APathIsAbsolute) {
  for (const char* path : {"", "a.pdf", "./a", "/a\nb"}) {
    base::JsonObject attachment = ByPath();
    attachment["path"] = path;
    EXPECT_FALSE(Takes("attachments", One(attachment))) << path;
  }
}

TEST(WholeMail, TheFilesOfAMailAreBoundedTogether) {
  base::JsonObject half = ByPath();
  half["size"] = kMaxAttachedBytes / 2;
  EXPECT_TRUE(Takes("attachments", base::JsonArray{half, half}));
  base::JsonObject more = ByPath();
  more["size"] = kMaxAttachedBytes / 2 + 1;
  EXPECT_FALSE(Takes("attachments", base::JsonArray{half, more}));
  base::JsonArray many(kMaxAttachments + 1, base::Json(Inline("")));
  EXPECT_FALSE(Takes("attachments", many));
}

TEST(InternationalAddress, LettersBeyondAsciiAreTakenInTheDomainOnly) {
  EXPECT_TRUE(IsInternationalAddress("a@exämple.com"));
  EXPECT_TRUE(IsInternationalAddress("a@例え.jp"));
  EXPECT_TRUE(IsInternationalAddress("a@почта.рф"));
  EXPECT_FALSE(IsInternationalAddress("ä@example.com"));
  for (const char* address : {"a@exämple..com", "a@.exämple.com", "a@exämple.com.", "a@-ä.com",
                              "a@exämple\xe3\x80\x82"
                              "com",
                              "a@ex\xe2\x80\x8b"
                              "ämple.com",
                              "a@exämple.com\r\n", "a@b@ä.com", "a@\xef\xbd\x85xample.com"}) {
    EXPECT_FALSE(IsInternationalAddress(address)) << address;
  }
}

TEST(InternationalAddress, FR193_ADomainThatMixesAlphabetsIsRefused) {
  EXPECT_FALSE(IsInternationalAddress("agency@ex\u0430mple.com"));
  EXPECT_FALSE(IsInternationalAddress("agency@g\u03bfogle.com"));
  EXPECT_TRUE(IsInternationalAddress("agency@mail.почта.рф"));
}

TEST(Lint, AMailThatCouldNeverBeSentIsNamed) {
  EXPECT_EQ(LintMail(Bare()), std::nullopt);
  EXPECT_EQ(LintMail(With("headers", "x")), "a mail has no member \"headers\"");
  base::JsonObject payload = Bare();
  payload["subject"] = "a\r\nBcc: x@evil.example";
  EXPECT_EQ(LintMail(payload), "\"subject\" holds a control character");
}

TEST(Lint, OtherPayloadsAreNotItsBusiness) {
  EXPECT_EQ(LintMail("text"), std::nullopt);
  EXPECT_EQ(LintMail(base::JsonObject{{"to", 1}, {"subject", 2}, {"body", 3}}), std::nullopt);
  for (const char* draft : {"inbox_id", "draft_id", "text"}) {
    EXPECT_EQ(LintMail(With(draft, "x")), std::nullopt);
  }
}

}  // namespace
}  // namespace approval::mail
