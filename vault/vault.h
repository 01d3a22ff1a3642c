// The vault on disk: credentials beside the log, changed under one lock (adapters.md 1.1 to 1.5).
//
// Every refusal carries the path in `details`, and no message holds a value, a passphrase or a
// stored name. A vault that could not be read is never written over. Writing reads, changes and
// replaces the file under an exclusive lock on its folder, and is on disk when it returns; a
// failure leaves the previous file. A symbolic link and another user's file are read but never
// written over. The random source outlives the object; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/base/secret.h"
#include "vault/vault_format.h"

namespace approval::vault {

// `home/vault.enc` of a log.
std::string DefaultVaultPath(const std::string& log_path);

// Printable ASCII without blanks.
bool IsCredentialName(std::string_view name);

struct Stored {
  std::size_t count = 0;  // names in the vault afterwards
  bool created = false;   // a name was new
};

class Vault {
 public:
  Vault(std::string path, base::Random& random);

  const std::string& path() const { return path_; }
  bool Present() const;

  // `invalid-name`, `empty-value`, `passphrase-unset` before the file is touched.
  base::Result<Stored> Set(std::string_view name, const base::Secret& value,
                           const base::Secret& passphrase);

  // Several at once: all of them or none. The vault is opened and written once.
  base::Result<Stored> SetAll(Entries values, const base::Secret& passphrase);

  // The count afterwards. `vault-absent`, `credential-absent`: the file stays as it is.
  base::Result<std::size_t> Remove(std::string_view name, const base::Secret& passphrase);

  // Seals everything anew under `fresh`, with a new salt and today's key derivation. The file is
  // the old one or the new one, never neither. `passphrase-unset` when either is empty.
  base::Result<std::size_t> ChangePassphrase(const base::Secret& passphrase,
                                             const base::Secret& fresh);

  // Names in code-unit order.
  base::Result<std::vector<std::string>> List(const base::Secret& passphrase) const;

  // That it opens, and how many names it holds.
  base::Result<std::size_t> Check(const base::Secret& passphrase) const;

  // The values. One caller only: the credential window of the adapters.
  base::Result<Entries> Unlock(const base::Secret& passphrase) const;

 private:
  base::Result<Opened> Open(const base::Secret& passphrase) const;
  base::Result<void> MayWrite() const;
  base::Result<void> Write(const Opened& opened);
  base::Error AtPath(base::Error error) const;

  std::string path_;
  base::Random& random_;
};

}  // namespace approval::vault
