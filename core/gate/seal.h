// Sealed token delivery: X25519, HKDF-SHA-256, AES-256-GCM (core.md 5.16, adapters.md 2.6).
//
// Keys and boxes are base64 text as the records carry them. Pure but for randomness; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/random.h"
#include "core/base/secret.h"

namespace approval::gate {

struct SealingKeys {
  std::string recipient_key;  // base64 of DER SubjectPublicKeyInfo
  base::Secret private_key;   // base64 of DER PKCS#8
};

// A fresh pair; nothing when the library cannot make one.
std::optional<SealingKeys> MakeSealingKeys();

// The `token_sealed` member for a recipient; nothing when its key cannot be used.
std::optional<base::JsonObject> SealToken(std::string_view token, std::string_view recipient_key,
                                          std::string_view action_key, base::Random& random);

// The token inside, if it opens and its SHA-256 is `token_sha256`. No reason is given otherwise.
std::optional<base::Secret> OpenToken(const base::JsonObject& sealed,
                                      const base::Secret& private_key, std::string_view action_key,
                                      std::string_view token_sha256);

// The requester's private keys: `keys/` beside the log, 0700, one file per action key, 0600.
class RequesterKeys {
 public:
  explicit RequesterKeys(const std::string& log_path);

  // Writes the key under a name of its own, to be committed once the request is on record: of two
  // requests for one action only the recorded one may leave its key. Returns the staged path.
  base::Result<std::string> Stage(std::string_view action_key, const base::Secret& private_key,
                                  base::Random& random) const;
  base::Result<void> Commit(const std::string& staged, std::string_view action_key) const;
  void Discard(const std::string& staged) const;
  std::optional<base::Secret> Load(std::string_view action_key) const;
  // Absent is fine.
  void Remove(std::string_view action_key) const;

  std::string PathOf(std::string_view action_key) const;

 private:
  std::string folder_;
};

}  // namespace approval::gate
