#include "core/policy/attestation.h"

#include <gtest/gtest.h>

#include "core/base/sha256.h"
#include "tests/policy/policy_text.h"
#include "tests/policy/records.h"

namespace approval::policy {
namespace {

log::Record Attest(std::int64_t seq, const char* actor, const base::Json& hash) {
  log::Record record = testing::MakeRecord("policy.updated", actor, 0);
  record.seq = seq;
  record.payload = {{"sha256", hash}};
  return record;
}

LoadResult Live() { return LoadPolicyBytes("anything", "APPROVAL.md"); }

TEST(Attestation, TheLastHumanHashDecides) {
  const std::string live = base::Sha256Hex("anything");
  const std::vector<log::Record> records = {Attest(1, "human:alice", "old"),
                                            Attest(2, "human:alice", live.c_str())};
  const Attestation out = CheckAttestation(records, Live());
  EXPECT_EQ(out.status, AttestationStatus::kAttested);
  EXPECT_EQ(out.seq, 2);
  const std::vector<log::Record> turned = {records[1], records[0]};
  EXPECT_EQ(CheckAttestation(turned, Live()).status, AttestationStatus::kHashMismatch);
}

TEST(Attestation, AnAgentCannotAttest) {
  const std::string live = base::Sha256Hex("anything");
  EXPECT_EQ(CheckAttestation(std::vector{Attest(1, "agent:x", live.c_str())}, Live()).status,
            AttestationStatus::kNotAttested);
  const std::vector<log::Record> records = {Attest(1, "human:alice", live.c_str()),
                                            Attest(2, "agent:x", "other")};
  EXPECT_EQ(CheckAttestation(records, Live()).seq, 1);
}

TEST(Attestation, AHashThatIsNoTextIsPassedOver) {
  EXPECT_EQ(CheckAttestation(std::vector{Attest(1, "human:alice", 7)}, Live()).status,
            AttestationStatus::kNotAttested);
}

TEST(Attestation, AFileThatCannotBeReadIsUnreadable) {
  const LoadResult missing = LoadPolicy("no-folder/APPROVAL.md");
  EXPECT_EQ(CheckAttestation({}, missing).status, AttestationStatus::kUnreadable);
}

TEST(Attestation, APolicyThatDoesNotLoadCanBeAttested) {
  ASSERT_FALSE(Live().policy);
  const std::string live = base::Sha256Hex("anything");
  EXPECT_TRUE(CheckAttestation(std::vector{Attest(1, "human:alice", live.c_str())}, Live()).ok());
}

TEST(Attestation, StatusesAreSpelledAsTheDetailOfTheRefusal) {
  EXPECT_EQ(Spelling(AttestationStatus::kAttested), "attested");
  EXPECT_EQ(Spelling(AttestationStatus::kNotAttested), "not-attested");
  EXPECT_EQ(Spelling(AttestationStatus::kHashMismatch), "hash-mismatch");
  EXPECT_EQ(Spelling(AttestationStatus::kUnreadable), "unreadable");
}

}  // namespace
}  // namespace approval::policy
