#include "vault/vault.h"

#include <sys/stat.h>
#include <unistd.h>

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

// A rename would put a file of ours in the place of a link, or take a file from its owner.
Result<void> Vault::MayWrite() const {
  struct stat state {};
  if (::lstat(path_.c_str(), &state) != 0) return {};
  if (S_ISLNK(state.st_mode)) {
    return Fail(AtPath({Code::kVaultWriteFailed,
                        "the vault is a symbolic link, which would be replaced; name the file it "
                        "points to with --vault"}));
  }
  if (state.st_uid != ::geteuid()) {
    return Fail(AtPath(
        {Code::kVaultWriteFailed, "the vault belongs to user " + std::to_string(state.st_uid) +
                                      ", who could not read it any more; run this as that user"}));
  }
  return {};
}

Result<void> Vault::Write(const Opened& opened) {
  const auto text = SealVaultText(opened.kdf, opened.entries, opened.key, random_);
  if (!text) return Fail(AtPath(text.error()));
  const base::WriteOptions options{0600, true, true};
  if (auto put = base::ReplaceFile(path_, *text, options); !put) {
    return Fail(AtPath({Code::kVaultWriteFailed, put.error().message}));
  }
  return {};
}

Result<Stored> Vault::Set(std::string_view name, const base::Secret& value,
                          const base::Secret& passphrase) {
  Entries one;
  one.emplace(name, value.Copy());
  return SetAll(std::move(one), passphrase);
}

Result<Stored> Vault::SetAll(Entries values, const base::Secret& passphrase) {
  for (const auto& [name, value] : values) {
    if (!IsCredentialName(name)) return Fail(AtPath(BadName()));
    if (value.empty()) return Fail(AtPath({Code::kEmptyValue, "the value is empty"}));
  }
  if (passphrase.empty()) return Fail(AtPath(NoPassphrase()));
  const std::string folder = base::FolderOf(path_);
  if (auto made = base::MakeFolders(folder, 0700); !made) {
    return Fail(AtPath({Code::kVaultWriteFailed, made.error().message}));
  }
  const auto lock = FolderLock::Take(folder, kLockWaitMs);
  if (!lock) return Fail(AtPath({Code::kVaultWriteFailed, lock.error().message}));
  if (auto may = MayWrite(); !may) return tl::unexpected(may.error());
  auto opened = Open(passphrase);
  if (!opened && opened.error().code == Code::kVaultAbsent) {
    KdfHeader kdf = FreshHeader(random_);
    auto key = DeriveVaultKey(kdf, passphrase);
    if (!key) return Fail(AtPath(key.error()));
    opened = Opened{std::move(kdf), {}, std::move(*key)};
  }
  if (!opened) return tl::unexpected(opened.error());
  bool created = false;
  for (auto& [name, value] : values) {
    created = opened->entries.insert_or_assign(name, std::move(value)).second || created;
  }
  if (auto written = Write(*opened); !written) return tl::unexpected(written.error());
  return Stored{opened->entries.size(), created};
}

Result<std::size_t> Vault::Remove(std::string_view name, const base::Secret& passphrase) {
  if (!IsCredentialName(name)) return Fail(AtPath(BadName()));
  if (passphrase.empty()) return Fail(AtPath(NoPassphrase()));
  // Checked before the lock, whose folder may not exist either.
  if (!Present()) return tl::unexpected(Open(passphrase).error());
  const auto lock = FolderLock::Take(base::FolderOf(path_), kLockWaitMs);
  if (!lock) return Fail(AtPath({Code::kVaultWriteFailed, lock.error().message}));
  if (auto may = MayWrite(); !may) return tl::unexpected(may.error());
  auto opened = Open(passphrase);
  if (!opened) return tl::unexpected(opened.error());
  const auto found = opened->entries.find(name);
  if (found == opened->entries.end()) {
    return Fail(AtPath({Code::kCredentialAbsent, "the vault holds no credential of that name"}));
  }
  opened->entries.erase(found);
  if (auto written = Write(*opened); !written) return tl::unexpected(written.error());
  return opened->entries.size();
}

Result<std::size_t> Vault::ChangePassphrase(const base::Secret& passphrase,
                                            const base::Secret& fresh) {
  if (passphrase.empty() || fresh.empty()) return Fail(AtPath(NoPassphrase()));
  if (!Present()) return tl::unexpected(Open(passphrase).error());
  const auto lock = FolderLock::Take(base::FolderOf(path_), kLockWaitMs);
  if (!lock) return Fail(AtPath({Code::kVaultWriteFailed, lock.error().message}));
  if (auto may = MayWrite(); !may) return tl::unexpected(may.error());
  auto opened = Open(passphrase);
  if (!opened) return tl::unexpected(opened.error());
  opened->kdf = FreshHeader(random_);
  auto key = DeriveVaultKey(opened->kdf, fresh);
  if (!key) return Fail(AtPath(key.error()));
  opened->key = std::move(*key);
  if (auto written = Write(*opened); !written) return tl::unexpected(written.error());
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
