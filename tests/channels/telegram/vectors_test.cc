// What was recorded from the reference against a stand-in server, replayed on ours:
// vectors/telegram. The texts are ours; events, answers, edits and the order of calls are compared.
#include "tests/support/vectors.h"

#include <map>

#include "channels/telegram/bot_api.h"
#include "render/card.h"
#include "tests/channels/telegram/rig.h"

namespace approval::telegram {
namespace {

base::JsonObject Vector(const std::string& name) {
  const auto path = testing::VectorsDir() / "telegram" / (name + ".json");
  const auto parsed = base::ParseJson(testing::ReadText(path), base::kLenientJson);
  return parsed ? parsed->as_object() : base::JsonObject{};
}

base::JsonObject EventOf(const base::JsonObject& vector, std::string_view name) {
  for (const base::Json& event : vector.at("log_events").as_array()) {
    if (event.as_object().at("event").as_string() == name) return event.as_object();
  }
  return {};
}

// The request that the vector's log holds, with the vector's payload or a plain mail.
gate::RequestModel RequestOf(const base::JsonObject& vector) {
  const base::JsonObject event = EventOf(vector, "approval.requested");
  const base::JsonObject& declared = event.at("payload").as_object();
  SampleOptions options;
  options.key = std::string(event.at("action_key").as_string());
  options.seq = event.at("seq").as_int64();
  options.action_class = std::string(declared.at("class").as_string());
  options.summary = std::string(declared.at("summary").as_string());
  const base::Json* payload = vector.if_contains("payload");
  return SampleRequest(payload != nullptr && payload->is_object() ? *payload : EmailPayload(),
                       options);
}

// Every recorded callback query, in order.
std::vector<base::JsonObject> QueriesOf(const base::JsonObject& vector) {
  std::vector<base::JsonObject> out;
  for (const base::Json& exchange : vector.at("exchanges").as_array()) {
    if (!exchange.is_object()) continue;  // a remark of the recording
    const base::Json* body = exchange.at("response").as_object().if_contains("body");
    if (exchange.at("request").at("method").as_string() != "getUpdates" || body == nullptr ||
        !body->is_object()) {
      continue;
    }
    const base::Json* result = body->as_object().if_contains("result");
    if (result == nullptr || !result->is_array()) continue;
    for (const base::Json& update : result->as_array()) {
      if (!update.is_object()) continue;  // left out of the recording
      const base::Json* query = update.as_object().if_contains("callback_query");
      if (query != nullptr && query->is_object()) out.push_back(query->as_object());
    }
  }
  return out;
}

// The recorded taps on our card: our buttons in place of the reference's.
std::vector<std::string> Tap(Rig& rig, const base::JsonObject& vector, const BotMessage& card) {
  std::vector<std::string> ids;
  for (base::JsonObject query : QueriesOf(vector)) {
    const bool grant = query.at("data").as_string().starts_with("g:");
    query["data"] = card.Data(grant ? kApprove : kReject);
    query.at("message").as_object()["message_id"] = card.id;
    ids.emplace_back(query.at("id").as_string());
    rig.server->Push({{"callback_query", query}});
  }
  return ids;
}

// Starts, shows the vector's request and replays its taps.
std::vector<std::string> Replay(Rig& rig, const std::string& name) {
  const base::JsonObject vector = Vector(name);
  rig.Start();
  rig.Add(RequestOf(vector));
  const std::vector<std::string> ids = Tap(rig, vector, rig.Card());
  EXPECT_TRUE(WaitFor([&] { return rig.server->Unconfirmed() == 0; }));
  for (const std::string& id : ids) {
    rig.Toast(id);
    EXPECT_EQ(rig.server->Answers(id).size(), 1u);
  }
  return ids;
}

class CardVectors : public ::testing::TestWithParam<const char*> {};

TEST_P(CardVectors, IsOneCardWithButtonsAndEveryByteIsInTheChat) {
  APPROVAL_REQUIRE_VECTORS();
  const base::JsonObject vector = Vector(GetParam());
  Rig rig;
  rig.Start();
  const gate::RequestModel request = RequestOf(vector);
  const render::Card card = render::BuildCard(request, rig.clock.NowMs(), {});
  rig.Add(request);
  const BotMessage sent = rig.Card();
  EXPECT_FALSE(sent.Data(kApprove).empty());
  std::string all;
  for (const BotMessage& message : rig.server->Messages()) all += message.text + message.document;
  EXPECT_NE(all.find(card.canonical_text), std::string::npos);
  EXPECT_NE(sent.text.find(card.display_hash), std::string::npos);
  EXPECT_EQ(rig.Cards().size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Telegram, CardVectors,
                         ::testing::Values("01-email", "02-argv", "03-shell-command",
                                           "04-file-edit", "05-long-20kb", "06-hostile-html-bidi",
                                           "26-long-action-key"));

// channels.md 2.12 forgery 6
TEST(Vectors, TheHostileSummaryOwnsNoLineOfTheCard) {
  APPROVAL_REQUIRE_VECTORS();
  Rig rig;
  rig.Start();
  rig.Add(RequestOf(Vector("06-hostile-html-bidi")));
  const std::string text = rig.Card().text;
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) {
    EXPECT_NE(text.substr(at + 1, 3), "•");
  }
}

TEST(Vectors, AnApproveTapIsOneEditThatKeepsTheKey) {
  APPROVAL_REQUIRE_VECTORS();
  Rig rig;
  Replay(rig, "07-approve-tap");
  const BotMessage card = rig.server->Messages().back();
  ASSERT_TRUE(rig.WaitEdited(card.id, "Approved"));
  EXPECT_NE(rig.server->Message(card.id)->text.find("task-101:chaser"), std::string::npos);
  EXPECT_EQ(rig.server->Message(card.id)->edits, 1);
}

TEST(Vectors, ARejectTapIsARejection) {
  APPROVAL_REQUIRE_VECTORS();
  Rig rig;
  Replay(rig, "08-reject-tap");
  EXPECT_EQ(rig.runtime.reports().at(0).gesture, channels::Gesture::kReject);
}

TEST(Vectors, AWrongChatReportsNothing) {
  APPROVAL_REQUIRE_VECTORS();
  Rig rig;
  Replay(rig, "11-wrong-chat");
  EXPECT_TRUE(rig.runtime.reports().empty());
}

// The reference grants here as the configured person; ours refuses the account.
TEST(Vectors, AnotherUserInTheRightChatIsRefusedUnlikeTheReference) {
  APPROVAL_REQUIRE_VECTORS();
  const base::JsonObject vector = Vector("12-other-user-in-the-right-chat");
  const base::JsonObject query = QueriesOf(vector).at(0);
  const std::int64_t chat = query.at("message").at("chat").at("id").as_int64();
  Rig rig(chat);
  policy::Policy policy;
  policy.approvers["alex"].senders["telegram"] = {"700000001"};
  rig.runtime.SetPolicy(policy);
  rig.runtime.AllowSenders({"700000001"});
  ASSERT_NE(query.at("from").at("id").as_int64(), 700000001);
  Replay(rig, "12-other-user-in-the-right-chat");
  const BotMessage card = rig.server->Messages().back();
  EXPECT_EQ(card.edits, 0);
  EXPECT_FALSE(card.buttons.empty());
}

TEST(Vectors, OfTwoTapsInOnePollTheFirstStands) {
  APPROVAL_REQUIRE_VECTORS();
  Rig rig;
  const std::vector<std::string> ids = Replay(rig, "13-two-taps-in-one-poll");
  ASSERT_EQ(ids.size(), 2u);
  EXPECT_EQ(rig.runtime.reports().size(), 1u);
  EXPECT_NE(rig.Toast(ids[1]).find("Approved"), std::string::npos);
}

TEST(Vectors, EachMalformedDatumIsAnsweredOnceAndChangesNothing) {
  APPROVAL_REQUIRE_VECTORS();
  const base::JsonObject vector = Vector("14-malformed-callback-data");
  Rig rig;
  rig.Start();
  rig.Add(RequestOf(vector));
  rig.Card();
  std::vector<std::string> ids;
  for (const base::JsonObject& query : QueriesOf(vector)) {
    ids.emplace_back(query.at("id").as_string());
    rig.server->Push({{"callback_query", query}});
  }
  ASSERT_GT(ids.size(), 10u);
  for (const std::string& id : ids) rig.Toast(id);
  ASSERT_TRUE(WaitFor([&] { return rig.server->Unconfirmed() == 0; }));
  for (const std::string& id : ids) EXPECT_EQ(rig.server->Answers(id).size(), 1u);
  EXPECT_TRUE(rig.runtime.reports().empty());
  EXPECT_EQ(rig.Cards().size(), 1u);
}

TEST(Vectors, EveryRecordedRefusalHasItsKind) {
  APPROVAL_REQUIRE_VECTORS();
  const std::map<std::string, ReplyKind> expected = {
      {"18-send-429-at-startup", ReplyKind::kTooMany},
      {"19-send-429-mid-run", ReplyKind::kTooMany},
      {"20-poll-409-conflict", ReplyKind::kConflict},
      {"21-poll-5xx-and-bad-json", ReplyKind::kServerError},
      {"23-edit-fails-message-deleted", ReplyKind::kMessageGone},
      {"24-answer-fails", ReplyKind::kBadRequest},
  };
  for (const auto& [name, kind] : expected) {
    std::size_t refusals = 0;
    const base::JsonObject vector = Vector(name);
    for (const base::Json& exchange : vector.at("exchanges").as_array()) {
      if (!exchange.is_object()) continue;
      const base::JsonObject& response = exchange.at("response").as_object();
      const base::Json* status = response.if_contains("status");
      if (status == nullptr || !status->is_int64()) continue;
      const base::Json* body = response.if_contains("body");
      const std::string text = body == nullptr ? ""
                                               : (body->is_string() ? std::string(body->as_string())
                                                                    : base::ToText(*body));
      const ApiReply reply = ClassifyReply(
          std::string(exchange.at("request").at("method").as_string()),
          net::HttpResponse{static_cast<int>(status->as_int64()), text}, net::Redactor());
      if (reply.ok()) continue;
      ++refusals;
      EXPECT_EQ(reply.kind, kind) << name << ": " << reply.description;
      EXPECT_EQ(reply.retry_after_s > 0, kind == ReplyKind::kTooMany) << name;
    }
    EXPECT_GT(refusals, 0u) << name;
  }
}

// The reference waits for the poll to end; here the poll is open for half a minute.
TEST(Vectors, ARequestDuringALongPollDoesNotWaitForItUnlikeTheReference) {
  APPROVAL_REQUIRE_VECTORS();
  const base::JsonObject vector = Vector("22-request-during-a-long-poll");
  Rig rig;
  rig.Start();
  ASSERT_TRUE(WaitFor([&] { return rig.server->PollOpen(); }));
  const auto start = std::chrono::steady_clock::now();
  rig.Add(RequestOf(vector));
  rig.Card();
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(200));
}

}  // namespace
}  // namespace approval::telegram
