// Who may use the page: one-time login links, sessions, and the token in every form
// (channels.md 4.3, spec README item 21).
//
// Everything is derived from keys of this process or, for links, from a key in the gateway's
// private folder, so that `approval channel web link` can make one for a running page. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/random.h"
#include "core/base/secret.h"

namespace approval::channels::web {

inline constexpr std::int64_t kLinkLifeMs = 10 * 60 * 1000;
inline constexpr std::size_t kMaxSessions = 64;

// The secret part of a login link: valid once, for ten minutes from `now_ms`. URL-safe.
std::string MakeLinkToken(const base::Secret& link_key, std::int64_t now_ms, base::Random& random);

class Access {
 public:
  Access(base::Secret link_key, const base::Clock& clock, base::Random& random);

  std::string NewLinkToken();

  // A fresh session for an unused, unexpired link; nothing otherwise.
  std::optional<std::string> Login(std::string_view link_token);

  // Whether the cookie header names a living session; returns its id.
  std::optional<std::string> SessionOf(const std::optional<std::string>& cookie_header,
                                       std::string_view cookie_name) const;

  // The token of a form: bound to session, action key, request record and rendering.
  std::string FormToken(std::string_view session, std::string_view action_key,
                        std::string_view request_hash, std::string_view display_hash) const;

 private:
  base::Secret link_key_;
  base::Secret form_key_;
  const base::Clock& clock_;
  base::Random& random_;
  std::map<std::string, std::int64_t> sessions_;    // id -> made at
  std::map<std::string, std::int64_t> used_links_;  // until they expire anyway
};

}  // namespace approval::channels::web
