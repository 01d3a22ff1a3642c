#include "vault/vault.h"

#include <algorithm>

#include "core/base/files.h"
#include "core/log/read.h"
#include "vault/folder_lock.h"

namespace approval::vault {
namespace {

using base::Code;
using base::Error;
using base::Fail;
using base::Result;

constexpr std::size_t kMaxVaultBytes = std::size_t{16} << 20;
constexpr int kLockWaitMs = 30'000;

Error NoPassphrase() { return {Code::kPassphraseUnset, "the passphrase of the vault is not set"}; }

Error BadName() {
  return {Code::kInvalidName, "a credential's name is printable ASCII without blanks"};
}

}  // namespace

std::string DefaultVaultPath(const std::string& log_path) {
  return base::JoinPath(log::HomeOf(log_path), "vault.enc");
}

bool IsCredentialName(std::string_view name) {
  return !name.empty() &&
         std::all_of(name.begin(), name.end(), [](char c) { return c >= 0x21 && c <= 0x7e; });
}

Vault::Vault(std::string path, base::Random& random) : path_(std::move(path)), random_(random) {}

bool Vault::Present() const { return base::StateOf(path_) != base::FileState::kMissing; }

Error Vault::AtPath(Error error) const {
  error.details["path"] = path_;
  return error;
}

Result<Opened> Vault::Open(const base::Secret& passphrase) const {
  if (passphrase.empty()) return Fail(AtPath(NoPassphrase()));
  const auto text = base::ReadFile(path_, kMaxVaultBytes);
  if (!text) {
    const bool absent = text.error().code == Code::kAbsent;
    return Fail(AtPath(
        {absent ? Code::kVaultAbsent : Code::kVaultIo,
         absent ? "there is no vault yet; `approval vault set` makes one" : text.error().message}));
  }
  auto opened = OpenVaultText(*text, passphrase);
  if (!opened) return Fail(AtPath(opened.error()));
  return opened;
}

Result<void> Vault::Write(const Opened& opened, const base::Secret& passphrase) {
  const auto text = SealVaultText(opened.kdf, opened.entries, passphrase, random_);
  if (!text) return Fail(AtPath(text.error()));
  const base::WriteOptions options{0600, true, true};
  if (auto put = base::ReplaceFile(path_, *text, options); !put) {
    return Fail(AtPath({Code::kVaultWriteFailed, put.error().message}));
  }
  return {};
}

Result<Stored> Vault::Set(std::string_view name, const base::Secret& value,
                          const base::Secret& passphrase) {
  if (!IsCredentialName(name)) return Fail(AtPath(BadName()));
  if (value.empty()) return Fail(AtPath({Code::kEmptyValue, "the value is empty"}));
  if (passphrase.empty()) return Fail(AtPath(NoPassphrase()));
  const std::string folder = base::FolderOf(path_);
  if (auto made = base::MakeFolders(folder, 0700); !made) {
    return Fail(AtPath({Code::kVaultWriteFailed, made.error().message}));
  }
  const auto lock = FolderLock::Take(folder, kLockWaitMs);
  if (!lock) return Fail(AtPath({Code::kVaultWriteFailed, lock.error().message}));
  auto opened = Open(passphrase);
  if (!opened && opened.error().code == Code::kVaultAbsent) {
    opened = Opened{FreshHeader(random_), {}};
  }
  if (!opened) return tl::unexpected(opened.error());
  const bool created = opened->entries.insert_or_assign(std::string(name), value.Copy()).second;
  if (auto written = Write(*opened, passphrase); !written) return tl::unexpected(written.error());
  return Stored{opened->entries.size(), created};
}

Result<std::size_t> Vault::Remove(std::string_view name, const base::Secret& passphrase) {
  if (!IsCredentialName(name)) return Fail(AtPath(BadName()));
  if (passphrase.empty()) return Fail(AtPath(NoPassphrase()));
  // Checked before the lock, whose folder may not exist either.
  if (!Present()) return tl::unexpected(Open(passphrase).error());
  const auto lock = FolderLock::Take(base::FolderOf(path_), kLockWaitMs);
  if (!lock) return Fail(AtPath({Code::kVaultWriteFailed, lock.error().message}));
  auto opened = Open(passphrase);
  if (!opened) return tl::unexpected(opened.error());
  const auto found = opened->entries.find(name);
  if (found == opened->entries.end()) {
    return Fail(AtPath({Code::kCredentialAbsent, "the vault holds no credential of that name"}));
  }
  opened->entries.erase(found);
  if (auto written = Write(*opened, passphrase); !written) return tl::unexpected(written.error());
  return opened->entries.size();
}

Result<std::vector<std::string>> Vault::List(const base::Secret& passphrase) const {
  const auto opened = Open(passphrase);
  if (!opened) return tl::unexpected(opened.error());
  std::vector<std::string> names;
  for (const auto& [name, value] : opened->entries) names.push_back(name);
  return names;
}

Result<std::size_t> Vault::Check(const base::Secret& passphrase) const {
  const auto opened = Open(passphrase);
  if (!opened) return tl::unexpected(opened.error());
  return opened->entries.size();
}

Result<Entries> Vault::Unlock(const base::Secret& passphrase) const {
  auto opened = Open(passphrase);
  if (!opened) return tl::unexpected(opened.error());
  return std::move(opened->entries);
}

}  // namespace approval::vault
