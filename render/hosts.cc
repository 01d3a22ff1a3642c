#include "render/hosts.h"

#include <algorithm>
#include <cstdlib>

#include "render/punycode.h"
#include "render/quote.h"

namespace approval::render {
namespace {

constexpr std::size_t kMaxHost = 1024;  // bytes; a name has at most 253
constexpr std::size_t kShown = 120;
constexpr std::string_view kAuthorityEnd = "/?#\\ \t\r\n\"'<>`()|;,";

UrlParts ReadAuthority(std::string_view authority) {
  UrlParts url;
  if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
    url.has_user = true;
    url.user = authority.substr(0, at);
    url.has_password = url.user.find(':') != std::string_view::npos;
    authority.remove_prefix(at + 1);
  }
  url.host = authority.substr(0, authority.find(':'));
  return url;
}

bool IsAsciiForm(std::string_view label) {
  return label.size() > 4 && (label[0] | 0x20) == 'x' && (label[1] | 0x20) == 'n' &&
         label.substr(2, 2) == "--";
}

}  // namespace

std::vector<UrlParts> FindUrls(std::string_view text) {
  constexpr std::string_view kMark = "://";
  std::vector<UrlParts> urls;
  for (std::size_t at = text.find(kMark); at != std::string_view::npos;
       at = text.find(kMark, at + 1)) {
    std::string_view rest = text.substr(at + kMark.size());
    rest = rest.substr(0, rest.find_first_of(kAuthorityEnd));
    if (!rest.empty()) urls.push_back(ReadAuthority(rest));
  }
  return urls;
}

std::optional<AddressParts> SplitAddress(std::string_view address) {
  const std::size_t at = address.rfind('@');
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view domain = address.substr(at + 1);
  domain = domain.substr(0, domain.find_first_of("> \t\r\n,;"));
  return AddressParts{address.substr(0, at), domain};
}

bool IsAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::optional<std::string> OddHost(std::string_view host) {
  if (host.size() > kMaxHost) return QuoteLine(host, kShown) + ", too long for a name";
  std::string ascii;
  std::string decoded;
  bool foreign = false;
  bool encoded = false;
  bool readable = true;
  for (std::string_view rest = host;;) {
    const std::size_t dot = rest.find('.');
    const std::string_view label = rest.substr(0, dot);
    const auto to = ToAsciiLabel(label);
    foreign |= !IsAscii(label);
    readable &= to.has_value();
    ascii += to.value_or("");
    if (IsAsciiForm(label)) {
      encoded = true;
      const auto from = FromAsciiLabel(label);
      decoded += from ? QuoteLine(*from) : std::string("(does not decode)");
    } else {
      decoded += QuoteLine(label);
    }
    if (dot == std::string_view::npos) break;
    ascii.push_back('.');
    decoded.push_back('.');
    rest.remove_prefix(dot + 1);
  }
  const std::string shown = QuoteLine(host, kShown);
  if (foreign && !readable) return shown + ", not a valid name";
  if (foreign) return shown + ", in ASCII " + QuoteLine(ascii, kShown);
  if (encoded) return shown + ", reads " + decoded;
  return std::nullopt;
}

bool NearlyEqual(std::string_view a, std::string_view b) {
  constexpr std::size_t kMax = 2;
  constexpr std::size_t kMaxName = 64;
  if (a == b || a.size() > kMaxName || b.size() > kMaxName) return false;
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > kMax) return false;
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()] <= kMax;
}

}  // namespace approval::render
