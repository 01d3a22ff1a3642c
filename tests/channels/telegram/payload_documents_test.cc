// Payloads too long for a card, and what may be approved then (channels.md 3.4).
#include "core/base/sha256.h"
#include "tests/channels/telegram/rig.h"

namespace approval::telegram {
namespace {

// Vector 05
TEST(PayloadDocuments, TwentyKilobytesAreOneCardAndOneDocumentWhoseHashIsTheDisplayHash) {
  Rig rig;
  rig.Start();
  rig.Add(SampleRequest(EmailPayload(LongBody()), Keyed("task-1:long")));
  const BotMessage card = rig.Card();
  const std::vector<BotMessage> messages = rig.server->Messages();
  ASSERT_EQ(messages.size(), 3u);
  EXPECT_EQ(messages[1].document_name.substr(0, 8), "payload-");
  EXPECT_TRUE(messages[1].silent);
  EXPECT_LT(messages[1].id, card.id);
  EXPECT_NE(card.text.find(base::Sha256Hex(messages[1].document)), std::string::npos);
  EXPECT_NE(card.text.find(messages[1].document_name), std::string::npos);
  EXPECT_FALSE(card.Data(kApprove).empty());
}

TEST(PayloadDocuments, WithoutItsDocumentACardHasNoApprove) {
  Rig rig;
  rig.server->Script("sendDocument", {BotFault::Kind::kStatus, 400, "Bad Request: no"});
  rig.Start();
  rig.Add(SampleRequest(EmailPayload(LongBody()), Keyed("task-1:long")));
  const BotMessage card = rig.Card();
  EXPECT_TRUE(card.Data(kApprove).empty());
  EXPECT_FALSE(card.Data(kReject).empty());
  rig.Toast(rig.server->Tap(card.id, "🔁 Show again"));
  const BotMessage again = rig.Card(1);
  EXPECT_FALSE(again.Data(kApprove).empty());
  EXPECT_TRUE(rig.runtime.reports().empty());
}

// FR-014
TEST(PayloadDocuments, AfterAFailedCardTheDocumentIsNotSentAgain) {
  Rig rig;
  rig.Start();
  rig.server->Script("sendMessage", {}, 2);
  rig.Add(SampleRequest(EmailPayload(LongBody()), Keyed("task-1:long")));
  rig.Card();
  EXPECT_EQ(rig.server->Calls("sendDocument").size(), 1u);
}

// channels.md 8.46
TEST(PayloadDocuments, ARequestThatCannotBeShownWholeHasNoApprove) {
  Rig rig;
  rig.Start();
  gate::RequestModel request = Mail();
  request.payload_hash.value = std::string(64, '0');
  rig.Add(request);
  EXPECT_TRUE(rig.Card().Data(kApprove).empty());
}

}  // namespace
}  // namespace approval::telegram
