// Verbs of the vault.
#include "gateway/verb_flags.h"

namespace approval::gateway {

void AddCredentialVerbs(std::vector<VerbSpec>& table) {
  const std::vector<FlagSpec> common = {kLog, kVault, kPolicy, kDir, kAsHuman};
  const auto with = [&common](const FlagSpec& first) {
    std::vector<FlagSpec> flags = {first};
    for (const FlagSpec& flag : common) flags.push_back(flag);
    return flags;
  };
  table.push_back({"vault set", "store a credential (value on stdin)", "<name>", 1,
                   with({"value-env", "<variable>", "take the value from this variable"}),
                   "1 refused, 2 usage, 4 files", "ok, name, created, count, path", true, true});
  table.push_back({"vault list", "names of stored credentials", "", 0, common,
                   "1 refused, 2 usage, 4 files", "ok, present, path, count, names", true});
  table.push_back({"vault remove", "remove a credential", "<name>", 1, common,
                   "1 refused, 2 usage, 4 files", "ok, name, count, path", true});
  table.push_back({"vault passwd",
                   "seal the vault anew under another passphrase (new one on stdin)", "", 0,
                   with({"new-env", "<variable>", "take the new passphrase from this variable"}),
                   "1 refused, 2 usage, 4 files", "ok, count, path, passphrase_env", true, true});
  table.push_back({"vault get", "says why no verb reads a credential back", "", 8, common,
                   "2 always", "none", true, true});
  table.back().hidden = true;
}

}  // namespace approval::gateway
