#include "vault/vault_crypto.h"

#include <openssl/evp.h>

#include <memory>

namespace approval::vault {
namespace {

struct FreeCipher {
  void operator()(EVP_CIPHER_CTX* held) const { EVP_CIPHER_CTX_free(held); }
};
using CipherContext = std::unique_ptr<EVP_CIPHER_CTX, FreeCipher>;

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* Bytes(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }
int Length(std::string_view text) { return static_cast<int>(text.size()); }

}  // namespace

std::optional<base::Secret> DeriveKey(const base::Secret& passphrase, std::string_view salt,
                                      std::uint64_t n, std::uint64_t r, std::uint64_t p) {
  // The library's own ceiling is 32 MiB, which refuses honest headers.
  const std::uint64_t memory = 128 * n * r + 128 * r * p + (std::uint64_t{1} << 20);
  std::string key(32, '\0');
  const std::string_view secret = passphrase.Reveal();
  const int ok = EVP_PBE_scrypt(secret.data(), secret.size(), Bytes(salt), salt.size(), n, r, p,
                                memory, Bytes(key), key.size());
  base::Secret made(std::move(key));
  if (ok != 1) return std::nullopt;
  return made;
}

std::optional<base::Secret> Decrypt(const base::Secret& key, std::string_view nonce,
                                    std::string_view tag, std::string_view bound,
                                    std::string_view ciphertext) {
  const CipherContext cipher(EVP_CIPHER_CTX_new());
  std::string plain(ciphertext.size() + 16, '\0');
  std::string wanted(tag);
  int length = 0;
  int last = 0;
  const bool ok =
      cipher &&
      EVP_DecryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, Bytes(key.Reveal()),
                         Bytes(nonce)) == 1 &&
      EVP_DecryptUpdate(cipher.get(), nullptr, &length, Bytes(bound), Length(bound)) == 1 &&
      EVP_DecryptUpdate(cipher.get(), Bytes(plain), &length, Bytes(ciphertext),
                        Length(ciphertext)) == 1 &&
      EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_SET_TAG, static_cast<int>(kTagBytes),
                          wanted.data()) == 1 &&
      EVP_DecryptFinal_ex(cipher.get(), Bytes(plain) + length, &last) == 1;
  const base::Secret whole(std::move(plain));
  if (!ok) return std::nullopt;
  return base::Secret(whole.Reveal().substr(0, static_cast<std::size_t>(length)));
}

std::optional<Encrypted> Encrypt(const base::Secret& key, std::string_view nonce,
                                 std::string_view bound, const base::Secret& plain) {
  const CipherContext cipher(EVP_CIPHER_CTX_new());
  Encrypted made;
  made.ciphertext.assign(plain.Reveal().size() + 16, '\0');
  made.tag.assign(kTagBytes, '\0');
  int length = 0;
  int last = 0;
  const bool ok =
      cipher &&
      EVP_EncryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, Bytes(key.Reveal()),
                         Bytes(nonce)) == 1 &&
      EVP_EncryptUpdate(cipher.get(), nullptr, &length, Bytes(bound), Length(bound)) == 1 &&
      EVP_EncryptUpdate(cipher.get(), Bytes(made.ciphertext), &length, Bytes(plain.Reveal()),
                        Length(plain.Reveal())) == 1 &&
      EVP_EncryptFinal_ex(cipher.get(), Bytes(made.ciphertext) + length, &last) == 1 &&
      EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_GET_TAG, static_cast<int>(kTagBytes),
                          made.tag.data()) == 1;
  if (!ok) return std::nullopt;
  made.ciphertext.resize(static_cast<std::size_t>(length));
  return made;
}

}  // namespace approval::vault
