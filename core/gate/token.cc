#include "core/gate/token.h"

#include "core/base/encoding.h"
#include "core/base/sha256.h"

namespace approval::gate {
namespace {

using base::Code;
using base::Error;

tl::unexpected<Error> Refuse(Code code, State state, std::string message,
                             const log::Record* record = nullptr) {
  Error error{code, std::move(message)};
  error.details["state"] = Spelling(state);
  if (record != nullptr) error.details["seq"] = record->seq;
  return base::Fail(std::move(error));
}

}  // namespace

base::Secret MintToken(base::Random& random) {
  const base::Secret bytes(random.Bytes(32));
  return base::Secret(base::HexEncode(bytes.Reveal()));
}

base::Result<LiveToken> TokenStatus(const KeyFold& fold, std::optional<std::int64_t> ttl_ms,
                                    std::int64_t now_ms) {
  const State state = StateAt(fold, ttl_ms, now_ms);
  if (state == State::kRevoked) {
    return Refuse(Code::kTokenRevoked, state, "the grant was revoked", fold.decision);
  }
  if (state == State::kExpired) {
    return Refuse(Code::kTokenExpired, state, "the request expired; request again");
  }
  if (state != State::kGranted || fold.last_grant == nullptr) {
    return Refuse(Code::kNotGranted, state,
                  "the key is " + std::string(Spelling(state)) + ", not granted");
  }
  if (Lapsed(fold, ttl_ms, now_ms)) {
    return Refuse(Code::kTokenExpired, state, "the window of the request is over; request again");
  }
  const log::Record* grant = fold.last_grant;
  if (PayloadText(grant, "execution") == "harness") {
    return Refuse(Code::kHarnessExecuted, state,
                  "this grant is spent by the asking tool itself; it has no token", grant);
  }
  const auto digest = PayloadText(grant, "token_sha256");
  if (!digest || !base::IsHex64(*digest)) {
    return Refuse(Code::kTokenMismatch, state, "the grant carries no token digest", grant);
  }
  for (const log::Record* start : fold.starts) {
    if (start->seq > grant->seq || PayloadText(start, "token_sha256") == digest) {
      return Refuse(Code::kTokenConsumed, state,
                    "the token was spent already; an action runs once per grant", start);
    }
  }
  return LiveToken{*digest, grant->seq, BindingHash(fold)};
}

base::Result<LiveToken> VerifyToken(const KeyFold& fold, std::optional<std::int64_t> ttl_ms,
                                    std::int64_t now_ms, const base::Secret& presented) {
  auto live = TokenStatus(fold, ttl_ms, now_ms);
  if (!live) return live;
  if (!base::EqualConstantTime(base::Sha256Hex(presented.Reveal()), live->token_sha256)) {
    return Refuse(Code::kTokenMismatch, State::kGranted,
                  "the presented token is not the one this grant minted", fold.last_grant);
  }
  return live;
}

}  // namespace approval::gate
