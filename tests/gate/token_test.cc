// Tokens: minted once, spent once, dead with their request (core.md 5.9).
#include "core/gate/token.h"

#include <gtest/gtest.h>

#include "tests/gate/rig.h"

namespace approval::gate {
namespace {

using testing::CodeOf;
using testing::Detail;
using testing::HashOf;
using testing::kHour;
using testing::kLines;
using testing::Letter;
using testing::Rig;
using testing::SeqIn;

// A rig whose request was granted; the token beside it.
struct Granted {
  Rig rig;
  std::string token;
  std::int64_t seq = 0;

  Granted() {
    EXPECT_TRUE(rig.Ask());
    const auto granted = rig.Grant();
    EXPECT_TRUE(granted);
    if (!granted) return;
    token = granted->token->Reveal();
    seq = granted->seq;
  }
};

TEST(Token, ItIs64LowercaseHexDigitsFromTheRandomSource) {
  testing::FakeRandom random, same;
  const base::Secret token = MintToken(random);
  EXPECT_EQ(token.Reveal().size(), 64U);
  EXPECT_EQ(token.Reveal().find_first_not_of("0123456789abcdef"), std::string_view::npos);
  EXPECT_EQ(MintToken(same).Reveal(), token.Reveal());
  EXPECT_NE(MintToken(random).Reveal(), token.Reveal());
}

TEST(Token, ALiveOneIsToldByItsDigestAndWhatItBinds) {
  Granted it;
  const auto view = it.rig.gate.Token("k");
  ASSERT_TRUE(view);
  EXPECT_EQ(view->token_sha256, base::Sha256Hex(it.token));
  EXPECT_EQ(view->grant_seq, it.seq);
  EXPECT_EQ(view->payload_hash, HashOf(Letter()));
  EXPECT_EQ(view->action_class, "communicate.email.external");
  EXPECT_EQ(view->task, "t-1");
}

TEST(Token, ARequestThatWaitsHasNone) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  const auto refused = rig.gate.Token("k");
  EXPECT_EQ(CodeOf(refused), "not-granted");
  EXPECT_EQ(Detail(refused, "state"), "requested");
}

TEST(Token, ATokenIsSpentOnce) {
  Granted it;
  const auto spent = it.rig.Consume(it.token);
  ASSERT_TRUE(spent);
  const auto again = it.rig.Consume(it.token);
  EXPECT_EQ(CodeOf(again), "token-consumed");
  EXPECT_EQ(SeqIn(again), spent->seq);
  EXPECT_EQ(it.rig.Last().seq, spent->seq);
}

TEST(Token, TheSpendIsARecordThatNamesGrantDigestAndBytes) {
  Granted it;
  const auto spent = it.rig.Consume(it.token);
  ASSERT_TRUE(spent);
  EXPECT_EQ(spent->grant_seq, it.seq);
  EXPECT_EQ(it.rig.Last().event, "execution.started");
  EXPECT_EQ(it.rig.LastText("token_sha256"), base::Sha256Hex(it.token));
  EXPECT_EQ(it.rig.LastText("payload_hash"), HashOf(Letter()));
  EXPECT_EQ(it.rig.Last().task, "t-1");
}

TEST(Token, AChangedByteSpendsNothing) {
  Granted it;
  const std::size_t before = it.rig.Count();
  EXPECT_EQ(CodeOf(it.rig.Consume(it.token, Letter("Hello!"))), "payload-mismatch");
  EXPECT_EQ(it.rig.Count(), before);
  EXPECT_EQ(CodeOf(it.rig.Consume(it.token)), "ok");
}

TEST(Token, NoBytesAtAllSpendNothing) {
  Granted it;
  StartAsk ask = Rig::StartOf("k", Letter(), it.token);
  ask.payload_hash.clear();
  EXPECT_EQ(CodeOf(it.rig.gate.Consume(ask)), "payload-mismatch");
}

TEST(Token, AnotherTokenIsAMismatch) {
  Granted it;
  const std::size_t before = it.rig.Count();
  std::string other = it.token;
  other[63] = other[63] == '0' ? '1' : '0';
  for (const std::string& wrong :
       {other, it.token.substr(1), it.token + "0", std::string("0"), std::string(64, 'F')}) {
    EXPECT_EQ(CodeOf(it.rig.Consume(wrong)), "token-mismatch") << wrong.size();
  }
  EXPECT_EQ(it.rig.Count(), before);
}

TEST(Token, TheRecordedDigestIsNoToken) {
  Granted it;
  EXPECT_EQ(CodeOf(it.rig.Consume(base::Sha256Hex(it.token))), "token-mismatch");
}

TEST(Token, ATokenOpensNoOtherKey) {
  Rig rig;
  testing::Action a, b;
  a.key = "a";
  b.key = "b";
  ASSERT_TRUE(rig.Register("t-1", {a, b}));
  ASSERT_TRUE(rig.Request("a"));
  ASSERT_TRUE(rig.Request("b"));
  const auto granted = rig.Grant("a");
  EXPECT_EQ(CodeOf(rig.Consume(granted->token->Reveal(), Letter(), "b")), "not-granted");
  ASSERT_TRUE(rig.Grant("b"));
  EXPECT_EQ(CodeOf(rig.Consume(granted->token->Reveal(), Letter(), "b")), "token-mismatch");
}

TEST(Token, ConsumingWithoutATokenIsTokenRequired) {
  Granted it;
  EXPECT_EQ(CodeOf(it.rig.Consume("")), "token-required");
}

TEST(Token, ConsumingIsForHumansAndAgents) {
  Granted it;
  StartAsk ask = Rig::StartOf("k", Letter(), it.token);
  ask.actor = "system:gate";
  EXPECT_EQ(CodeOf(it.rig.gate.Consume(ask)), "actor-invalid");
}

TEST(Token, ExactlyAtTheLimitIsLive) {
  Granted it;
  it.rig.clock.Advance(kHour);
  EXPECT_EQ(CodeOf(it.rig.Consume(it.token)), "ok");
}

TEST(Token, ALapsedGrantIsTokenExpired) {
  Granted it;
  it.rig.clock.Advance(kHour + 1);
  const auto refused = it.rig.Consume(it.token);
  EXPECT_EQ(CodeOf(refused), "token-expired");
  EXPECT_EQ(Detail(refused, "state"), "granted");
}

TEST(Token, ATokenLivesAsLongAsItsRequestNotAsItsGrant) {
  Rig rig;
  ASSERT_TRUE(rig.Ask());
  rig.clock.Advance(kHour - 1);
  const auto granted = rig.Grant();
  ASSERT_TRUE(granted);
  rig.clock.Advance(2);
  EXPECT_EQ(CodeOf(rig.Consume(granted->token->Reveal())), "token-expired");
}

TEST(Token, WithoutAWindowItDoesNotLapse) {
  Rig rig("classes:\n  communicate.email.external: {autonomy: manual}\n");
  ASSERT_TRUE(rig.Ask());
  const auto granted = rig.Grant();
  rig.clock.Advance(1000 * kHour);
  EXPECT_EQ(CodeOf(rig.Consume(granted->token->Reveal())), "ok");
}

TEST(Token, ARevokedGrantIsTokenRevoked) {
  Granted it;
  const auto revoked = it.rig.Revoke();
  ASSERT_TRUE(revoked);
  const auto refused = it.rig.Consume(it.token);
  EXPECT_EQ(CodeOf(refused), "token-revoked");
  EXPECT_EQ(SeqIn(refused), revoked->seq);
}

TEST(Token, TheTokenOfAnEarlierCycleIsAMismatch) {
  Granted it;
  ASSERT_TRUE(it.rig.Revoke());
  ASSERT_TRUE(it.rig.Request());
  ASSERT_TRUE(it.rig.Grant());
  EXPECT_EQ(CodeOf(it.rig.Consume(it.token)), "token-mismatch");
}

TEST(Token, AnEditedPolicyStopsTheSpend) {
  Granted it;
  it.rig.SetPolicy(std::string(kLines) + "payload_retention: 30d\n");
  EXPECT_EQ(CodeOf(it.rig.Consume(it.token)), "policy-not-attested");
}

TEST(Token, ANewlyAttestedPolicyNeedsANewDecision) {
  Granted it;
  it.rig.SetPolicy(std::string(kLines) + "payload_retention: 30d\n");
  ASSERT_TRUE(it.rig.Attest());
  EXPECT_EQ(CodeOf(it.rig.Consume(it.token)), "policy-drift");
  it.rig.SetPolicy(kLines);
  ASSERT_TRUE(it.rig.Attest());
  EXPECT_EQ(CodeOf(it.rig.Consume(it.token)), "ok");
}

TEST(Token, AGrantWithoutABindingCannotBeSpent) {
  Rig rig;
  log::Draft asked{"approval.requested", "agent:claude", "t-1", "k"};
  asked.payload = base::JsonObject{{"class", "communicate.email.external"}};
  ASSERT_TRUE(rig.Append(asked));
  const auto granted = rig.Grant();
  ASSERT_TRUE(granted);
  EXPECT_EQ(CodeOf(rig.Consume(granted->token->Reveal())), "payload-mismatch");
}

TEST(Token, ARequestThatNamesNoTaskIsNeverOnRecord) {
  Rig rig;
  log::Draft asked{"approval.requested", "agent:claude", std::nullopt, "k"};
  asked.payload =
      base::JsonObject{{"class", "communicate.email.external"}, {"payload_hash", HashOf(Letter())}};
  const auto refused = rig.Append(asked);
  ASSERT_EQ(CodeOf(refused), "append-failed");
  EXPECT_EQ(refused.error().cause, base::Code::kValidation);
}

}  // namespace
}  // namespace approval::gate
