// From a channel's report to the record (channels.md 1.7).
#include "gateway/runtime.h"

#include <gtest/gtest.h>

#include "tests/gate/rig.h"

namespace approval::gateway {
namespace {

class RuntimeTest : public ::testing::Test {
 protected:
  RuntimeTest() { runtime_.SetQuiet(true); }

  // Grants the one pending request as a channel that drew it so.
  base::JsonObject GrantDrawn(const std::optional<gate::Rendering>& rendering) {
    EXPECT_TRUE(rig_.Ask());
    runtime_.Refresh();
    const gate::RequestModel& request = runtime_.View()->requests.at(0);
    channels::Report report;
    report.action_key = request.action_key.value;
    report.gesture = channels::Gesture::kGrant;
    report.request_hash = request.chain.value.hash;
    report.rendering = rendering;
    EXPECT_TRUE(runtime_.Decide("cli", report).ok);
    return rig_.Last().payload;
  }

  testing::Rig rig_;
  Reporter reporter_{true};
  testing::FakeRandom random_;
  GatewayRuntime runtime_{{rig_.gate.log_path(), rig_.folder.Path("APPROVAL.md"), {}},
                          "human:alice",
                          rig_.clock,
                          random_,
                          reporter_};
};

TEST_F(RuntimeTest, ADecisionKeepsHowTheRequestWasDrawn) {
  const base::JsonObject payload = GrantDrawn(gate::Rendering{"technical", "anomaly"});
  EXPECT_EQ(payload.at("rendering"),
            (base::JsonObject{{"style", "technical"}, {"fallback", "anomaly"}}));
}

TEST_F(RuntimeTest, UnderATechnicalPolicyTheRecordSaysNothingOfIt) {
  EXPECT_FALSE(GrantDrawn(std::nullopt).contains("rendering"));
}

}  // namespace
}  // namespace approval::gateway
