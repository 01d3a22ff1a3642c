#include "gateway/web_link.h"

#include <charconv>

#include "core/base/files.h"
#include "core/base/private_folder.h"

namespace approval::gateway {
namespace {

std::string PortPath(const std::string& private_folder) {
  return base::JoinPath(private_folder, "web-port");
}

}  // namespace

base::Result<base::Secret> WebLinkKey(const std::string& private_folder, base::Random& random) {
  if (auto ready = base::PreparePrivateFolder(private_folder); !ready) {
    return tl::unexpected(ready.error());
  }
  return base::PrivateKey(private_folder, "web-link.key", random);
}

void SaveWebPort(const std::string& private_folder, unsigned short port) {
  (void)base::ReplaceFile(PortPath(private_folder), std::to_string(port) + "\n", {0600});
}

std::optional<unsigned short> SavedWebPort(const std::string& private_folder) {
  const auto text = base::ReadFile(PortPath(private_folder), 64);
  unsigned short port = 0;
  if (!text) return std::nullopt;
  const auto read = std::from_chars(text->data(), text->data() + text->size(), port);
  if (read.ec != std::errc() || port == 0) return std::nullopt;
  return port;
}

}  // namespace approval::gateway
