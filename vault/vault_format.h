// The vault file, version 1: one JSON object that holds credentials under a passphrase
// (adapters.md 1.2, 1.3).
//
// scrypt makes the key, AES-256-GCM seals a JSON map of name to value, and the header is bound as
// additional data in the spelling of the file. Pure functions but for randomness; any thread. No
// error text holds a name, a value or a passphrase, and a wrong passphrase and an altered file are
// one answer.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/base/secret.h"
#include "core/base/utf8.h"

namespace approval::vault {

struct CodeUnitOrder {
  using is_transparent = void;
  bool operator()(std::string_view a, std::string_view b) const {
    return base::CompareUtf16(a, b) < 0;
  }
};

// Credentials by name, in code-unit order.
using Entries = std::map<std::string, base::Secret, CodeUnitOrder>;

struct KdfHeader {
  std::int64_t n = 16384;
  std::int64_t r = 8;
  std::int64_t p = 1;
  std::string salt_b64;  // as spelled in the file
};

// scrypt may take this much memory (128 * N * r) and no more.
inline constexpr std::int64_t kMaxKdfMemory = std::int64_t{1} << 28;

// New vaults derive with this N (128 MiB, a third of a second); older files keep theirs.
inline constexpr std::int64_t kNewVaultN = std::int64_t{1} << 17;

// A header for a new vault: N as above, fresh salt.
KdfHeader FreshHeader(base::Random& random);

struct Opened {
  KdfHeader kdf;
  Entries entries;
  base::Secret key;  // derived from the passphrase by `kdf`
};

// The key of a header. `vault-write-failed` when the library refuses its numbers.
base::Result<base::Secret> DeriveVaultKey(const KdfHeader& kdf, const base::Secret& passphrase);

// `vault-malformed`, `vault-version-unsupported` or `vault-unreadable`, judged in the order of
// adapters.md 1.3; nothing is derived from a header that is out of bounds.
base::Result<Opened> OpenVaultText(std::string_view text, const base::Secret& passphrase);

// The whole file, with a fresh nonce. `vault-write-failed` when the library refuses.
// `key` belongs to `kdf`.
base::Result<std::string> SealVaultText(const KdfHeader& kdf, const Entries& entries,
                                        const base::Secret& key, base::Random& random);

}  // namespace approval::vault
