// `approval request` refuses a mail that could never be sent, before a person sees it.
#include "tests/cli/project.h"

namespace approval {
namespace {

using base::JsonObject;
using testing::RunResult;

class MailLint : public testing::ProjectTest {
 protected:
  MailLint() {
    PutManualPolicy();
    EXPECT_EQ(Run({"policy", "attest", "--as", "human:alice"}).exit, 0);
  }

  // Declares an action of the class with this payload and asks for it.
  RunResult Request(const base::Json& payload,
                    const std::string& action_class = "communicate.email.external") {
    const std::string task = "t" + std::to_string(++asked_);
    Register(task, action_class, payload);
    before_ = Log();
    return Ask(task);
  }

  static JsonObject Mail() {
    return {{"from", "a@example.com"},
            {"to", base::JsonArray{"b@example.net"}},
            {"subject", "s"},
            {"body", "b"}};
  }

  std::string before_;
  int asked_ = 0;
};

TEST_F(MailLint, FR185_ALineEndInASubjectIsRefusedAndNothingIsAppended) {
  JsonObject mail = Mail();
  mail["subject"] = "hi\r\nBcc: x@evil.example";
  const RunResult refused = Request(mail);
  EXPECT_EQ(refused.exit, 1);
  EXPECT_NE(refused.err.find("\"code\":\"email-payload-invalid\""), std::string::npos)
      << refused.err;
  EXPECT_EQ(Log(), before_);
}

TEST_F(MailLint, EachBadAddressIsRefused) {
  for (const std::string& address :
       {std::string("a@b\r\nRCPT TO:<x@evil.example>"), std::string("\"a b\"@example.com"),
        std::string("a(comment)@example.com"), std::string("@relay.example:a@example.com"),
        std::string(300, 'a') + "@example.com", std::string("a@ex\u0430mple.com")}) {
    JsonObject mail = Mail();
    mail["to"] = base::JsonArray{address};
    EXPECT_EQ(Request(mail).exit, 1) << address;
    EXPECT_EQ(Log(), before_);
  }
}

TEST_F(MailLint, AMailWithEveryMemberIsAsked) {
  JsonObject mail = Mail();
  mail["from_name"] = "Ada";
  mail["reply_to"] = "desk@example.com";
  mail["html"] = "<p>b</p>";
  mail["attachments"] =
      base::JsonArray{JsonObject{{"name", "a.txt"}, {"type", "text/plain"}, {"base64", "YWJj"}}};
  const RunResult asked = Request(mail);
  EXPECT_EQ(asked.exit, 0) << asked.err;
}

TEST_F(MailLint, ADraftOfAProviderPasses) {
  JsonObject draft{{"inbox_id", "i"}, {"draft_id", "d"}, {"to", base::JsonArray{"a@example.net"}},
                   {"from", 1},       {"subject", "s"},  {"text", "t"}};
  EXPECT_EQ(Request(draft).exit, 0);
}

TEST_F(MailLint, AnotherClassMaySayWhatItWants) {
  JsonObject mail = Mail();
  mail["headers"] = "x";
  EXPECT_EQ(Request(mail, "notes.write").exit, 0);
}

}  // namespace
}  // namespace approval
