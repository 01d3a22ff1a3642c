#include "vault/mail/email_payload.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/vectors.h"

namespace approval::mail {
namespace {

base::Json Payload(const std::string& subject) {
  return base::JsonObject{{"from", "a@example.com"},
                          {"to", base::JsonArray{"b@example.net"}},
                          {"subject", subject},
                          {"body", "b"}};
}

// Shapes that the reference takes and the specification says to refuse (adapters.md 3.1).
bool IsStricterHere(const std::string& note, const base::Json& payload) {
  static const std::set<std::string> kNotes = {"subject tab", "subject NUL",
                                               "body with lone surrogate"};
  if (kNotes.contains(note)) return true;
  const base::JsonObject& object = payload.as_object();
  const base::Json* to = object.if_contains("to");
  if (to == nullptr || !to->is_array() || to->as_array().empty()) return false;
  const std::string address(to->as_array()[0].as_string());
  const std::size_t at = address.find('@');
  return address.size() > 254 || at > 64 || address.find("..") != std::string::npos ||
         address[0] == '.' || address[at - 1] == '.';
}

TEST(EmailVectors, PayloadsAreJudgedAsRecordedExceptWhereTheSpecificationIsStricter) {
  APPROVAL_REQUIRE_VECTORS();
  const auto units = testing::ReadJsonFile(testing::VectorsDir() / "email/units.json");
  int stricter = 0;
  for (const base::Json& row : units.as_object().at("validate").as_array()) {
    const base::JsonObject& it = row.as_object();
    const std::string note(it.at("note").as_string());
    const bool accepted = ReadEmailPayload(it.at("payload")).has_value();
    if (it.at("ok").as_bool() && IsStricterHere(note, it.at("payload"))) {
      ++stricter;
      EXPECT_FALSE(accepted) << note;
    } else {
      EXPECT_EQ(accepted, it.at("ok").as_bool()) << note;
    }
  }
  EXPECT_GT(stricter, 5);
}

TEST(EmailPayload, FR185_LineEndsAndControlsInASubjectAreRefused) {
  for (const char* subject :
       {"hi\r\nBcc: x@evil.example", "a\nb", "a\rb", "a\tb", "a\x1b[0m", "a\x7f",
        "a\xc2\x85"
        "b"}) {
    EXPECT_FALSE(ReadEmailPayload(Payload(subject))) << subject;
  }
  EXPECT_TRUE(ReadEmailPayload(Payload("ordinary ü subject")));
}

TEST(EmailPayload, FR193_AddressesAreAsciiOnly) {
  EXPECT_FALSE(IsMailAddress("\xd0\xb0gency@example.com"));
  EXPECT_FALSE(IsMailAddress("agency@ex\xd0\xb0mple.com"));
  EXPECT_TRUE(IsMailAddress("agency@xn--exmple-cua.com"));
}

TEST(EmailPayload, AnUnknownMemberIsRefusedByName) {
  base::Json payload = Payload("s");
  payload.as_object()["attachments"] = base::JsonArray{};
  const auto read = ReadEmailPayload(payload);
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().find("\"attachments\""), std::string::npos);
}

TEST(EmailPayload, TheEnvelopeIsToThenCcThenBccWithDuplicates) {
  base::Json payload = Payload("s");
  payload.as_object()["cc"] = base::JsonArray{"c@example.net", "b@example.net"};
  payload.as_object()["bcc"] = base::JsonArray{"d@example.net"};
  EXPECT_EQ(ReadEmailPayload(payload)->Recipients(),
            (std::vector<std::string>{"b@example.net", "c@example.net", "b@example.net",
                                      "d@example.net"}));
}

TEST(EmailPayload, LengthsOfAddressAndLocalPartAreBounded) {
  EXPECT_TRUE(IsMailAddress(std::string(64, 'a') + "@example.com"));
  EXPECT_FALSE(IsMailAddress(std::string(65, 'a') + "@example.com"));
  EXPECT_TRUE(IsMailAddress("a@" + std::string(252, 'b')));
  EXPECT_FALSE(IsMailAddress("a@" + std::string(253, 'b')));
}

}  // namespace
}  // namespace approval::mail
