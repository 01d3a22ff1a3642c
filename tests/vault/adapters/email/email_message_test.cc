// The composed message of a bare mail, read back by two independent parsers.
#include "vault/adapters/email/email_message.h"

#include <gtest/gtest.h>

#include <random>

#include "core/base/canonical.h"
#include "core/base/instant.h"
#include "tests/support/vectors.h"
#include "tests/vault/adapters/email/read_back.h"

namespace approval::adapters::email {
namespace {

constexpr std::int64_t kNow = 1787044442000;  // 2026-08-18T09:14:02Z

mail::EmailPayload Mail(std::string subject, std::string body) {
  mail::EmailPayload mail;
  mail.from = "sender@example.com";
  mail.to = {"rcpt@example.net"};
  mail.subject = std::move(subject);
  mail.body = std::move(body);
  return mail;
}

std::string Composed(const mail::EmailPayload& mail) {
  const auto message = ComposeMessage(mail, "<1@example.com>", kNow);
  EXPECT_TRUE(message);
  return message.value_or("");
}

std::string Text(const base::JsonObject& object, const char* name) {
  return std::string(base::StringMember(object, name).value_or(""));
}

TEST(EmailVectors, IndependentParsersGiveEveryPayloadBackFieldByField) {
  APPROVAL_REQUIRE_VECTORS();
  const auto folder = testing::VectorsDir() / "email";
  const auto index = testing::ReadJsonFile(folder / "index.json");
  std::vector<std::string> messages;
  std::vector<mail::EmailPayload> mails;
  std::vector<std::string> ids;
  for (const base::Json& row : index.as_object().at("cases").as_array()) {
    const base::JsonObject& it = row.as_object();
    const base::Json payload = testing::ReadJsonFile(folder / Text(it, "payload"));
    EXPECT_EQ(*base::CanonicalHash(payload), Text(it, "payload_hash"));
    const auto mail = mail::ReadEmailPayload(payload);
    ASSERT_TRUE(mail) << Text(it, "name") << ": " << mail.error();
    ids.push_back(MessageId(Text(it, "action_key"), Text(it, "payload_hash"), mail->from));
    EXPECT_EQ(ids.back(), Text(it, "message_id"));
    const auto message =
        ComposeMessage(*mail, ids.back(), base::ParseInstant(Text(it, "date")).value());
    ASSERT_TRUE(message) << Text(it, "name");
    EXPECT_EQ(message->rfind("Date: Tue, 18 Aug 2026 09:14:02 +0000\r\n", 0), 0u);
    messages.push_back(*message);
    mails.push_back(*mail);
  }
  ExpectReadBack(messages, mails, ids);
}

TEST(EmailVectors, OurMessagesSayTheSameAsTheRecordedOnes) {
  APPROVAL_REQUIRE_VECTORS();
  const auto folder = testing::VectorsDir() / "email";
  const auto index = testing::ReadJsonFile(folder / "index.json");
  std::vector<std::string> messages;
  for (const base::Json& row : index.as_object().at("cases").as_array()) {
    const base::JsonObject& it = row.as_object();
    const auto mail = mail::ReadEmailPayload(testing::ReadJsonFile(folder / Text(it, "payload")));
    ASSERT_TRUE(mail);
    messages.push_back(*ComposeMessage(*mail, Text(it, "message_id"), kNow));
    messages.push_back(testing::ReadText(folder / Text(it, "message")));
  }
  const auto read = ReadByPython(messages);
  for (std::size_t i = 0; i + 1 < read.size(); i += 2) {
    EXPECT_EQ(base::ToText(read[i]), base::ToText(read[i + 1]));
  }
}

TEST(EmailVectors, MessageIdsRecomputeFromKeyHashAndDomain) {
  APPROVAL_REQUIRE_VECTORS();
  const auto units = testing::ReadJsonFile(testing::VectorsDir() / "email/units.json");
  for (const base::Json& row : units.as_object().at("message_id").as_array()) {
    const base::JsonObject& it = row.as_object();
    EXPECT_EQ(MessageId(Text(it, "action_key"), Text(it, "payload_hash"), Text(it, "from")),
              Text(it, "message_id"));
  }
}

TEST(EmailVectors, EveryEncodableTextOfTheUnitsComesBack) {
  APPROVAL_REQUIRE_VECTORS();
  const auto units = testing::ReadJsonFile(testing::VectorsDir() / "email/units.json");
  std::vector<mail::EmailPayload> mails;
  for (const base::Json& row : units.as_object().at("quoted_printable").as_array()) {
    mails.push_back(Mail("s", Text(row.as_object(), "in")));
  }
  for (const base::Json& row : units.as_object().at("encode_header_value").as_array()) {
    const std::string subject = Text(row.as_object(), "in");
    if (subject.find('\t') == std::string::npos) mails.push_back(Mail(subject, "b"));
  }
  std::vector<std::string> messages;
  for (const mail::EmailPayload& mail : mails) messages.push_back(Composed(mail));
  ExpectReadBack(messages, mails, std::vector<std::string>(mails.size(), "<1@example.com>"));
}

TEST(EmailMessage, RandomSubjectsAndBodiesComeBack) {
  std::minstd_rand engine(11);
  const auto random = [&] { return static_cast<std::size_t>(engine()); };
  const std::vector<std::string> pieces = {
      "a", " ", "  ", "=?", "?=", "=?UTF-8?Q?x?=",      ",",    ", ", "\"", "<",
      "ü", "€", "🔐",  "=",  "_",  std::string(70, 'x'), "word", ":",  ";",  "\\"};
  const std::vector<std::string> body_pieces = {"\n",
                                                "\r\n",
                                                "\r",
                                                ".",
                                                "..",
                                                "From ",
                                                "\t",
                                                " ",
                                                "=",
                                                "=3D",
                                                "ü",
                                                "🔐",
                                                "\x01",
                                                "\x7f",
                                                "text",
                                                std::string(1, '\0'),
                                                std::string(1100, 'y'),
                                                "--"};
  std::vector<mail::EmailPayload> mails;
  std::vector<std::string> messages;
  for (int i = 0; i < 150; ++i) {
    std::string subject, body;
    for (std::size_t n = random() % 12; n > 0; --n) subject += pieces[random() % pieces.size()];
    for (std::size_t n = random() % 12; n > 0; --n)
      body += body_pieces[random() % body_pieces.size()];
    mails.push_back(Mail(subject, body));
    messages.push_back(Composed(mails.back()));
  }
  ExpectReadBack(messages, mails, std::vector<std::string>(mails.size(), "<1@example.com>"));
}

TEST(EmailMessage, FR181_EveryLineEndIsCrLfExactlyOnce) {
  const std::string message = Composed(Mail("s", "a\nb\r\nc\rd\n\r\n"));
  const std::string body = message.substr(message.find("\r\n\r\n") + 4);
  EXPECT_EQ(body, "a\r\nb\r\nc\r\nd\r\n\r\n\r\n");
}

TEST(EmailMessage, FR190_BlindCopiesAreInNoHeader) {
  mail::EmailPayload mail = Mail("s", "b");
  mail.bcc = {"hidden@example.org", "other@example.org"};
  const std::string message = Composed(mail);
  EXPECT_EQ(message.find("hidden"), std::string::npos);
  EXPECT_EQ(message.find("other@"), std::string::npos);
  EXPECT_EQ(message.find("cc:"), std::string::npos);
  EXPECT_EQ(message.find("Bcc"), std::string::npos);
}

TEST(EmailMessage, ALineOver998OctetsIsSentQuotedPrintable) {
  EXPECT_NE(Composed(Mail("s", std::string(999, 'x'))).find("quoted-printable"), std::string::npos);
  EXPECT_NE(Composed(Mail("s", std::string(998, 'x'))).find("7bit"), std::string::npos);
}

TEST(EmailMessage, NoLineIsOver78WhereABreakIsPossible) {
  mail::EmailPayload mail =
      Mail("Rückerstattung £1,200 – zweite Mahnung und noch viel länger", "b");
  for (int i = 0; i < 20; ++i) mail.to.push_back("somebody-" + std::to_string(i) + "@example.org");
  const std::string message = Composed(mail);
  for (std::size_t at = 0; at < message.size();) {
    const std::size_t end = message.find("\r\n", at);
    EXPECT_LE(end - at, 78u) << message.substr(at, end - at);
    at = end + 2;
  }
}

TEST(EmailMessage, TheSameKeyAndPayloadGiveTheSameIdAndOthersAnother) {
  const std::string id = MessageId("k", "h", "a@example.com");
  EXPECT_EQ(MessageId("k", "h", "a@example.com"), id);
  EXPECT_NE(MessageId("k2", "h", "a@example.com"), id);
  EXPECT_NE(MessageId("k", "h2", "a@example.com"), id);
}

}  // namespace
}  // namespace approval::adapters::email
