#include "core/gate/audit_backlog.h"

#include <gtest/gtest.h>

#include "core/base/json.h"
#include "core/log/append.h"
#include "tests/gate/rig.h"

namespace approval::gate {
namespace {

class AuditBacklogTest : public ::testing::Test {
 protected:
  // Behind the attestation, which is record 1.
  void Add(const std::string& event, const std::string& actor, const std::string& task,
           const std::string& key) {
    log::Draft draft;
    draft.event = event;
    draft.actor = actor;
    if (!task.empty()) draft.task = task;
    if (!key.empty()) draft.action_key = key;
    const auto done = rig_.Append(draft);
    ASSERT_TRUE(done) << done.error().message;
  }
  std::vector<std::int64_t> Open() const {
    std::vector<std::int64_t> seqs;
    for (const SampledAudit& audit : AuditBacklog(rig_.Log())) seqs.push_back(audit.seq);
    return seqs;
  }

  testing::Rig rig_;
};

TEST_F(AuditBacklogTest, ALaterReviewOfTheSameKeyClosesASample) {
  Add("audit.sampled", "agent:d", "t", "k");
  Add("audit.sampled", "agent:d", "t", "other");
  Add("audit.reviewed", "human:alice", "t", "k");
  EXPECT_EQ(Open(), (std::vector<std::int64_t>{3}));
}

TEST_F(AuditBacklogTest, AReviewBeforeTheSampleClosesNothing) {
  Add("audit.reviewed", "human:alice", "t", "k");
  Add("audit.sampled", "agent:d", "t", "k");
  EXPECT_EQ(Open(), (std::vector<std::int64_t>{3}));
}

TEST_F(AuditBacklogTest, ASampleWithoutAKeyIsClosedByItsTask) {
  Add("audit.sampled", "agent:d", "t", "");
  Add("audit.sampled", "agent:d", "u", "");
  Add("audit.reviewed", "human:alice", "t", "");
  EXPECT_EQ(Open(), (std::vector<std::int64_t>{3}));
}

}  // namespace
}  // namespace approval::gate
