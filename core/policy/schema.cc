#include "core/policy/schema.h"

#include <fmt/format.h>

#include <utility>

#include "core/base/duration.h"
#include "core/policy/protected_paths.h"
#include "core/policy/resolve.h"
#include "core/policy/schema_field.h"
#include "core/policy/schema_parts.h"

namespace approval::policy {
namespace {

base::Error SchemaError(const SchemaReport& report) {
  const base::JsonObject& first = report.errors().front().get_object();
  const std::string path(TextOf(first.at("path")));
  const std::size_t more = report.errors().size() - 1;
  base::Error error{base::Code::kSchemaInvalid,
                    fmt::format("the policy is not valid: {} {}{}", path.empty() ? "it" : path,
                                TextOf(first.at("message")),
                                more == 0 ? "" : fmt::format(" (and {} more)", more))};
  error.details["errors"] = report.errors();
  return error;
}

// An unsafe number is no load failure here: the daemon alone acts on it (core.md 4.11).
void ReadRetention(const Field& root, Policy& policy) {
  const Field field = root.At("payload_retention");
  if (!field.present()) return;
  if (!field.value()->is_string() || !base::MatchesDurationPattern(TextOf(*field.value()))) {
    field.Report(field.value()->is_string() ? "pattern" : "type",
                 "must be a duration: a whole number and one of ms, s, m, h, d, w");
    return;
  }
  policy.payload_retention_ms = base::ParseDurationMs(TextOf(*field.value()));
  if (!policy.payload_retention_ms) {
    policy.notes.push_back("payload_retention is too long to be counted; payloads are kept");
  }
}

// `delegation` is a reserved name: nothing but its absence in words loads.
bool IsDelegationOff(const base::Json& value) {
  return value == base::Json(false) || (value.is_string() && TextOf(value) == "off");
}

base::Result<void> CheckSenders(const Policy& policy) {
  std::map<std::pair<std::string, std::string>, std::string> owners;
  for (const auto& [id, approver] : policy.approvers) {
    for (const auto& [channel, accounts] : approver.senders) {
      for (const std::string& account : accounts) {
        const auto [entry, is_new] = owners.emplace(std::pair(channel, account), id);
        if (!is_new) {
          return base::Fail(base::Code::kSenderAmbiguous,
                            fmt::format("one {} account belongs to both {} and {}; an account may "
                                        "belong to one approver",
                                        channel, entry->second, id));
        }
      }
    }
  }
  return {};
}

// Level first, the live rate on a tie.
bool IsLooser(const Resolution& a, const Resolution& b) {
  if (Strictness(a.autonomy) != Strictness(b.autonomy)) {
    return Strictness(a.autonomy) < Strictness(b.autonomy);
  }
  return a.live_rate.value_or(0) < b.live_rate.value_or(0);
}

base::Result<void> CheckRoutes(const Policy& policy) {
  const Resolution floor = ResolveWith(policy, "policy.edit", std::nullopt);
  for (const ProtectedPath& entry : policy.protected_paths) {
    if (entry.policy_class == "policy.edit" || !BuiltinClass(entry.path)) continue;
    if (IsLooser(ResolveWith(policy, entry.policy_class, std::nullopt), floor)) {
      return base::Fail(
          base::Code::kProtectedRouteFloor,
          fmt::format("the route of {} to {} is looser than policy.edit, which guards that path",
                      entry.path, entry.policy_class));
    }
  }
  return {};
}

}  // namespace

base::Result<Policy> PolicyFromJson(const base::Json& block) {
  SchemaReport report;
  Policy policy;
  const Field root(&block, "", report);
  const base::JsonObject* map = root.Map(
      {"version", "defaults", "payload_retention", "protected_paths", "approvers", "classes",
       "budgets", "audit", "vault", "channels", "daemon", "daemons", "tools", "delegation"});
  if (map == nullptr) return base::Fail(SchemaError(report));
  policy.source = *map;
  root.Require("version");
  policy.version = root.At("version").Text().value_or("");
  ReadDefaults(root, policy);
  ReadApprovers(root, policy);
  ReadClasses(root, policy);
  ReadBudgets(root, policy);
  ReadAudit(root, policy);
  ReadDaemon(root, policy);
  ReadProtectedPaths(root, policy);
  ReadChannels(root, policy);
  ReadRetention(root, policy);
  const Field vault = root.At("vault");
  vault.Map({"passphrase_env"});
  if (auto name = vault.At("passphrase_env").Text()) policy.vault_passphrase_env = std::move(*name);
  if (const base::JsonObject* tools = root.At("tools").OpenMap()) policy.tools = *tools;
  if (!report.empty()) return base::Fail(SchemaError(report));

  const base::Json* delegation = map->if_contains("delegation");
  if (delegation != nullptr && !IsDelegationOff(*delegation)) {
    return base::Fail(base::Code::kDelegationNotSupported,
                      "the policy turns delegation on, which this program does not have");
  }
  if (auto senders = CheckSenders(policy); !senders) return base::Fail(std::move(senders.error()));
  if (auto routes = CheckRoutes(policy); !routes) return base::Fail(std::move(routes.error()));
  return policy;
}

}  // namespace approval::policy
