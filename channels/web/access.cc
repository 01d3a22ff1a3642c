#include "channels/web/access.h"

#include <algorithm>
#include <charconv>

#include "core/base/encoding.h"
#include "core/base/sha256.h"

namespace approval::channels::web {
namespace {

constexpr std::size_t kNonceBytes = 32;

std::string LinkMac(const base::Secret& key, std::string_view body) {
  return base::Base64UrlEncode(
      base::AsBytes(base::HmacSha256(key.Reveal(), "login-link\n" + std::string(body))));
}

}  // namespace

std::string MakeLinkToken(const base::Secret& link_key, std::int64_t now_ms, base::Random& random) {
  const std::string body =
      base::Base64UrlEncode(random.Bytes(kNonceBytes)) + "." + std::to_string(now_ms + kLinkLifeMs);
  return body + "." + LinkMac(link_key, body);
}

Access::Access(base::Secret link_key, const base::Clock& clock, base::Random& random)
    : link_key_(std::move(link_key)), form_key_(random.Bytes(32)), clock_(clock), random_(random) {}

std::string Access::NewLinkToken() { return MakeLinkToken(link_key_, clock_.NowMs(), random_); }

std::optional<std::string> Access::Login(std::string_view link_token) {
  const std::size_t second = link_token.rfind('.');
  if (second == std::string_view::npos) return std::nullopt;
  const std::string_view body = link_token.substr(0, second);
  const std::size_t first = body.find('.');
  if (first == std::string_view::npos ||
      !base::EqualConstantTime(LinkMac(link_key_, body), link_token.substr(second + 1))) {
    return std::nullopt;
  }
  const std::string_view digits = body.substr(first + 1);
  std::int64_t until = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), until);
  const std::int64_t now = clock_.NowMs();
  if (read.ec != std::errc() || read.ptr != digits.data() + digits.size() || now > until) {
    return std::nullopt;
  }
  std::erase_if(used_links_, [now](const auto& used) { return used.second < now; });
  if (!used_links_.emplace(std::string(body), until).second) return std::nullopt;
  if (sessions_.size() >= kMaxSessions) {
    sessions_.erase(
        std::min_element(sessions_.begin(), sessions_.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; }));
  }
  std::string id = base::Base64UrlEncode(random_.Bytes(32));
  sessions_.emplace(id, now);
  return id;
}

std::optional<std::string> Access::SessionOf(const std::optional<std::string>& cookie_header,
                                             std::string_view cookie_name) const {
  if (!cookie_header) return std::nullopt;
  std::string_view rest = *cookie_header;
  while (!rest.empty()) {
    const std::size_t end = rest.find(';');
    std::string_view pair = rest.substr(0, end);
    while (!pair.empty() && pair.front() == ' ') pair.remove_prefix(1);
    const std::size_t equals = pair.find('=');
    if (equals != std::string_view::npos && pair.substr(0, equals) == cookie_name) {
      const std::string id(pair.substr(equals + 1));
      if (sessions_.contains(id)) return id;
    }
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  return std::nullopt;
}

std::string Access::FormToken(std::string_view session, std::string_view action_key,
                              std::string_view request_hash, std::string_view display_hash) const {
  std::string message = "form";
  for (const std::string_view part : {session, action_key, request_hash, display_hash}) {
    message += "\n" + std::to_string(part.size()) + ":" + std::string(part);
  }
  return base::Base64UrlEncode(base::AsBytes(base::HmacSha256(form_key_.Reveal(), message)));
}

}  // namespace approval::channels::web
