#include <fmt/format.h>

#include "core/base/encoding.h"
#include "core/base/names.h"
#include "core/policy/protected_paths.h"
#include "core/policy/schema_parts.h"

namespace approval::policy {
namespace {

constexpr std::int64_t kMaxCount = (std::int64_t{1} << 53) - 1;
// DER of an Ed25519 SubjectPublicKeyInfo: this head, then the 32 bytes of the key.
constexpr std::string_view kEd25519Head("\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00", 12);

bool IsAccountId(std::string_view text) {
  constexpr std::string_view kKeyed = "hmac-sha256:";
  if (text.starts_with(kKeyed)) {
    text.remove_prefix(kKeyed.size());
    return text.size() == 64 &&
           text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  }
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// An account's number is taken without quotes too, as long as YAML reads it exactly.
std::optional<std::string> ReadAccount(const Field& field) {
  if (field.value()->is_string()) return field.Text();
  const auto number = base::AsInteger(*field.value());
  if (!number || *number < 0) {
    field.Report("type", "must be an account's number, in quotes");
    return std::nullopt;
  }
  return std::to_string(*number);
}

// One account or a list of them.
std::vector<std::string> ReadAccounts(const Field& field) {
  std::vector<std::string> accounts;
  if (const base::JsonArray* list = field.value()->if_array()) {
    if (list->empty()) field.Report("minItems", "must name at least one account");
    for (std::size_t i = 0; i < list->size(); ++i) {
      if (auto one = ReadAccount(field.At(i))) accounts.push_back(std::move(*one));
    }
  } else if (auto one = ReadAccount(field)) {
    accounts.push_back(std::move(*one));
  }
  for (const std::string& account : accounts) {
    if (!IsAccountId(account)) {
      field.Report("pattern", "must be an account's number, or hmac-sha256: and 64 hex digits");
    }
  }
  return accounts;
}

Approver ReadApprover(const Field& field) {
  Approver approver;
  if (field.Map({"channels", "senders"}) == nullptr) return approver;
  field.Require("channels");
  approver.channels = field.At("channels").Texts(false).value_or(std::vector<std::string>());
  const Field senders = field.At("senders");
  const base::JsonObject* map = senders.OpenMap();
  if (map == nullptr) return approver;
  for (const auto& member : *map) {
    const std::string channel(member.key());
    if (channel == "web" || channel == "cli") {
      senders.Report("propertyNames",
                     fmt::format("may not name \"{}\", which authenticates nobody", channel));
      continue;
    }
    approver.senders[channel] = ReadAccounts(senders.At(channel));
  }
  return approver;
}

bool IsEd25519Key(std::string_view text) {
  const auto der = base::Base64Decode(text);
  return der && der->size() == kEd25519Head.size() + 32 && der->starts_with(kEd25519Head);
}

}  // namespace

void ReadDefaults(const Field& root, Policy& policy) {
  const Field field = root.At("defaults");
  if (field.Map({"autonomy", "channel", "approval_ttl", "on_expiry", "token_delivery",
                 "unmapped_tool"}) == nullptr) {
    return;
  }
  Defaults& out = policy.defaults;
  const Field autonomy = field.At("autonomy");
  if (autonomy.Choice({"human-only", "manual", "supervised", "supervised-retro", "autonomous"})) {
    out.autonomy = AutonomyFrom(TextOf(*autonomy.value()));
  }
  out.channel = field.At("channel").Text();
  out.approval_ttl_ms = field.At("approval_ttl").DurationMs();
  out.on_expiry_reject = field.At("on_expiry").Choice({"reject"}).has_value();
  if (const auto choice = field.At("token_delivery").Choice({"manual", "sealed"})) {
    out.token_delivery = *choice == 0 ? TokenDelivery::kManual : TokenDelivery::kSealed;
  }
  if (const auto choice = field.At("unmapped_tool").Choice({"record", "ask"})) {
    out.unmapped_tool = *choice == 0 ? UnmappedTool::kRecord : UnmappedTool::kAsk;
  }
}

void ReadApprovers(const Field& root, Policy& policy) {
  const Field field = root.At("approvers");
  const base::JsonObject* map = field.OpenMap();
  if (map == nullptr) return;
  for (const auto& member : *map) {
    const std::string id(member.key());
    if (!base::IsIdentifier(id)) {
      field.Report("pattern", fmt::format("has an approver with the impossible id \"{}\"", id));
      continue;
    }
    policy.approvers[id] = ReadApprover(field.At(id));
  }
}

void ReadAudit(const Field& root, Policy& policy) {
  const Field field = root.At("audit");
  if (field.Map({"supervised_sample_rate", "sampling_secret_env", "skew_tolerance",
                 "checkpoint_keys", "checkpoint_every"}) == nullptr) {
    return;
  }
  Audit& out = policy.audit;
  out.supervised_sample_rate = field.At("supervised_sample_rate").Number({0, 1});
  out.sampling_secret_env = field.At("sampling_secret_env").Text();
  if (const auto ms = field.At("skew_tolerance").DurationMs()) out.skew_tolerance_ms = *ms;
  out.checkpoint_every_ms = field.At("checkpoint_every").DurationMs();
  const Field keys = field.At("checkpoint_keys");
  out.checkpoint_keys = keys.Texts(true).value_or(std::vector<std::string>());
  for (std::size_t i = 0; i < out.checkpoint_keys.size(); ++i) {
    if (!IsEd25519Key(out.checkpoint_keys[i])) {
      keys.At(i).Report("pattern", "must be an Ed25519 public key: DER in base64");
    }
  }
}

void ReadDaemon(const Field& root, Policy& policy) {
  const Field field = root.At("daemon");
  Daemon& out = policy.daemon;
  if (field.Map({"read_proof", "full_reproof_every", "full_reproof_after"}) != nullptr) {
    if (const auto choice = field.At("read_proof").Choice({"full", "incremental"})) {
      out.read_proof = *choice == 0 ? ReadProof::kFull : ReadProof::kIncremental;
    }
    if (const auto count = field.At("full_reproof_every").Integer(1, kMaxCount)) {
      out.full_reproof_every = *count;
    }
    if (const auto ms = field.At("full_reproof_after").DurationMs())
      out.full_reproof_after_ms = *ms;
  }
  policy.daemons = root.At("daemons").Texts(true);
}

void ReadProtectedPaths(const Field& root, Policy& policy) {
  const Field field = root.At("protected_paths");
  const base::JsonArray* list = field.List();
  if (list == nullptr) return;
  for (std::size_t i = 0; i < list->size(); ++i) {
    Field item = field.At(i);
    ProtectedPath out;
    Field path = item;
    if (item.value()->is_object()) {
      item.Map({"path", "class"});
      item.Require("path");
      item.Require("class");
      path = item.At("path");
      const auto routed = item.At("class").Text();
      if (routed && !IsRoutedClass(*routed)) {
        item.At("class").Report("pattern", "must be policy.edit. and one lowercase word");
      }
      out.policy_class = routed.value_or("");
    }
    const auto text = path.Text();
    if (!text) continue;
    if (!IsProtectedPathEntry(*text)) {
      path.Report("pattern", "must be a path inside the folder, without wildcards or white space");
    }
    out.path = *text;
    for (std::size_t before = 0; before < i; ++before) {
      if ((*list)[before] == (*list)[i]) field.Report("uniqueItems", "holds an entry twice");
    }
    const auto builtin = BuiltinClass(*text);
    if (item.value()->is_object() && builtin && *builtin != "policy.edit") {
      item.Report("protected-route", "names a path whose class is built in and cannot be routed");
    }
    policy.protected_paths.push_back(std::move(out));
  }
}

}  // namespace approval::policy
