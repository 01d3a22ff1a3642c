#include "tests/e2e/story.h"

#include <gtest/gtest.h>

#include <filesystem>

#include <boost/json/array.hpp>

#include "core/base/files.h"

namespace approval::testing {
namespace {

using base::Json;
using base::JsonObject;

constexpr const char* kPython = "/usr/bin/python3";

// Reads one .eml and its envelope with the standard library's parser, independent of ours.
constexpr const char* kReadMail = R"py(
import email, email.policy, json, sys
with open(sys.argv[1], 'rb') as f:
    m = email.message_from_bytes(f.read(), policy=email.policy.default)
with open(sys.argv[1][:-4] + '.json') as f:
    facts = json.load(f)
def people(name):
    return [a.addr_spec for a in m[name].addresses] if m[name] is not None else []
print(json.dumps({
    'from': m['from'].addresses[0].addr_spec, 'to': people('to'), 'cc': people('cc'),
    'bcc': people('bcc'), 'subject': str(m['subject']), 'body': m.get_content(),
    'message_id': str(m['message-id']), 'type': m.get_content_type(),
    'envelope': facts['recipients'], 'tls': facts['tls'], 'login': facts['login']}))
)py";

std::string Policy(const StoryOptions& options) {
  return "# Test policy\n\n```yaml approval-policy\nversion: \"0.1\"\ndefaults:\n"
         "  autonomy: manual\n  approval_ttl: 1h\n  token_delivery: " +
         std::string(options.sealed ? "sealed" : "manual") +
         "\nclasses:\n  communicate.*: { autonomy: manual }\n" + options.approvers + "```\n";
}

}  // namespace

Story::Story(const StoryOptions& options) {
  environment_["APPROVAL_HUMAN"] = "human:alice";
  environment_["APPROVAL_VAULT_PASSPHRASE"] = "correct horse";
  EXPECT_EQ(Run({"init"}).exit, 0);
  folder_.Write("APPROVAL.md", Policy(options));
  EXPECT_EQ(Run({"policy", "attest"}).exit, 0);
  if (options.mail_server) {
    StartMailServer();
    FillVault();
  }
}

RunResult Story::Run(std::vector<std::string> arguments, const std::string& input) {
  return RunApproval(std::move(arguments), {folder_.path(), input, environment_});
}

JsonObject Story::Json(std::vector<std::string> arguments, int exit) {
  arguments.emplace_back("--json");
  const RunResult result = Run(arguments);
  EXPECT_EQ(result.exit, exit) << arguments.front() << ": " << result.out << result.err;
  const auto parsed =
      base::ParseJson(result.out.empty() ? result.err : result.out, base::kLenientJson);
  EXPECT_TRUE(parsed && parsed->is_object()) << result.out << result.err;
  return parsed && parsed->is_object() ? parsed->get_object() : JsonObject{};
}

std::unique_ptr<Background> Story::Up(std::vector<std::string> flags) {
  std::vector<std::string> argv = {ApprovalProgram(), "up", "--json"};
  argv.insert(argv.end(), flags.begin(), flags.end());
  RunOptions options;
  options.folder = folder_.path();
  options.environment = environment_;
  return std::make_unique<Background>(argv, options);
}

void Story::StartMailServer() {
  RunOptions options;
  options.folder = folder_.path();
  const RunResult made =
      RunProcess({"openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
                  "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout",
                  "server.key", "-out", "server.pem"},
                 options);
  ASSERT_EQ(made.exit, 0) << made.err;
  environment_["SSL_CERT_FILE"] = folder_.Path("server.pem");
  mail_ = std::make_unique<Background>(
      std::vector<std::string>{
          kPython, std::string(APPROVAL_SOURCE_DIR) + "/tests/support/programs/mail_catcher.py",
          "--dir", "mail", "--user", "robot", "--password", "a long password", "--certificate",
          "server.pem", "--key", "server.key"},
      options);
  const auto line = mail_->Line();
  ASSERT_TRUE(line) << "the mail server did not start";
  const auto parsed = base::ParseJson(*line, base::kStrictJson);
  ASSERT_TRUE(parsed) << *line;
  mail_port_ = static_cast<int>(parsed->at("port").as_int64());
}

void Story::FillVault() {
  const std::vector<std::pair<std::string, std::string>> values = {
      {"smtp.host", "localhost"},
      {"smtp.port", std::to_string(mail_port_)},
      {"smtp.security", "starttls"},
      {"smtp.user", "robot"},
      {"smtp.password", "a long password"}};
  for (const auto& [name, value] : values) {
    const RunResult set = Run({"vault", "set", name}, value);
    ASSERT_EQ(set.exit, 0) << name << ": " << set.err;
  }
}

Json Story::SampleMail() {
  return JsonObject{{"from", "me@example.org"},
                    {"to", base::JsonArray{"agency@example.org", "second@example.org"}},
                    {"cc", base::JsonArray{"partner@example.org"}},
                    {"bcc", base::JsonArray{"archive@example.org"}},
                    {"subject", "Deposit refund – 21 Tage überfällig"},
                    {"body", "Dear agency,\n\n.a line that begins with a dot\nGrüße aus Köln\n\n" +
                                 std::string(1200, 'x') + "\nKind regards\n"}};
}

void Story::RequestMail(const std::string& task, const std::string& key,
                        const base::Json& message) {
  folder_.Write("message.json", base::ToText(message));
  const std::string hash(*base::StringMember(Json({"payload", "hash", "message.json"}), "hash"));
  folder_.Write(task + ".md", "---\nid: " + task +
                                  "\napproval:\n  origin: { app: story, created_by: "
                                  "\"agent:robot\" }\n  state: proposed\n  actions:\n    - class: "
                                  "communicate.email.external\n      idempotency_key: \"" +
                                  key +
                                  "\"\n      summary: chase the deposit\n      "
                                  "reversible: false\n      est_cost_usd: 0.02\n      "
                                  "payload_hash: \"" +
                                  hash + "\"\n---\n");
  Json({"register", task + ".md", "--as", "agent:robot"});
  Json({"request", task, "--action", key, "--payload", "message.json", "--as", "agent:robot"});
}

std::size_t Story::CountMails() {
  std::size_t count = 0;
  if (!std::filesystem::exists(folder_.Path("mail"))) return 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.Path("mail"))) {
    if (entry.path().extension() == ".eml") ++count;
  }
  return count;
}

base::Json Story::ReceivedMail() {
  if (CountMails() == 0) return nullptr;
  const RunResult read = RunProcess({kPython, "-c", kReadMail, folder_.Path("mail/0001.eml")});
  EXPECT_EQ(read.exit, 0) << read.err;
  const auto parsed = base::ParseJson(read.out, base::kStrictJson);
  EXPECT_TRUE(parsed) << read.out;
  return parsed ? *parsed : base::Json(nullptr);
}

std::vector<std::string> Story::Events() {
  EXPECT_EQ(base::StringMember(Json({"log", "verify"}), "status"), "clean");
  std::vector<std::string> events;
  const JsonObject exported = Json({"log", "export"});
  for (const base::Json& record : exported.at("records").as_array()) {
    events.emplace_back(record.at("event").as_string());
  }
  return events;
}

std::string Story::LogBytes() {
  return base::ReadFile(folder_.Path(".approval/log/events.jsonl")).value_or("");
}

std::string DifferenceOf(const base::Json& payload, const base::Json& received) {
  if (!received.is_object()) return "nothing was received";
  std::string difference;
  const JsonObject& sent = payload.as_object();
  const JsonObject& got = received.as_object();
  for (const char* name : {"from", "to", "cc", "subject"}) {
    if (sent.contains(name) && sent.at(name) != got.at(name)) {
      difference += std::string(name) + ": " + base::ToText(got.at(name)) + "\n";
    }
  }
  // The message has one line end behind the body, as every message does.
  std::string body(got.at("body").as_string());
  std::erase(body, '\r');  // lines end in CR LF on the way
  const std::string wanted(sent.at("body").as_string());
  if (body != wanted && body != wanted + "\n") difference += "body: " + body + "\n";
  if (!got.at("bcc").as_array().empty()) difference += "a Bcc header was sent\n";
  base::JsonArray everybody;
  for (const char* name : {"to", "cc", "bcc"}) {
    if (!sent.contains(name)) continue;
    for (const base::Json& one : sent.at(name).as_array()) everybody.push_back(one);
  }
  if (got.at("envelope") != base::Json(everybody)) {
    difference += "envelope: " + base::ToText(got.at("envelope")) + "\n";
  }
  if (!got.at("tls").as_bool()) difference += "sent without TLS\n";
  if (got.at("login").is_null()) difference += "sent without a login\n";
  return difference;
}

}  // namespace approval::testing
