// How this machine names itself, and which hosts are this machine. No name is looked up.
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "vault/adapters/email/smtp_session.h"

namespace approval::adapters::email {
namespace {

bool IsFullName(std::string_view name) {
  const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
           c == '-';
  });
  return plain && !name.empty() && name.find('.') != std::string_view::npos &&
         name.front() != '.' && name.back() != '.' && name.substr(0, 9) != "localhost";
}

}  // namespace

bool IsEhloName(std::string_view name) {
  if (name.empty() || name.size() > 255) return false;
  const bool literal = name.front() == '[' && name.back() == ']' && name.size() > 2;
  if (literal) name = name.substr(1, name.size() - 2);
  return name.front() != '.' && name.front() != '-' &&
         std::all_of(name.begin(), name.end(), [literal](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                  c == '.' || c == '-' || (literal && c == ':');
         });
}

std::string OwnEhloName() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) == 0 && IsFullName(name.data())) {
    return name.data();
  }
  std::string literal = "[127.0.0.1]";
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return literal;
  for (const ifaddrs* it = all; it != nullptr; it = it->ifa_next) {
    if (it->ifa_addr == nullptr || it->ifa_addr->sa_family != AF_INET) continue;
    if ((it->ifa_flags & IFF_LOOPBACK) != 0 || (it->ifa_flags & IFF_UP) == 0) continue;
    const auto* address = reinterpret_cast<const sockaddr_in*>(it->ifa_addr);
    std::array<char, INET_ADDRSTRLEN> text{};
    if (::inet_ntop(AF_INET, &address->sin_addr, text.data(), text.size()) != nullptr) {
      literal = "[" + std::string(text.data()) + "]";
      break;
    }
  }
  ::freeifaddrs(all);
  return literal;
}

bool IsLoopbackHost(std::string_view host) {
  if (host == "localhost" || host == "::1" || host == "[::1]") return true;
  in_addr address{};
  return ::inet_pton(AF_INET, std::string(host).c_str(), &address) == 1 &&
         (ntohl(address.s_addr) >> 24) == 127;
}

}  // namespace approval::adapters::email
