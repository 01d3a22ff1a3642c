// Messages with names, threading, alternatives and attachments, read back by two parsers.
#include <gtest/gtest.h>

#include <random>

#include "tests/vault/adapters/email/read_back.h"
#include "vault/adapters/email/email_message.h"

namespace approval::adapters::email {
namespace {

constexpr std::int64_t kNow = 1787044442000;  // 2026-08-18T09:14:02Z
constexpr const char* kId = "<1@example.com>";

mail::EmailPayload Mail() {
  mail::EmailPayload mail;
  mail.from = "sender@example.com";
  mail.to = {"rcpt@example.net"};
  mail.subject = "s";
  mail.body = "body\n";
  return mail;
}

mail::Attachment File(const std::string& name, const std::string& bytes,
                      const std::string& type = "application/octet-stream") {
  return {name, type, base::Sha256Hex(bytes), bytes.size(), "", bytes};
}

std::string Composed(const mail::EmailPayload& mail) {
  const auto message = ComposeMessage(mail, kId, kNow);
  EXPECT_TRUE(message);
  return message.value_or("");
}

void ExpectBack(const std::vector<mail::EmailPayload>& mails) {
  std::vector<std::string> messages;
  for (const mail::EmailPayload& mail : mails) messages.push_back(Composed(mail));
  ExpectReadBack(messages, mails, std::vector<std::string>(mails.size(), kId));
}

TEST(WholeMessage, DisplayNamesComeBackWhateverLettersTheyHave) {
  std::vector<mail::EmailPayload> mails;
  for (const char* name :
       {"Ada", "Ada Lovelace", "Lovelace, Ada", "Ada \"the first\" Lovelace", "back\\slash",
        "J. R. (Bob) Dobbs; Ltd: x", "Jürgen Müller", "山田 太郎", "Ада Лавлейс", "semi=equals?",
        "a_b", "'quoted'", "🔐 Desk", "Ünal, \"x\" (y)"}) {
    mails.push_back(Mail());
    mails.back().from_name = name;
    mails.back().cc = {"c@example.net", "d@example.net"};
    mails.back().names = {{"rcpt@example.net", name}, {"d@example.net", name}};
  }
  ExpectBack(mails);
}

TEST(WholeMessage, ANameOf128LettersIsFoldedAndComesBack) {
  mail::EmailPayload mail = Mail();
  for (int i = 0; i < 128; ++i) mail.from_name += "ü";
  ExpectBack({mail});
}

TEST(WholeMessage, ThreadingHeadersAreFoldedAndComeBack) {
  mail::EmailPayload mail = Mail();
  mail.reply_to = "desk@example.com";
  for (int i = 0; i < 100; ++i) {
    mail.references.push_back("<" + std::string(60, 'a') + std::to_string(i) + "@example.net>");
  }
  mail.in_reply_to = mail.references.back();
  ExpectBack({mail});
  const std::string message = Composed(mail);
  for (std::size_t at = 0; at < message.size();) {
    const std::size_t end = message.find("\r\n", at);
    EXPECT_LE(end - at, 120u);
    at = end + 2;
  }
}

TEST(WholeMessage, AnAlternativeComesBackBesideTheText) {
  mail::EmailPayload mail = Mail();
  mail.html_alternative = "<p>über\n.\n" + std::string(1200, 'x') + "</p>";
  ExpectBack({mail});
}

TEST(WholeMessage, AttachmentsComeBackByteForByte) {
  std::string every;
  for (int i = 0; i < 256; ++i) every.push_back(static_cast<char>(i));
  mail::EmailPayload mail = Mail();
  mail.attachments = {File("empty.bin", ""), File("every.bin", every),
                      File("a.txt", ".\r\n..\nFrom x\r", "text/plain"),
                      File("lines.csv", std::string(5000, '\n'), "text/csv")};
  mail::EmailPayload both = mail;
  both.html_alternative = "<p>";
  ExpectBack({mail, both});
}

TEST(WholeMessage, FileNamesComeBackWhateverLettersTheyHave) {
  std::vector<mail::EmailPayload> mails;
  for (const char* name : {"a b.pdf", "größe.pdf", "請求書 2026.pdf", "a\"b;c=d'.txt", "a%41.txt",
                           "x@2x.png", "100% (final), v2.docx"}) {
    mails.push_back(Mail());
    mails.back().attachments = {File(name, "x")};
  }
  mails.push_back(Mail());
  std::string longest;
  for (int i = 0; i < 124; ++i) longest += "ü";
  mails.back().attachments = {File(longest + ".pdf", "x")};
  ExpectBack(mails);
}

TEST(WholeMessage, RandomMailsComeBack) {
  std::minstd_rand engine(5);
  const auto below = [&](std::size_t count) { return static_cast<std::size_t>(engine()) % count; };
  const std::vector<std::string> letters = {"a", "Z", "ü", "é", "Ж", "山", "🔐", "\"", "\\", ",",
                                            "(", ")", ";", ":", "'", "=",  "?", "_",  ".",  "-"};
  const auto line = [&] {
    std::string out = "x";
    for (std::size_t n = below(30); n > 0; --n) {
      const std::string& next = letters[below(letters.size())];
      if (out.back() == '=' && next == "?") continue;
      out += next;
      if (below(5) == 0 && n > 1) out += " " + letters[below(6)];
    }
    return out;
  };
  std::vector<mail::EmailPayload> mails;
  for (int i = 0; i < 60; ++i) {
    mail::EmailPayload mail = Mail();
    mail.from_name = line();
    mail.names = {{"rcpt@example.net", line()}};
    mail.subject = line();
    mail.body = line() + "\n" + line();
    if (below(2) == 0) mail.html_alternative = line();
    for (std::size_t n = below(3); n > 0; --n) mail.attachments.push_back(File(line(), line()));
    mails.push_back(std::move(mail));
  }
  ExpectBack(mails);
}

TEST(WholeMessage, TheSameMailGivesTheSameBytes) {
  mail::EmailPayload mail = Mail();
  mail.html_alternative = "<p>";
  mail.attachments = {File("a", "b")};
  EXPECT_EQ(Composed(mail), Composed(mail));
}

TEST(WholeMessage, EverythingIsSevenBitWithCrLf) {
  mail::EmailPayload mail = Mail();
  mail.from_name = "ü";
  mail.html_alternative = "ü\r\n\r";
  mail.attachments = {File("ü", std::string(10'000, '\xff'))};
  const std::string message = Composed(mail);
  for (std::size_t i = 0; i < message.size(); ++i) {
    ASSERT_LT(static_cast<unsigned char>(message[i]), 0x7f);
    ASSERT_EQ(message[i] == '\n', i > 0 && message[i - 1] == '\r');
  }
}

TEST(WholeMessage, FR190_BlindCopiesAreInNoHeaderOfAMailWithParts) {
  mail::EmailPayload mail = Mail();
  mail.bcc = {"hidden@example.org"};
  mail.attachments = {File("a", "b")};
  EXPECT_EQ(Composed(mail).find("hidden"), std::string::npos);
}

}  // namespace
}  // namespace approval::adapters::email
