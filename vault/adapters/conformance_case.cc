#include "vault/adapters/conformance_case.h"

#include "core/base/canonical.h"
#include "core/base/encoding.h"
#include "core/base/files.h"
#include "core/log/read.h"

namespace approval::adapters {
namespace {

constexpr const char* kPolicy =
    "# Conformance\n\n```yaml approval-policy\nversion: \"0.1\"\ndefaults:\n"
    "  autonomy: manual\n```\n";
constexpr const char* kPerson = "human:conformance";
constexpr const char* kAgent = "agent:conformance";
constexpr const char* kPassphrase = "conformance passphrase";
// The vault of a case protects nothing; the smallest numbers the format allows keep it quick.
constexpr std::int64_t kQuickKdf = 4096;

std::string TaskFile(const std::string& task, const std::string& key,
                     const std::string& action_class, const std::string& hash) {
  return "---\nid: " + task +
         "\napproval:\n  origin: { app: conformance, created_by: \"agent:conformance\" }\n"
         "  state: proposed\n  actions:\n    - class: " +
         action_class + "\n      idempotency_key: \"" + key + "\"\n      payload_hash: " + hash +
         "\n---\n";
}

}  // namespace

ConformanceCase::ConformanceCase(const ConformanceSubject& subject, const ConformanceTools& tools,
                                 const std::string& name)
    : subject_(subject),
      tools_(tools),
      folder_(base::JoinPath(tools.scratch, name)),
      project_{base::JoinPath(folder_, ".approval/log/events.jsonl"),
               base::JoinPath(folder_, "APPROVAL.md"),
               {}},
      gate_(project_, tools.clock, tools.random),
      source_{vault::DefaultVaultPath(project_.log_path), "APPROVAL_VAULT_PASSPHRASE",
              [] { return std::optional(base::Secret(kPassphrase)); }} {
  // A far side that knows a key already takes a second use for a repetition.
  const std::string once = base::HexEncode(tools.random.Bytes(4));
  own_.key = "conformance-" + once + "-own:1";
  foreign_.key = "conformance-" + once + "-foreign:1";
}

std::optional<std::string> ConformanceCase::Open() {
  const auto write = [](const std::string& path, const std::string& bytes) {
    return base::MakeFolders(base::FolderOf(path)) && base::ReplaceFile(path, bytes);
  };
  if (!write(project_.policy_path, kPolicy)) return "the scratch folder cannot be written";
  std::string sha256;
  if (const auto attested = gate_.Attest(kPerson, sha256); !attested) {
    return attested.error().message;
  }
  vault::Entries entries;
  for (const auto& [name, value] : subject_.settings) entries.emplace(name, base::Secret(value));
  vault::KdfHeader header = vault::FreshHeader(tools_.random);
  header.n = kQuickKdf;
  const auto key = vault::DeriveVaultKey(header, base::Secret(kPassphrase));
  if (!key) return key.error().message;
  const auto sealed = vault::SealVaultText(header, entries, *key, tools_.random);
  if (!sealed || !write(source_.vault_path, *sealed)) return "the vault cannot be written";
  if (auto failed = Grant(own_, subject_.action_class)) return failed;
  return Grant(foreign_, std::string(kForeignClass));
}

std::optional<std::string> ConformanceCase::Grant(Granted& granted,
                                                  const std::string& action_class) {
  const auto hash = base::CanonicalHash(subject_.payload);
  if (!hash) return "the payload has no canonical form";
  const std::string task = granted.key.substr(0, granted.key.find(':'));
  const std::string file = base::JoinPath(folder_, task + ".md");
  if (!base::ReplaceFile(file, TaskFile(task, granted.key, action_class, *hash))) {
    return "the task file cannot be written";
  }
  if (const auto done = gate_.Register(file, kAgent); !done) return done.error().message;
  const auto requested = gate_.Request({task, granted.key, kAgent, subject_.payload});
  if (!requested) return requested.error().message;
  auto decided = gate_.Decide({gate::Decision::kGrant, granted.key, kPerson});
  if (!decided) return decided.error().message;
  if (!decided->token) return "the grant minted no token";
  granted.token = std::string(decided->token->Reveal());
  return std::nullopt;
}

Executed ConformanceCase::Run(Adapter& adapter, const Granted& grant, const base::Json& payload,
                              const std::optional<std::string>& token) {
  const ExecuteAsk ask{grant.key, kAgent, base::Secret(token.value_or(grant.token)), payload};
  return ExecuteThroughAdapter(gate_, adapter, &source_, tools_.random, ask);
}

Executed ConformanceCase::DryRun(const Adapter& adapter) {
  const ExecuteAsk ask{own_.key, kAgent, base::Secret(own_.token), subject_.payload};
  return DryRunThroughAdapter(project_, tools_.clock, adapter, &source_, tools_.random, ask);
}

std::optional<std::vector<log::Record>> ConformanceCase::Records() const {
  const auto log = log::ReadVerified(project_.log_path);
  if (!log) return std::nullopt;
  return std::vector<log::Record>(log->records().begin(), log->records().end());
}

std::string ConformanceCase::LogBytes() const {
  return base::ReadFile(project_.log_path).value_or("");
}

std::optional<ActFailed> WatchedAdapter::Precheck(const ActInput& input) const {
  return inner_.Precheck(input);
}

ActOutcome WatchedAdapter::Act(const ActInput& input) {
  ++acts_;
  if (const auto records = case_.Records(); records && !records->empty()) {
    event_at_act_ = records->back().event;
  }
  key_ = input.action_key;
  payload_ = input.payload;
  kept_.emplace(input.credentials);
  return ActInside(input);
}

ActOutcome PublishingAdapter::ActInside(const ActInput& input) {
  const auto secret = input.credentials.Get(secret_name_);
  const std::string value(secret.value_or("the secret was not given"));
  ActOutcome outcome = inner_.Act(input);
  if (auto* done = std::get_if<ActDone>(&outcome)) {
    done->detail["published"] = "before " + value + " behind";
    done->detail[value] = base::JsonArray{base::Json(value)};
  }
  return outcome;
}

ActOutcome RefusingAdapter::ActInside(const ActInput&) {
  return ActFailed{"conformance-refused", "the far side said no"};
}

}  // namespace approval::adapters
