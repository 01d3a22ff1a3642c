#include "core/net/redactor.h"

#include <algorithm>

#include "core/base/encoding.h"

namespace approval::net {

Redactor::Redactor(std::vector<base::Secret> secrets) {
  for (base::Secret& secret : secrets) {
    if (secret.empty()) continue;
    base::Secret encoded(base::PercentEncode(secret.Reveal(), ""));
    if (encoded.Reveal() != secret.Reveal()) secrets_.push_back(std::move(encoded));
    secrets_.push_back(std::move(secret));
  }
  // A secret inside a longer one must not break the longer one's match.
  std::sort(secrets_.begin(), secrets_.end(), [](const base::Secret& a, const base::Secret& b) {
    return a.Reveal().size() > b.Reveal().size();
  });
}

std::string Redactor::Clean(std::string_view text) const {
  std::string out(text);
  for (const base::Secret& secret : secrets_) {
    for (std::size_t at = out.find(secret.Reveal()); at != std::string::npos;
         at = out.find(secret.Reveal(), at)) {
      out.replace(at, secret.Reveal().size(), "<redacted>");
      at += 10;
    }
  }
  return out;
}

}  // namespace approval::net
