#include "vault/adapters/agentmail/agentmail_payload.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/canonical.h"
#include "tests/support/vectors.h"
#include "vault/adapters/agentmail/agentmail_api.h"

namespace approval::adapters::agentmail {
namespace {

using base::Json;
using base::JsonArray;
using base::JsonObject;

Json Parsed(const std::string& text) { return base::ParseJson(text, base::kStrictJson).value(); }

Json Cases() { return testing::ReadJsonFile(testing::VectorsDir() / "agentmail/cases.json"); }

JsonObject Approved() {
  return {{"inbox_id", "agent@example.com"},
          {"draft_id", "d-1"},
          {"to", JsonArray{"a@example.net"}},
          {"subject", "S"},
          {"text", "T\n"}};
}

std::string CodeOf(const Json& payload) {
  const auto read = ReadPayload(payload);
  return read ? "" : read.error().code;
}

TEST(AgentmailVectors, TheSnapshotExampleHasItsCanonicalFormAndHash) {
  APPROVAL_REQUIRE_VECTORS();
  const Json cases = Cases();
  const JsonObject& example = cases.at("snapshot_example").as_object();
  const JsonObject& payload = example.at("payload").as_object();
  const auto snapshot = SnapshotOf("agent@example.com", "d-1", payload);
  ASSERT_TRUE(snapshot) << snapshot.error();
  EXPECT_EQ(*base::Canonicalize(*snapshot), *base::StringMember(example, "canonical"));
  EXPECT_EQ(*base::CanonicalHash(*snapshot), *base::StringMember(example, "payload_hash"));
}

// One row of the vectors pins what the reference does not compare; our rule is stricter there
// (adapters.md 4.2), as the vectors' own README says.
TEST(AgentmailVectors, DriftIsSeenMemberByMemberAndUnboundMembersAreDrift) {
  APPROVAL_REQUIRE_VECTORS();
  const Json cases = Cases();
  std::size_t compared = 0;
  for (const Json& row : cases.at("drift").as_array()) {
    const JsonObject& it = row.as_object();
    std::vector<std::string> wanted;
    for (const Json& name : it.at("drifted").as_array()) wanted.emplace_back(name.as_string());
    if (*base::StringMember(it, "note") == "extra server fields ignored") {
      wanted = {"html", "attachments", "reply_to", "send_at"};
    }
    EXPECT_EQ(DriftOf(it.at("approved").as_object(), it.at("fetched").as_object()), wanted)
        << *base::StringMember(it, "note");
    ++compared;
  }
  EXPECT_EQ(compared, 11U);
}

TEST(AgentmailVectors, MarkersDecideTheMode) {
  APPROVAL_REQUIRE_VECTORS();
  const Json cases = Cases();
  std::size_t compared = 0;
  for (const Json& row : cases.at("mode").as_array()) {
    const JsonObject& it = row.as_object();
    const auto read = ReadPayload(Parsed(std::string(*base::StringMember(it, "json"))));
    const std::string wanted(*base::StringMember(it, "expect"));
    if (wanted == "direct") {
      ASSERT_TRUE(read);
      EXPECT_TRUE(std::holds_alternative<mail::EmailPayload>(*read));
    } else if (wanted == "draft") {
      ASSERT_TRUE(read);
      EXPECT_TRUE(std::holds_alternative<DraftPayload>(*read));
    } else {
      ASSERT_FALSE(read) << wanted;
      EXPECT_NE(wanted.find(read.error().code), std::string::npos) << wanted;
    }
    ++compared;
  }
  EXPECT_EQ(compared, 5U);
}

TEST(AgentmailVectors, EachStatusHasItsCode) {
  APPROVAL_REQUIRE_VECTORS();
  const Json cases = Cases();
  for (const Json& row : cases.at("status_map").as_array()) {
    const JsonArray& it = row.as_array();
    const std::string wanted(it.at(1).as_string());
    ApiAnswer answer;
    answer.status = static_cast<int>(*base::AsInteger(it.at(0)));
    EXPECT_EQ(FailureOf(answer).code, wanted.substr(0, wanted.find(' '))) << answer.status;
  }
}

TEST(AgentmailDraft, EveryMemberThatNoApprovalBindsIsDriftWhenItHasAValue) {
  for (const char* name : {"html", "attachments", "reply_to", "in_reply_to", "references",
                           "forward_of", "headers", "send_at", "client_id"}) {
    JsonObject fetched = Approved();
    fetched[name] = JsonArray{"x"};
    EXPECT_EQ(DriftOf(Approved(), fetched), std::vector<std::string>{name});
    for (const Json& empty : {Json(nullptr), Json(""), Json(JsonArray{}), Json(JsonObject{})}) {
      fetched[name] = empty;
      EXPECT_TRUE(DriftOf(Approved(), fetched).empty()) << name;
    }
  }
}

TEST(AgentmailDraft, ASnapshotOfADraftThatNoApprovalCanBindIsUnusable) {
  JsonObject fetched = Approved();
  fetched["html"] = "<p>x</p>";
  EXPECT_FALSE(SnapshotOf("agent@example.com", "d-1", fetched));
  for (const char* name : {"to", "subject", "text"}) {
    JsonObject partial = Approved();
    partial.erase(name);
    EXPECT_FALSE(SnapshotOf("agent@example.com", "d-1", partial)) << name;
    partial[name] = nullptr;
    EXPECT_FALSE(SnapshotOf("agent@example.com", "d-1", partial)) << name;
  }
}

TEST(AgentmailDraft, EmptyCopiesAreLeftOutOfTheSnapshot) {
  JsonObject fetched = Approved();
  fetched["cc"] = nullptr;
  fetched["bcc"] = JsonArray{};
  const auto snapshot = SnapshotOf("agent@example.com", "d-1", fetched);
  ASSERT_TRUE(snapshot);
  EXPECT_FALSE(snapshot->contains("cc"));
  EXPECT_FALSE(snapshot->contains("bcc"));
}

TEST(AgentmailPayload, AMemberThatADirectSendCannotCarryIsRefused) {
  for (const char* name : {"reply_to", "attachments", "html", "from_name", "references"}) {
    JsonObject mail{{"from", "agent@example.com"},
                    {"to", JsonArray{"a@example.net"}},
                    {"subject", "s"},
                    {"body", "b"}};
    mail[name] = "x";
    EXPECT_EQ(CodeOf(mail), "agentmail-payload-invalid") << name;
  }
}

TEST(AgentmailPayload, ADraftsSnapshotHasNoOtherMembersAndRightTypes) {
  EXPECT_EQ(CodeOf(Approved()), "");
  JsonObject odd = Approved();
  odd["html"] = "x";
  EXPECT_EQ(CodeOf(odd), "agentmail-payload-invalid");
  for (const char* name : {"inbox_id", "draft_id", "to", "subject", "text"}) {
    JsonObject partial = Approved();
    partial.erase(name);
    EXPECT_EQ(CodeOf(partial), "agentmail-payload-invalid") << name;
    partial[name] = 7;
    EXPECT_EQ(CodeOf(partial), "agentmail-payload-invalid") << name;
  }
}

TEST(AgentmailPayload, FR202_MoreRecipientsThanTheServiceTakesAreRefusedBeforeAnythingIsSpent) {
  JsonObject draft = Approved();
  JsonArray many;
  for (std::size_t i = 0; i < kMaxRecipients - 1; ++i) {
    many.push_back(Json("r" + std::to_string(i) + "@example.net"));
  }
  draft["bcc"] = many;
  EXPECT_EQ(CodeOf(draft), "");
  draft["cc"] = JsonArray{"one@example.net"};
  EXPECT_EQ(CodeOf(draft), "agentmail-payload-invalid");
}

}  // namespace
}  // namespace approval::adapters::agentmail
