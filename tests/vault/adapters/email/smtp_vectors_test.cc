// Recorded server behaviour, played by a scripted server, and what comes out of a session with it.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "core/base/json.h"
#include "tests/support/vectors.h"
#include "tests/vault/adapters/email/smtp_rig.h"

namespace approval::adapters::email {
namespace {

std::string Text(const base::JsonObject& object, const char* name) {
  return std::string(base::StringMember(object, name).value_or(""));
}

bool Starts(const std::string& text, const char* with) { return text.rfind(with, 0) == 0; }

// The server's side of a recorded dialogue as a script.
SmtpScript ScriptOf(const std::string& name, const std::string& wire) {
  SmtpScript script;
  std::string step = "greeting";
  bool tls = false, body = false;
  int recipients = 0;
  std::istringstream lines(wire);
  std::map<std::string, std::string> answers;
  answers[step];
  for (std::string line; std::getline(lines, line);) {
    if (Starts(line, "--")) {
      tls = true;
    } else if (Starts(line, "S: ")) {
      std::string text = line.substr(3);
      const std::size_t cut = text.find("<no CRLF>");
      answers[step] += cut != std::string::npos     ? text.substr(0, cut)
                       : name == "greeting-bare-lf" ? text + "\n"
                                                    : text + "\r\n";
    } else if (Starts(line, "C: ")) {
      const std::string text = line.substr(3);
      if (body) {
        if (text != ".") continue;
        body = false;
        step = "message";
      } else if (Starts(text, "EHLO")) {
        step = tls ? "EHLO2" : "EHLO";
      } else if (Starts(text, "MAIL")) {
        step = "MAIL";
      } else if (Starts(text, "RCPT")) {
        step = "RCPT" + std::to_string(++recipients);
      } else if (text == "DATA") {
        step = "DATA";
        body = wire.find("C: .") != std::string::npos;
      } else if (Starts(text, "AUTH PLAIN")) {
        step = "AUTH PLAIN";
      } else if (text == "AUTH LOGIN") {
        step = "AUTH LOGIN";
      } else if (step == "AUTH LOGIN") {
        step = "user";
      } else if (step == "user") {
        step = "password";
      } else {
        step = text;
      }
      answers[step];
    }
  }
  for (auto& [at, text] : answers) {
    if (!text.empty()) {
      script.answers[at] = text;
    } else if (at != "QUIT" || name == "quit-close") {
      script.answers[at] = name.find("stall") != std::string::npos ? "<stall>" : "<close>";
    }
  }
  return script;
}

struct Played {
  SmtpResult result;
  int connections = 0;
  std::vector<std::string> commands;
  bool data_received = false;
};

Played Play(const base::JsonObject& row) {
  const std::string name = Text(row, "name");
  SmtpScript script;
  if (row.at("wire").is_string()) {
    script = ScriptOf(name, testing::ReadText(testing::VectorsDir() / "email" / Text(row, "wire")));
  }
  script.implicit_tls = name == "plain-on-tls-port" || name == "implicit-strict-cert";
  testing::SmtpServer server(script, Certificates());
  SmtpServer target;
  target.host = name == "host-unknown" ? "no-such-host.invalid" : "localhost";
  target.port = name == "connect-refused" ? 1 : server.port();
  const std::string security = Text(row, "security");
  target.security = security == "implicit"   ? SmtpSecurity::kImplicit
                    : security == "starttls" ? SmtpSecurity::kStartTls
                                             : SmtpSecurity::kNone;
  if (row.at("credentials").as_bool()) {
    target.user = name == "auth-unicode" ? "üser@example.com" : "sender@example.com";
    target.password =
        base::Secret(std::string(name == "user-only"      ? ""
                                 : name == "auth-unicode" ? "pä ss"
                                                          : "fake-app-password-0001"));
  }
  if (name.find("strict-cert") == std::string::npos) target.ca_file = Certificates().ca();
  target.ehlo_name = "approval.md";
  const SmtpLimits limits{1500, 300};
  Played played;
  played.result =
      Text(row, "kind") == "probe"
          ? ProbeServer(target, limits)
          : SendMessage(target,
                        {"sender@example.com", {"a@example.net", "b@example.net", "c@example.net"}},
                        kMessage, limits);
  played.connections = server.connections();
  played.commands = server.commands();
  played.data_received = server.data_complete();
  return played;
}

// Where the specification or the library decides otherwise than the recording.
struct Difference {
  SmtpResult::Kind kind;
  const char* code;
};
const std::map<std::string, Difference>& Differences() {
  using Kind = SmtpResult::Kind;
  static const std::map<std::string, Difference> table = {
      // After the final dot no answer is an unknown outcome (adapters.md 3.4).
      {"message-close", {Kind::kUnknown, "smtp-protocol-error"}},
      {"message-stall", {Kind::kUnknown, "smtp-timeout"}},
      // Credentials without an offer that the library acts on: no mail (spec README item 8).
      {"auth-none-advertised", {Kind::kFailed, "smtp-protocol-error"}},
      {"auth-lowercase", {Kind::kFailed, "smtp-protocol-error"}},
      {"auth-equals-form", {Kind::kFailed, "smtp-protocol-error"}},
      // Refused before connecting.
      {"none-with-credentials", {Kind::kFailed, "smtp-tls-failed"}},
      // Without TLS only this machine is spoken to (spec README item 8).
      {"host-unknown", {Kind::kFailed, "smtp-tls-failed"}},
      // What is injected is seen as one or the other, by how it arrives.
      {"starttls-injection-same-segment", {Kind::kFailed, "smtp-protocol-error"}},
      {"starttls-injection-partial", {Kind::kFailed, "smtp-protocol-error"}},
  };
  return table;
}

// The codes of a session are a closed list and the pattern of a reply.
bool IsKnownCode(const std::string& code) {
  static const std::set<std::string> kCodes = {"smtp-connect-failed",  "smtp-tls-failed",
                                               "smtp-timeout",         "smtp-protocol-error",
                                               "email-config-invalid", "smtp-message-too-large"};
  return kCodes.contains(code) || std::regex_match(code, std::regex("smtp-[1-6][0-9][0-9]"));
}

class SmtpVectors : public ::testing::TestWithParam<std::string> {};

base::Json Failures() {
  return testing::ReadJsonFile(testing::VectorsDir() / "email/failures.json");
}

std::vector<std::string> Names() {
  std::vector<std::string> names;
  if (!testing::VectorsPresent()) return names;
  const base::Json document = Failures();
  for (const base::Json& row : document.as_object().at("cases").as_array()) {
    names.push_back(Text(row.as_object(), "name"));
  }
  return names;
}

TEST_P(SmtpVectors, TheSessionEndsAsRecordedOrAsTheSpecificationSays) {
  const base::Json document = Failures();
  const base::JsonObject* row = nullptr;
  for (const base::Json& it : document.as_object().at("cases").as_array()) {
    if (Text(it.as_object(), "name") == GetParam()) row = &it.as_object();
  }
  ASSERT_NE(row, nullptr);
  const Played played = Play(*row);
  const SmtpResult& result = played.result;
  SCOPED_TRACE(result.code + ": " + result.message);
  EXPECT_EQ(IsKnownCode(result.code), result.kind != SmtpResult::Kind::kSent);
  const auto other = Differences().find(GetParam());
  if (other != Differences().end()) {
    EXPECT_EQ(result.kind, other->second.kind);
    EXPECT_EQ(result.code, other->second.code);
    if (result.kind == SmtpResult::Kind::kFailed) {
      EXPECT_FALSE(played.data_received);
    }
    return;
  }
  EXPECT_EQ(result.kind == SmtpResult::Kind::kSent, row->at("ok").as_bool());
  EXPECT_NE(result.kind, SmtpResult::Kind::kUnknown);
  EXPECT_EQ(result.code, Text(*row, "code"));
  if (row->contains("message")) {
    EXPECT_EQ(result.message, Text(*row, "message"));
  }
  EXPECT_EQ(played.data_received, row->at("data_received").as_bool());
  // A refused PLAIN is followed by LOGIN in a second session here, so its steps differ.
  if (GetParam().find("login") != std::string::npos) {
    EXPECT_EQ(played.connections, 2);
    return;
  }
  base::JsonArray transcript;
  for (const std::string& step : result.transcript) transcript.push_back(base::Json(step));
  EXPECT_EQ(base::ToText(transcript), base::ToText(row->at("transcript")));
  if (row->at("ok").as_bool()) {
    const base::Json authenticated = result.auth ? base::Json(*result.auth) : base::Json(nullptr);
    EXPECT_EQ(authenticated, row->at("authenticated"));
  }
  std::vector<std::string> wanted;
  static const std::set<std::string> kBody = {"Subject: x", "body", "."};
  for (const base::Json& command : row->at("commands").as_array()) {
    const std::string text(command.as_string());
    if (!kBody.contains(text) && text.find('\x16') == std::string::npos) wanted.push_back(text);
  }
  // TLS records that reach a plain server are not commands.
  if (GetParam() == "implicit-on-plain-port") return;
  EXPECT_EQ(played.commands, wanted);
}

INSTANTIATE_TEST_SUITE_P(Failures, SmtpVectors, ::testing::ValuesIn(Names()), [](const auto& it) {
  std::string name = it.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SmtpVectors);

TEST(SmtpVectorsPresence, TheRecordedFailuresAreThere) {
  APPROVAL_REQUIRE_VECTORS();
  EXPECT_GE(Names().size(), 50u);
}

}  // namespace
}  // namespace approval::adapters::email
