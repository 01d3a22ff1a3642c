#include "core/policy/schema.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/policy/policy_text.h"

namespace approval::policy {
namespace {

using testing::FirstFinding;
using testing::LoadLines;

TEST(Schema, EveryKeyOfLevelNIsRead) {
  const LoadResult load = LoadLines(R"(defaults:
  autonomy: supervised-retro
  token_delivery: sealed
  unmapped_tool: ask
approvers:
  alice: { channels: [telegram], senders: { telegram: ["42", 43] } }
classes:
  a.b: { autonomy: supervised-live, live_rate: 0.5, retro_rate: 1 }
  c.d: { autonomy: autonomous, allow_irreversible: true, approvers: [alice] }
audit:
  checkpoint_keys: ["MCowBQYDK2VwAyEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]
  checkpoint_every: 1w
daemon: { read_proof: incremental, full_reproof_every: 7, full_reproof_after: 2m }
daemons: [laptop]
protected_paths: [design/, { path: SPEC.md, class: policy.edit.spec }]
channels:
  telegram: { delivery: burst, reject_reasons: [typo] }
  web: { port: 4681 }
vault: { passphrase_env: OTHER }
tools: { Bash: read.web }
delegation: off
payload_retention: 30d
)");
  ASSERT_TRUE(load.policy) << load.failure->message;
  const Policy& policy = *load.policy;
  EXPECT_EQ(policy.defaults.autonomy, Autonomy::kSupervisedRetro);
  EXPECT_EQ(policy.defaults.token_delivery, TokenDelivery::kSealed);
  EXPECT_EQ(policy.defaults.unmapped_tool, UnmappedTool::kAsk);
  EXPECT_EQ(policy.approvers.at("alice").senders.at("telegram"),
            (std::vector<std::string>{"42", "43"}));
  EXPECT_EQ(policy.rules.at(0).live_rate, 0.5);
  EXPECT_EQ(policy.rules.at(0).retro_rate, 1.0);
  EXPECT_TRUE(policy.rules.at(1).allow_irreversible);
  EXPECT_EQ(policy.audit.checkpoint_keys.size(), 1U);
  EXPECT_EQ(policy.audit.checkpoint_every_ms, 604'800'000);
  EXPECT_EQ(policy.daemon.read_proof, ReadProof::kIncremental);
  EXPECT_EQ(policy.daemon.full_reproof_every, 7);
  EXPECT_EQ(policy.daemon.full_reproof_after_ms, 120'000);
  EXPECT_EQ(policy.daemons, std::vector<std::string>{"laptop"});
  EXPECT_EQ(policy.protected_paths.at(0).policy_class, "policy.edit");
  EXPECT_EQ(policy.protected_paths.at(1).policy_class, "policy.edit.spec");
  EXPECT_EQ(policy.channels.telegram.delivery, TelegramDelivery::kBurst);
  EXPECT_EQ(policy.channels.telegram.reject_reasons, std::vector<std::string>{"typo"});
  EXPECT_EQ(policy.channels.web_port, 4681);
  EXPECT_EQ(policy.vault_passphrase_env, "OTHER");
  EXPECT_TRUE(policy.tools);
  EXPECT_EQ(policy.payload_retention_ms, 2'592'000'000);
}

TEST(Schema, AbsentKeysHaveTheirDefaults) {
  const Policy policy = *LoadLines("").policy;
  EXPECT_FALSE(policy.defaults.autonomy);
  EXPECT_EQ(policy.vault_passphrase_env, "APPROVAL_VAULT_PASSPHRASE");
  EXPECT_EQ(policy.channels.telegram.token_env, "APPROVAL_TG_TOKEN");
  EXPECT_EQ(policy.channels.telegram.chat_id_env, "APPROVAL_TG_CHAT");
  EXPECT_EQ(policy.channels.telegram.delivery, TelegramDelivery::kPaced);
  EXPECT_EQ(policy.channels.telegram.reject_reasons.size(), 3U);
  EXPECT_EQ(policy.audit.skew_tolerance_ms, 2000);
  EXPECT_EQ(policy.daemon.full_reproof_every, 50);
  EXPECT_EQ(policy.daemon.full_reproof_after_ms, 60'000);
  EXPECT_FALSE(policy.daemons);
}

TEST(Schema, LiveRateBelongsToSupervisedLiveAlone) {
  EXPECT_EQ(FirstFinding("classes: { a: { autonomy: supervised-live } }\n"), "/classes/a required");
  EXPECT_EQ(FirstFinding("classes: { a: { autonomy: manual, live_rate: 1 } }\n"),
            "/classes/a live_rate");
  EXPECT_EQ(FirstFinding("classes: { a: { autonomy: autonomous, retro_rate: 1 } }\n"),
            "/classes/a retro_rate");
  EXPECT_EQ(FirstFinding("classes: { a: { autonomy: supervised-live, live_rate: 0 } }\n"),
            "/classes/a/live_rate exclusiveMinimum");
  EXPECT_EQ(FirstFinding("classes: { a: { autonomy: supervised-live, live_rate: 1.1 } }\n"),
            "/classes/a/live_rate maximum");
}

TEST(Schema, DefaultsMayNotBeSupervisedLive) {
  EXPECT_EQ(FirstFinding("defaults: { autonomy: supervised-live }\n"), "/defaults/autonomy enum");
}

TEST(Schema, SupervisedLoadsWithANote) {
  const LoadResult load = LoadLines("classes: { a.b: { autonomy: supervised } }\n");
  ASSERT_TRUE(load.policy);
  ASSERT_EQ(load.policy->notes.size(), 1U);
  EXPECT_NE(load.policy->notes[0].find("a.b"), std::string::npos);
}

TEST(Schema, OneAccountMayNotBelongToTwoApprovers) {
  EXPECT_EQ(FirstFinding("approvers:\n"
                         "  a: { channels: [x], senders: { telegram: \"1\" } }\n"
                         "  b: { channels: [x], senders: { telegram: [\"2\", \"1\"] } }\n"),
            "sender-ambiguous");
  EXPECT_EQ(FirstFinding("approvers:\n"
                         "  a: { channels: [x], senders: { telegram: \"1\" } }\n"
                         "  b: { channels: [x], senders: { other: \"1\" } }\n"),
            "loaded");
}

TEST(Schema, ASenderIsAnAccountNumberOrAKeyedDigest) {
  const std::string digest(64, 'a');
  const auto with = [](const std::string& account) {
    return FirstFinding("approvers: { a: { channels: [x], senders: { telegram: \"" + account +
                        "\" } } }\n");
  };
  EXPECT_EQ(with("hmac-sha256:" + digest), "loaded");
  EXPECT_EQ(with("hmac-sha256:abc"), "/approvers/a/senders/telegram pattern");
  EXPECT_EQ(with("@alice"), "/approvers/a/senders/telegram pattern");
  EXPECT_EQ(with("-100"), "/approvers/a/senders/telegram pattern");
}

TEST(Schema, WebAndTerminalAuthenticateNobodyAndMayNotBeMapped) {
  for (const char* channel : {"web", "cli"}) {
    EXPECT_EQ(FirstFinding("approvers: { a: { channels: [x], senders: { " + std::string(channel) +
                           ": \"1\" } } }\n"),
              "/approvers/a/senders propertyNames");
  }
}

TEST(Schema, DelegationLoadsOnlyWhenItIsOff) {
  EXPECT_EQ(FirstFinding("delegation: off\n"), "loaded");
  EXPECT_EQ(FirstFinding("delegation: false\n"), "loaded");
  EXPECT_EQ(FirstFinding("delegation: { to: bob }\n"), "delegation-not-supported");
  EXPECT_EQ(FirstFinding("delegation: true\n"), "delegation-not-supported");
}

TEST(Schema, ARouteOnABuiltInPathMayNotBeLooserThanPolicyEdit) {
  const std::string route = "protected_paths: [{ path: CLAUDE.md, class: policy.edit.harness }]\n";
  EXPECT_EQ(FirstFinding("classes:\n  policy.edit: { autonomy: manual }\n"
                         "  policy.edit.harness: { autonomy: autonomous }\n" +
                         route),
            "protected-route-floor");
  EXPECT_EQ(FirstFinding("classes:\n  policy.edit: { autonomy: manual }\n"
                         "  policy.edit.harness: { autonomy: human-only }\n" +
                         route),
            "loaded");
  EXPECT_EQ(FirstFinding("classes:\n  policy.edit: { autonomy: manual }\n" + route), "loaded");
}

TEST(Schema, ARouteOfAnOrdinaryPathMayBeLooser) {
  EXPECT_EQ(FirstFinding("classes:\n  policy.edit: { autonomy: manual }\n"
                         "  policy.edit.spec: { autonomy: autonomous }\n"
                         "protected_paths: [{ path: SPEC.md, class: policy.edit.spec }]\n"),
            "loaded");
}

TEST(Schema, ThePolicyFileItselfCannotBeRouted) {
  EXPECT_EQ(FirstFinding("protected_paths: [{ path: APPROVAL.md, class: policy.edit.spec }]\n"),
            "/protected_paths/0 protected-route");
}

TEST(Schema, ARoutedClassIsPolicyEditAndOneWord) {
  for (const char* name :
       {"policy.edit", "policy.edit.", "policy.edit.a.b", "read.web", "policy.edit.1"}) {
    EXPECT_EQ(
        FirstFinding("protected_paths: [{ path: SPEC.md, class: " + std::string(name) + " }]\n"),
        "/protected_paths/0/class pattern")
        << name;
  }
}

TEST(Schema, RejectReasonsFitAButton) {
  const auto with = [](const std::string& reasons) {
    return FirstFinding("channels: { telegram: { reject_reasons: " + reasons + " } }\n");
  };
  EXPECT_EQ(with("[]"), "loaded");
  EXPECT_EQ(with("[a, a]"), "/channels/telegram/reject_reasons uniqueItems");
  EXPECT_EQ(with("[1,2]"), "/channels/telegram/reject_reasons/0 type");
  EXPECT_EQ(with("[\"a\\nb\"]"), "/channels/telegram/reject_reasons/0 pattern");
  EXPECT_EQ(with("[\"" + std::string(41, 'x') + "\"]"),
            "/channels/telegram/reject_reasons/0 maxLength");
  EXPECT_EQ(with("[a,b,c,d,e,f,g,h,i]"), "/channels/telegram/reject_reasons maxItems");
}

TEST(Schema, AChannelMayNameTheZoneOfItsApprover) {
  const LoadResult load = LoadLines(
      "channels: { telegram: { timezone: Europe/Madrid }, web: { timezone: UTC },"
      " cli: { timezone: America/New_York } }\n");
  ASSERT_TRUE(load.policy);
  EXPECT_EQ(load.policy->channels.zones,
            (std::map<std::string, std::string>{
                {"cli", "America/New_York"}, {"telegram", "Europe/Madrid"}, {"web", "UTC"}}));
  for (const std::string wrong : {"/etc/passwd", "../x", "\"a b\"", "Europe/"}) {
    EXPECT_EQ(FirstFinding("channels: { telegram: { timezone: " + wrong + " } }\n"),
              "/channels/telegram/timezone pattern")
        << wrong;
  }
}

TEST(Schema, ACheckpointKeyIsAnEd25519PublicKey) {
  EXPECT_EQ(FirstFinding("audit: { checkpoint_keys: [\"AAAA\"] }\n"),
            "/audit/checkpoint_keys/0 pattern");
}

TEST(Schema, EveryFindingIsListedAtOnce) {
  const LoadResult load = LoadLines("wat: 1\ndefaults: { approval_ttl: 1y, on_expiry: grant }\n");
  ASSERT_FALSE(load.policy);
  EXPECT_EQ(load.failure->details.at("errors").as_array().size(), 3U);
}

TEST(Schema, APointerEscapesWhatANameHolds) {
  EXPECT_EQ(FirstFinding("channels: { \"a/b~c\": 1 }\n"), "/channels/a~1b~0c type");
}

}  // namespace
}  // namespace approval::policy
