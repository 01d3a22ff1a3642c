#include "core/base/secret.h"

#include <openssl/crypto.h>
#include <sys/prctl.h>

#include <cstdlib>
#include <cstring>
#include <utility>

namespace approval::base {
namespace {

// Tokens, keys, a passphrase and a vault of a megabyte fit; the pages cost nothing until used.
constexpr std::size_t kHeapBytes = std::size_t{4} << 20;
constexpr std::size_t kSmallestBlock = 32;

// The heap is one for the process and is made at the first secret; without locked memory OpenSSL
// still makes it, and without any it gives nothing.
char* Take(std::size_t size) {
  static const bool made = CRYPTO_secure_malloc_init(kHeapBytes, kSmallestBlock) != 0;
  void* block = made ? OPENSSL_secure_malloc(size) : nullptr;
  if (block == nullptr) block = std::malloc(size);
  if (block == nullptr) std::abort();
  return static_cast<char*>(block);
}

void GiveBack(char* block, std::size_t size) {
  OPENSSL_cleanse(block, size);
  if (CRYPTO_secure_allocated(block) != 0) {
    OPENSSL_secure_free(block);
  } else {
    std::free(block);
  }
}

}  // namespace

Secret::Secret(std::string_view value) : size_(value.size()) {
  if (size_ == 0) return;
  // A NUL behind the bytes, for C functions that look for one.
  bytes_ = Take(size_ + 1);
  std::memcpy(bytes_, value.data(), size_);
  bytes_[size_] = '\0';
}

Secret::Secret(std::string&& value) : Secret(std::string_view(value)) { Wipe(value); }

Secret::Secret(Secret&& other) noexcept
    : bytes_(std::exchange(other.bytes_, nullptr)), size_(std::exchange(other.size_, 0)) {}

Secret& Secret::operator=(Secret&& other) noexcept {
  if (this != &other) {
    Clear();
    bytes_ = std::exchange(other.bytes_, nullptr);
    size_ = std::exchange(other.size_, 0);
  }
  return *this;
}

void Secret::Clear() {
  if (bytes_ != nullptr) GiveBack(bytes_, size_ + 1);
  bytes_ = nullptr;
  size_ = 0;
}

bool Secret::locked() const { return bytes_ != nullptr && CRYPTO_secure_allocated(bytes_) != 0; }

void Wipe(std::string& text) {
  text.resize(text.capacity());
  OPENSSL_cleanse(text.data(), text.size());
  text.clear();
}

void ForbidInspection() { ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

}  // namespace approval::base
