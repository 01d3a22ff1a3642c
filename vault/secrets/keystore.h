// The desktop's keystore, behind a seam: items by name, shared with `secret-tool`
// (adapters.md 7.3).
//
// Codes: `helper-item-missing` when the keystore answers and holds no such item;
// `helper-binary-missing` when this machine has no keystore of that kind; `helper-failed` for
// everything else, with the cause in words: no session bus, nobody serves secrets on it, locked. A
// call ends within its deadline, also when a prompt is left alone. Any thread.
#pragma once

#include <memory>
#include <string>

#include "core/base/error.h"
#include "core/base/secret.h"
#include "vault/secrets/source_map.h"

namespace approval::secrets {

class Keystore {
 public:
  virtual ~Keystore() = default;

  // The kind of source map line that this keystore serves.
  virtual SourceKind kind() const = 0;

  // That it could serve now, without asking for any item.
  virtual base::Result<void> Reach() = 0;

  virtual base::Result<base::Secret> Lookup(const std::string& item) = 0;

  // Replaces an item of that name. What was stored is what Lookup gives.
  virtual base::Result<void> Store(const std::string& item, const base::Secret& value) = 0;
};

// The secret service of the session bus (gnome-keyring, KWallet, KeePassXC). `deadline_ms` for each
// call; a locked collection may ask the person to unlock it within that time.
std::unique_ptr<Keystore> SecretServiceKeystore(int deadline_ms);

}  // namespace approval::secrets
