#include "channels/web/messages.h"

#include "core/base/encoding.h"
#include "core/base/utf8.h"

namespace approval::channels::web {

std::vector<std::pair<std::string, std::string>> FixedHeaders() {
  return {
      {"Cache-Control", "no-store"},
      // `no-referrer` would make a browser send `Origin: null` with our own forms.
      {"Referrer-Policy", "same-origin"},
      {"X-Content-Type-Options", "nosniff"},
      {"X-Frame-Options", "DENY"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Content-Security-Policy",
       "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
       "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"},
  };
}

std::string_view PathOf(std::string_view target) { return target.substr(0, target.find('?')); }

std::string_view QueryOf(std::string_view target) {
  const std::size_t at = target.find('?');
  return at == std::string_view::npos ? std::string_view() : target.substr(at + 1);
}

std::optional<std::string> FormMember(std::string_view form, std::string_view name) {
  while (!form.empty()) {
    const std::size_t end = form.find('&');
    const std::string_view pair = form.substr(0, end);
    const std::size_t equals = pair.find('=');
    const auto key = base::PercentDecode(pair.substr(0, equals), true);
    if (key && *key == name) {
      auto value = equals == std::string_view::npos
                       ? std::optional<std::string>("")
                       : base::PercentDecode(pair.substr(equals + 1), true);
      if (value && !base::IsValidUtf8(*value)) return std::nullopt;
      return value;
    }
    if (end == std::string_view::npos) break;
    form.remove_prefix(end + 1);
  }
  return std::nullopt;
}

}  // namespace approval::channels::web
