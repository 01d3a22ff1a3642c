// scrypt and AES-256-GCM as the vault uses them. Internal to the room.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/secret.h"

namespace approval::vault {

inline constexpr std::size_t kSaltBytes = 16;
inline constexpr std::size_t kNonceBytes = 12;
inline constexpr std::size_t kTagBytes = 16;

// 32 bytes; nothing when the library refuses the numbers.
std::optional<base::Secret> DeriveKey(const base::Secret& passphrase, std::string_view salt,
                                      std::uint64_t n, std::uint64_t r, std::uint64_t p);

// The plain text; nothing when the tag does not fit, with no reason given.
std::optional<base::Secret> Decrypt(const base::Secret& key, std::string_view nonce,
                                    std::string_view tag, std::string_view bound,
                                    std::string_view ciphertext);

struct Encrypted {
  std::string ciphertext;
  std::string tag;
};
std::optional<Encrypted> Encrypt(const base::Secret& key, std::string_view nonce,
                                 std::string_view bound, const base::Secret& plain);

}  // namespace approval::vault
