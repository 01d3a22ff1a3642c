#include "vault/secrets/instance_id.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/base/files.h"
#include "core/base/sha256.h"

namespace approval::secrets {
namespace {

constexpr std::size_t kIdLength = 8;
constexpr std::array<std::string_view, 3> kNames = {
    "approval-tg-token", "approval-vault-passphrase", "approval-sampling-secret"};

bool IsId(std::string_view text) {
  return text.size() == kIdLength && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

}  // namespace

std::string InstanceId(const std::string& home) {
  return base::Sha256Hex(base::AbsolutePath(home)).substr(0, kIdLength);
}

ItemNames ItemNamesFor(const std::string& instance_id) {
  const auto named = [&](std::string_view name) { return std::string(name) + "-" + instance_id; };
  return {named(kNames[0]), named(kNames[1]), named(kNames[2])};
}

ItemScope ScopeOf(const std::string& item, const std::string& instance_id) {
  for (const std::string_view name : kNames) {
    if (item == name) return ItemScope::kLegacy;
    if (item.substr(0, name.size()) != name || item.size() != name.size() + 1 + kIdLength) continue;
    const std::string_view id = std::string_view(item).substr(name.size() + 1);
    if (item[name.size()] != '-' || !IsId(id)) continue;
    return id == instance_id ? ItemScope::kMine : ItemScope::kOtherInstance;
  }
  return ItemScope::kUnknown;
}

}  // namespace approval::secrets
