// Single-use tokens: minted by a grant, judged from the log, spent by an append
// (core.md 5.9, adapters.md 2.1 to 2.3).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/base/secret.h"
#include "core/gate/state.h"

namespace approval::gate {

// 32 random bytes as 64 lowercase hex characters.
base::Secret MintToken(base::Random& random);

struct LiveToken {
  std::string token_sha256;
  std::int64_t grant_seq = 0;
  std::optional<std::string> payload_hash;  // what the grant binds
};

// A live token of the key, or why there is none (`token-revoked`, `token-expired`, `not-granted`,
// `harness-executed`, `token-mismatch`, `token-consumed`), with `state` and, where it applies,
// `seq` in the details.
base::Result<LiveToken> TokenStatus(const KeyFold& fold, std::optional<std::int64_t> ttl_ms,
                                    std::int64_t now_ms);

// TokenStatus, then the presented token against the recorded digest (`token-mismatch`).
base::Result<LiveToken> VerifyToken(const KeyFold& fold, std::optional<std::int64_t> ttl_ms,
                                    std::int64_t now_ms, const base::Secret& presented);

}  // namespace approval::gate
