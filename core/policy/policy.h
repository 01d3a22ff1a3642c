// Everything that a policy file can say, after it was proved valid (core.md 4.4, 4.5).
//
// A default-constructed Policy is what holds when the file does not load: every class manual, no
// window, no budgets, no sampling, default names. Durations are milliseconds; amounts are
// micro-dollars for money and counts times 1'000'000 for counts, as in BudgetVerdict.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/money.h"
#include "core/policy/autonomy.h"
#include "core/policy/prompt_rows.h"

namespace approval::policy {

// Ceilings by name. A number too large for exact arithmetic is held as the largest exact one.
using Limits = std::map<std::string, base::Micros>;

inline constexpr base::Micros kMicrosPerUnit = 1'000'000;

enum class TokenDelivery { kManual, kSealed };
enum class UnmappedTool { kRecord, kAsk };

struct Defaults {
  std::optional<Autonomy> autonomy;  // nothing: manual
  std::optional<std::string> channel;
  std::optional<std::int64_t> approval_ttl_ms;  // nothing: requests never lapse
  bool on_expiry_reject = false;
  TokenDelivery token_delivery = TokenDelivery::kManual;
  std::optional<UnmappedTool> unmapped_tool;
};

struct Approver {
  std::vector<std::string> channels;
  // Channel -> account ids, decimal or `hmac-sha256:` and 64 hex digits (channels.md 1.7).
  std::map<std::string, std::vector<std::string>> senders;
};

// One line of `classes`.
struct Rule {
  std::string pattern;
  Autonomy autonomy = Autonomy::kManual;
  std::optional<std::vector<std::string>> approvers;  // enforced at grant; nothing: anyone
  std::optional<Limits> limits;
  std::optional<double> live_rate;
  std::optional<double> retro_rate;
  bool allow_irreversible = false;
  base::JsonObject source;  // as written, for `policy check`
};

struct ProtectedPath {
  std::string path;
  std::string policy_class = "policy.edit";
};

enum class TelegramDelivery { kPaced, kBurst };

struct TelegramChannel {
  std::string token_env = "APPROVAL_TG_TOKEN";
  std::string chat_id_env = "APPROVAL_TG_CHAT";
  TelegramDelivery delivery = TelegramDelivery::kPaced;
  // Buttons of the second keyboard row; empty for none (spec README item 6).
  std::vector<std::string> reject_reasons = {"wrong recipient", "wording", "not now"};
};

struct Channels {
  TelegramChannel telegram;
  std::optional<int> web_port;
  std::map<std::string, PromptBlock> prompts;  // by channel name; absent: the shipped layout
  std::map<std::string, std::string> zones;    // by channel name: IANA zone of its approver
};

struct Audit {
  std::optional<double> supervised_sample_rate;  // nothing: no sampling
  std::optional<std::string> sampling_secret_env;
  std::int64_t skew_tolerance_ms = 2000;
  std::vector<std::string> checkpoint_keys;  // base64 DER SPKI Ed25519; empty: check skipped
  std::optional<std::int64_t> checkpoint_every_ms;
};

enum class ReadProof { kFull, kIncremental };

struct Daemon {
  ReadProof read_proof = ReadProof::kFull;
  std::int64_t full_reproof_every = 50;
  std::int64_t full_reproof_after_ms = 60'000;
};

struct Policy {
  std::string version;
  Defaults defaults;
  std::map<std::string, Approver> approvers;
  std::vector<Rule> rules;                // by pattern
  std::map<std::string, Limits> budgets;  // by scope
  Audit audit;
  Daemon daemon;
  std::optional<std::vector<std::string>> daemons;   // ids that may write; nothing: anyone
  std::optional<std::int64_t> payload_retention_ms;  // nothing: keep for ever
  std::vector<ProtectedPath> protected_paths;        // beside the built-in set, as written
  std::string vault_passphrase_env = "APPROVAL_VAULT_PASSPHRASE";
  Channels channels;
  std::optional<base::JsonObject> tools;
  std::vector<std::string> notes;  // sentences for a person; none changes a decision
  base::JsonObject source;         // the parsed block
};

}  // namespace approval::policy
