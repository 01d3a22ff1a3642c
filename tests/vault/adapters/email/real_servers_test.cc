// Mails through servers of the system: postfix with dovecot, exim and aiosmtpd. What each delivers
// is read back by two parsers and compared with the payload, field by field.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "core/base/encoding.h"
#include "tests/support/background.h"
#include "tests/support/smtp_server.h"
#include "tests/support/vectors.h"
#include "tests/vault/adapters/email/read_back.h"
#include "vault/adapters/email/email_message.h"
#include "vault/adapters/email/smtp_session.h"
#include "vault/adapters/email/wire_mail.h"

namespace approval::adapters::email {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kNow = 1787044442000;
constexpr const char* kUser = "sender@example.com";
constexpr const char* kPassword = "fake-app-password-0001";
const SmtpLimits kLimits{60'000, 60'000};

std::string RandomBytes(std::size_t count) {
  std::string bytes(count, '\0');
  std::uint64_t state = 42;
  for (char& byte : bytes) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    byte = static_cast<char>(state >> 56);
  }
  return bytes;
}

class RealServers : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string programs = APPROVAL_SOURCE_DIR "/tests/support/programs/";
    std::vector<std::string> argv = {"/usr/bin/python3"};
    const bool catcher = std::string_view(GetParam()) == "aiosmtpd";
    if (catcher) {
      mail_ = folder_.Path("mail");
      argv.insert(argv.end(), {programs + "mail_catcher.py", "--dir", mail_, "--refuse",
                               "refused@example.net"});
    } else {
      argv.insert(argv.end(), {programs + "real_mail_server.py", GetParam()});
    }
    argv.insert(argv.end(), {"--user", kUser, "--password", kPassword, "--certificate",
                             certificates_.certificate(), "--key", certificates_.key()});
    server_ = std::make_unique<testing::Background>(argv);
    const auto ready =
        base::ParseJson(server_->Line(std::chrono::seconds(60)).value_or(""), base::kStrictJson);
    ASSERT_TRUE(ready) << GetParam() << " did not start";
    if (ready->as_object().contains("missing")) {
      const std::string what(ready->at("missing").as_string());
      if (testing::InCi()) FAIL() << what << " is missing; run tools/install_packages.sh test";
      GTEST_SKIP() << what << " is missing; run tools/install_packages.sh test";
    }
    port_ = static_cast<int>(ready->at("port").as_int64());
    if (!catcher) mail_ = ready->at("mail").as_string();
  }

  void TearDown() override {
    if (port_ == 0) return;
    server_->Signal(SIGTERM);
    EXPECT_EQ(server_->Wait(std::chrono::seconds(40)), 0);
  }

  SmtpServer Target() const {
    SmtpServer target;
    target.host = "localhost";
    target.port = port_;
    target.user = kUser;
    target.password = base::Secret(kPassword);
    target.ca_file = certificates_.ca();
    target.ehlo_name = "client.example.com";
    return target;
  }

  SmtpResult Send(const mail::EmailPayload& mail, const std::string& id) const {
    return SendMessage(Target(), {mail.from, mail.Recipients()}, *ComposeMessage(mail, id, kNow),
                       kLimits);
  }

  std::vector<std::string> Delivered() const {
    std::vector<std::string> texts;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(mail_, none)) {
      const std::string name = entry.path().filename().string();
      if (name.find(".json") == std::string::npos && name.find(".part") == std::string::npos) {
        texts.push_back(testing::ReadText(entry.path()));
      }
    }
    return texts;
  }

  // Servers deliver after they answered.
  std::vector<std::string> Await(std::size_t count) const {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(40);
    std::vector<std::string> texts;
    while ((texts = Delivered()).size() < count && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    EXPECT_EQ(texts.size(), count);
    return texts;
  }

  testing::TempFolder folder_;
  testing::TestCertificates certificates_;
  std::unique_ptr<testing::Background> server_;
  std::string mail_;
  int port_ = 0;
};

base::JsonObject Bare(const char* subject, const std::string& body) {
  return {{"from", kUser},
          {"to", base::JsonArray{"rcpt@example.net"}},
          {"subject", subject},
          {"body", body}};
}

// Every kind of content that is known to break on the way.
std::vector<base::Json> Payloads(const testing::TempFolder& folder) {
  std::vector<base::Json> all;
  all.push_back(Bare("plain", "hello\n\nworld"));
  base::JsonObject names = Bare("Rückerstattung – zweite Mahnung: 請求書", "Grüße 🔐\n");
  names["from_name"] = "Jürgen \"J\" Müller, Ltd.";
  names["to"] = base::JsonArray{"rcpt@exämple.example"};
  names["names"] = base::JsonObject{{"rcpt@exämple.example", "山田 太郎"}};
  names["reply_to"] = "desk@example.com";
  all.push_back(names);
  all.push_back(Bare("long lines", std::string(998, 'a') + "\n" + std::string(999, 'b') + "\n" +
                                       std::string(5000, 'c')));
  all.push_back(Bare("dots", ".\n..\n.a\r\n\r\n.\r\nMAIL FROM:<x@evil.example>\nFrom here\n\n."));
  base::JsonObject thread = Bare("Re: thread", "text");
  thread["html"] = "<p>über\n.\n</p>";
  thread["in_reply_to"] = "<1@example.net>";
  thread["references"] = base::JsonArray{"<0@example.net>", "<1@example.net>"};
  all.push_back(thread);
  const std::string big = RandomBytes(10'000'000);
  folder.Write("big.bin", big);
  base::JsonObject files = Bare("files", "see attached");
  files["attachments"] =
      base::JsonArray{base::JsonObject{{"name", "größe 1.bin"},
                                       {"type", "application/octet-stream"},
                                       {"path", folder.Path("big.bin")},
                                       {"sha256", base::Sha256Hex(big)},
                                       {"size", big.size()}},
                      base::JsonObject{{"name", "note.txt"},
                                       {"type", "text/plain"},
                                       {"base64", base::Base64Encode(".\r\nFrom x\n")}}};
  all.push_back(files);
  return all;
}

TEST_P(RealServers, EveryMailArrivesAsItWasApproved) {
  std::vector<mail::EmailPayload> mails;
  for (const base::Json& payload : Payloads(folder_)) {
    auto mail = ReadWireMail(payload);
    ASSERT_TRUE(mail) << mail.error().message;
    const std::string id = "<" + std::to_string(mails.size()) + "@example.com>";
    const SmtpResult sent = Send(*mail, id);
    ASSERT_EQ(sent.kind, SmtpResult::Kind::kSent) << sent.code << " " << sent.message;
    EXPECT_TRUE(sent.secure);
    EXPECT_EQ(sent.auth, "PLAIN");
    mails.push_back(std::move(*mail));
  }
  std::vector<std::string> messages(mails.size());
  for (const std::string& text : Await(mails.size())) {
    const std::string id(base::StringMember(GmimeReader::Read(text), "message_id").value_or(""));
    ASSERT_EQ(id.substr(2), "@example.com>");
    messages.at(static_cast<std::size_t>(id[1] - '0')) = text;
  }
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < mails.size(); ++i) {
    ids.push_back("<" + std::to_string(i) + "@example.com>");
  }
  ExpectReadBack(messages, mails, ids);
}

TEST_P(RealServers, OneRefusedRecipientOfThreeMeansThatNobodyGetsIt) {
  mail::EmailPayload mail;
  mail.from = kUser;
  mail.to = {"one@example.net", "refused@example.net", "three@example.net"};
  const SmtpResult refused = Send(mail, "<1@example.com>");
  EXPECT_EQ(refused.kind, SmtpResult::Kind::kFailed);
  EXPECT_EQ(refused.code, "smtp-550");
  // A second mail shows that the first would have been here by now.
  mail.to = {"one@example.net"};
  EXPECT_EQ(Send(mail, "<2@example.com>").kind, SmtpResult::Kind::kSent);
  EXPECT_NE(Await(1).at(0).find("<2@example.com>"), std::string::npos);
}

TEST_P(RealServers, ABlindCopyArrivesAndIsInNoHeader) {
  mail::EmailPayload mail;
  mail.from = kUser;
  mail.to = {"one@example.net"};
  mail.bcc = {"hidden@example.net"};
  mail.body = "b";
  ASSERT_EQ(Send(mail, "<1@example.com>").kind, SmtpResult::Kind::kSent);
  const bool one_file = std::string_view(GetParam()) == "aiosmtpd";
  for (const std::string& text : Await(one_file ? 1 : 2)) {
    EXPECT_EQ(base::ToText(GmimeReader::Read(text)),
              base::ToText(Expected(mail, "<1@example.com>")));
    EXPECT_EQ(text.find("Bcc"), std::string::npos);
  }
}

TEST_P(RealServers, AWrongPasswordIsRefusedAndTheProbeSaysSo) {
  SmtpServer target = Target();
  EXPECT_EQ(ProbeServer(target, kLimits).kind, SmtpResult::Kind::kSent);
  target.password = base::Secret("wrong");
  const SmtpResult refused = ProbeServer(target, kLimits);
  EXPECT_EQ(refused.kind, SmtpResult::Kind::kFailed);
  EXPECT_EQ(refused.code, "smtp-535");
}

INSTANTIATE_TEST_SUITE_P(Of, RealServers, ::testing::Values("postfix", "exim", "aiosmtpd"),
                         [](const auto& it) { return std::string(it.param); });

}  // namespace
}  // namespace approval::adapters::email
