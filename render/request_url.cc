#include "render/request_url.h"

#include <algorithm>

namespace approval::render {
namespace {

bool IsSchemeChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' ||
         c == '-' || c == '.';
}

// Blanks and controls are dropped by some programs and end the address for others, a backslash is
// a slash to some, a sign in front of the host ends it for some, an escape in it is decoded by
// some.
bool IsPlain(std::string_view url, std::string_view authority, std::string_view host) {
  const bool clean = std::none_of(url.begin(), url.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte <= 0x20 || byte == 0x7F || c == '\\';
  });
  return clean && host.find('%') == std::string_view::npos &&
         authority.find_first_of("\"'<>`()|;,") == std::string_view::npos;
}

// Where the host ends: in front of the port's colon, which is outside of brackets.
std::size_t HostEnd(std::string_view authority) {
  const std::size_t close = authority.starts_with('[') ? authority.find(']') : 0;
  if (close == std::string_view::npos) return authority.size();
  return std::min(authority.find(':', close), authority.size());
}

}  // namespace

RequestUrl ReadRequestUrl(std::string_view url) {
  constexpr std::string_view kMark = "://";
  RequestUrl out;
  const std::size_t mark = url.find(kMark);
  if (mark == std::string_view::npos || mark == 0) return out;
  const std::string_view scheme = url.substr(0, mark);
  if (!std::all_of(scheme.begin(), scheme.end(), IsSchemeChar)) return out;
  const std::string_view rest = url.substr(mark + kMark.size());
  const std::size_t end = std::min(rest.find_first_of("/?#\\"), rest.size());
  const std::string_view whole = rest.substr(0, end);
  std::string_view authority = whole;
  if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
    authority.remove_prefix(at + 1);
  }
  const std::size_t host_end = HostEnd(authority);
  if (host_end == 0) return out;
  out.absolute = true;
  out.scheme = scheme;
  out.host = authority.substr(0, host_end);
  if (host_end < authority.size()) out.port = authority.substr(host_end + 1);
  out.target = rest.substr(end);
  out.plain = IsPlain(url, whole, out.host);
  return out;
}

}  // namespace approval::render
