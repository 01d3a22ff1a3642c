// The composed message, read back by an independent parser (Python's email package).
#include "vault/adapters/email/email_message.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <random>

#include "core/base/canonical.h"
#include "core/base/instant.h"
#include "tests/support/temp_folder.h"
#include "tests/support/vectors.h"

namespace approval::adapters::email {
namespace {

constexpr std::int64_t kNow = 1787044442000;  // 2026-08-18T09:14:02Z

// Prints, per file, a JSON object of what the parser understood.
constexpr const char* kReader = R"(
import sys, json, email, email.policy
for name in sys.argv[1:]:
    m = email.message_from_bytes(open(name, 'rb').read(), policy=email.policy.default)
    people = lambda h: [a.addr_spec for a in m[h].addresses] if m[h] else None
    print(json.dumps({
        'from': people('from'), 'to': people('to'), 'cc': people('cc'), 'bcc': people('bcc'),
        'subject': str(m['subject']), 'id': m['message-id'].strip(), 'date': m['date'],
        'type': m.get_content_type(), 'charset': m.get_content_charset(), 'mime': m['mime-version'],
        'defects': [str(d) for d in m.defects],
        'body': m.get_payload(decode=True).decode('utf-8').replace('\r\n', '\n')}))
)";

std::string Run(const std::string& command) {
  std::string out;
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return out;
  char block[4096];
  for (std::size_t got; (got = std::fread(block, 1, sizeof block, pipe)) > 0;) {
    out.append(block, got);
  }
  EXPECT_EQ(::pclose(pipe), 0);
  return out;
}

// What the parser says of each message, in order.
std::vector<base::JsonObject> ReadBack(const std::vector<std::string>& messages) {
  const testing::TempFolder folder;
  folder.Write("read.py", kReader);
  std::string command = "/usr/bin/python3 " + folder.Path("read.py");
  for (std::size_t i = 0; i < messages.size(); ++i) {
    folder.Write(std::to_string(i) + ".eml", messages[i]);
    command += " " + folder.Path(std::to_string(i) + ".eml");
  }
  const std::string out = Run(command);
  std::vector<base::JsonObject> read;
  for (std::size_t at = 0; at < out.size();) {
    const std::size_t end = out.find('\n', at);
    auto parsed = base::ParseJson(out.substr(at, end - at), base::kLenientJson);
    if (!parsed) break;
    read.push_back(parsed->as_object());
    at = end + 1;
  }
  EXPECT_EQ(read.size(), messages.size());
  read.resize(messages.size());
  return read;
}

std::string Normalized(const std::string& body) {
  std::string out;
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (body[i] == '\r') {
      if (i + 1 >= body.size() || body[i + 1] != '\n') out.push_back('\n');
    } else {
      out.push_back(body[i]);
    }
  }
  return out + "\n";
}

base::Json List(const std::vector<std::string>& items) {
  base::JsonArray list;
  for (const std::string& item : items) list.push_back(base::Json(item));
  return list;
}

void ExpectFields(const base::JsonObject& read, const mail::EmailPayload& mail,
                  const std::string& id) {
  ASSERT_TRUE(read.contains("from"));
  EXPECT_EQ(read.at("from"), List({mail.from}));
  EXPECT_EQ(read.at("to"), List(mail.to));
  EXPECT_EQ(read.at("cc"), mail.cc.empty() ? base::Json(nullptr) : List(mail.cc));
  EXPECT_TRUE(read.at("bcc").is_null());
  EXPECT_EQ(read.at("subject").as_string(), mail.subject);
  EXPECT_EQ(read.at("id").as_string(), id);
  EXPECT_EQ(read.at("type").as_string(), mail.html ? "text/html" : "text/plain");
  EXPECT_EQ(read.at("charset").as_string(), "utf-8");
  EXPECT_EQ(read.at("mime").as_string(), "1.0");
  EXPECT_EQ(base::ToText(read.at("defects")), "[]");
  EXPECT_EQ(read.at("body").as_string(), Normalized(mail.body));
}

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

TEST(EmailVectors, AnIndependentParserGivesEveryPayloadBackFieldByField) {
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
    messages.push_back(*message);
    mails.push_back(*mail);
  }
  const auto read = ReadBack(messages);
  for (std::size_t i = 0; i < read.size(); ++i) {
    SCOPED_TRACE(i);
    ExpectFields(read[i], mails[i], ids[i]);
    EXPECT_EQ(Text(read[i], "date"), "Tue, 18 Aug 2026 09:14:02 +0000");
  }
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
  const auto read = ReadBack(messages);
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
  const auto read = ReadBack(messages);
  for (std::size_t i = 0; i < read.size(); ++i) ExpectFields(read[i], mails[i], "<1@example.com>");
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
  const auto read = ReadBack(messages);
  for (std::size_t i = 0; i < read.size(); ++i) {
    SCOPED_TRACE(messages[i]);
    ExpectFields(read[i], mails[i], "<1@example.com>");
  }
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
