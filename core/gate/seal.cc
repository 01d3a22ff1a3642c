#include "core/gate/seal.h"

#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/x509.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>

#include "core/base/encoding.h"
#include "core/base/files.h"
#include "core/base/private_folder.h"
#include "core/base/sha256.h"
#include "core/log/read.h"

namespace approval::gate {
namespace {

constexpr std::string_view kAlgorithm = "x25519-hkdf-sha256/aes-256-gcm";
constexpr std::size_t kNonceBytes = 12;
constexpr std::size_t kTagBytes = 16;

template <auto Free>
struct Freer {
  template <typename T>
  void operator()(T* held) const {
    Free(held);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Freer<EVP_PKEY_free>>;
using KeyContext = std::unique_ptr<EVP_PKEY_CTX, Freer<EVP_PKEY_CTX_free>>;
using CipherContext = std::unique_ptr<EVP_CIPHER_CTX, Freer<EVP_CIPHER_CTX_free>>;
using PrivateInfo = std::unique_ptr<PKCS8_PRIV_KEY_INFO, Freer<PKCS8_PRIV_KEY_INFO_free>>;

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* Bytes(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

Key Generate() { return Key(EVP_PKEY_Q_keygen(nullptr, nullptr, "X25519")); }

// DER through OpenSSL's two-call convention.
template <typename Write>
std::string Der(Write write) {
  const int length = write(nullptr);
  if (length <= 0) return {};
  std::string out(static_cast<std::size_t>(length), '\0');
  unsigned char* at = Bytes(out);
  write(&at);
  return out;
}

std::string PublicDer(EVP_PKEY* key) {
  return Der([key](unsigned char** at) { return i2d_PUBKEY(key, at); });
}

Key PublicFrom(std::string_view base64) {
  const auto der = base::Base64Decode(base64);
  if (!der) return nullptr;
  const unsigned char* at = Bytes(std::string_view(*der));
  Key key(d2i_PUBKEY(nullptr, &at, static_cast<long>(der->size())));
  const bool whole = at == Bytes(std::string_view(*der)) + der->size();
  return key && whole && EVP_PKEY_is_a(key.get(), "X25519") ? std::move(key) : nullptr;
}

Key PrivateFrom(std::string_view base64) {
  auto der = base::Base64Decode(base64);
  if (!der) return nullptr;
  const base::Secret wiped(std::move(*der));
  const unsigned char* at = Bytes(wiped.Reveal());
  const PrivateInfo info(
      d2i_PKCS8_PRIV_KEY_INFO(nullptr, &at, static_cast<long>(wiped.Reveal().size())));
  if (!info) return nullptr;
  Key key(EVP_PKCS82PKEY(info.get()));
  return key && EVP_PKEY_is_a(key.get(), "X25519") ? std::move(key) : nullptr;
}

// ECDH and HKDF: the AEAD key for one action key.
std::optional<base::Secret> SharedKey(EVP_PKEY* own, EVP_PKEY* peer, std::string_view action_key) {
  const KeyContext derive(EVP_PKEY_CTX_new(own, nullptr));
  std::array<unsigned char, 32> shared{};
  std::size_t length = shared.size();
  if (!derive || EVP_PKEY_derive_init(derive.get()) != 1 ||
      EVP_PKEY_derive_set_peer(derive.get(), peer) != 1 ||
      EVP_PKEY_derive(derive.get(), shared.data(), &length) != 1 || length != shared.size()) {
    return std::nullopt;
  }
  const std::string info = "approval.md/" + std::string(kAlgorithm) + "/" + std::string(action_key);
  const KeyContext kdf(EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, nullptr));
  std::string out(32, '\0');
  length = out.size();
  const bool ok =
      kdf && EVP_PKEY_derive_init(kdf.get()) == 1 &&
      EVP_PKEY_CTX_set_hkdf_md(kdf.get(), EVP_sha256()) == 1 &&
      EVP_PKEY_CTX_set1_hkdf_key(kdf.get(), shared.data(), static_cast<int>(shared.size())) == 1 &&
      EVP_PKEY_CTX_add1_hkdf_info(kdf.get(), Bytes(std::string_view(info)),
                                  static_cast<int>(info.size())) == 1 &&
      EVP_PKEY_derive(kdf.get(), Bytes(out), &length) == 1;
  OPENSSL_cleanse(shared.data(), shared.size());
  base::Secret key(std::move(out));
  if (!ok) return std::nullopt;
  return key;
}

}  // namespace

std::optional<SealingKeys> MakeSealingKeys() {
  const Key key = Generate();
  const PrivateInfo info(key ? EVP_PKEY2PKCS8(key.get()) : nullptr);
  if (!info) return std::nullopt;
  base::Secret der(
      Der([&](unsigned char** at) { return i2d_PKCS8_PRIV_KEY_INFO(info.get(), at); }));
  const std::string public_der = PublicDer(key.get());
  if (der.empty() || public_der.empty()) return std::nullopt;
  return SealingKeys{base::Base64Encode(public_der),
                     base::Secret(base::Base64Encode(der.Reveal()))};
}

std::optional<base::JsonObject> SealToken(std::string_view token, std::string_view recipient_key,
                                          std::string_view action_key, base::Random& random) {
  const Key peer = PublicFrom(recipient_key);
  const Key own = Generate();
  if (!peer || !own) return std::nullopt;
  const auto key = SharedKey(own.get(), peer.get(), action_key);
  if (!key) return std::nullopt;
  const std::string nonce = random.Bytes(kNonceBytes);
  const CipherContext cipher(EVP_CIPHER_CTX_new());
  std::string text(token.size(), '\0');
  std::string tag(kTagBytes, '\0');
  int length = 0;
  if (!cipher ||
      EVP_EncryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, Bytes(key->Reveal()),
                         Bytes(std::string_view(nonce))) != 1 ||
      EVP_EncryptUpdate(cipher.get(), Bytes(text), &length, Bytes(token),
                        static_cast<int>(token.size())) != 1 ||
      EVP_EncryptFinal_ex(cipher.get(), Bytes(text) + length, &length) != 1 ||
      EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_GET_TAG, kTagBytes, tag.data()) != 1) {
    return std::nullopt;
  }
  return base::JsonObject{{"alg", kAlgorithm},
                          {"epk", base::Base64Encode(PublicDer(own.get()))},
                          {"nonce", base::Base64Encode(nonce)},
                          {"ct", base::Base64Encode(text)},
                          {"tag", base::Base64Encode(tag)}};
}

std::optional<base::Secret> OpenToken(const base::JsonObject& sealed,
                                      const base::Secret& private_key, std::string_view action_key,
                                      std::string_view token_sha256) {
  const auto member = [&](std::string_view name) {
    const auto text = base::StringMember(sealed, name);
    return text ? base::Base64Decode(*text) : std::nullopt;
  };
  const auto nonce = member("nonce");
  const auto text = member("ct");
  auto tag = member("tag");
  const Key peer = PublicFrom(base::StringMember(sealed, "epk").value_or(""));
  const Key own = PrivateFrom(private_key.Reveal());
  if (base::StringMember(sealed, "alg") != kAlgorithm || !nonce || nonce->size() != kNonceBytes ||
      !text || text->size() > 4096 || !tag || tag->size() != kTagBytes || !peer || !own) {
    return std::nullopt;
  }
  const auto key = SharedKey(own.get(), peer.get(), action_key);
  if (!key) return std::nullopt;
  const CipherContext cipher(EVP_CIPHER_CTX_new());
  std::string plain(text->size(), '\0');
  int length = 0;
  int last = 0;
  const bool ok =
      cipher &&
      EVP_DecryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, Bytes(key->Reveal()),
                         Bytes(std::string_view(*nonce))) == 1 &&
      EVP_DecryptUpdate(cipher.get(), Bytes(plain), &length, Bytes(std::string_view(*text)),
                        static_cast<int>(text->size())) == 1 &&
      EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_SET_TAG, kTagBytes, tag->data()) == 1 &&
      EVP_DecryptFinal_ex(cipher.get(), Bytes(plain) + length, &last) == 1;
  base::Secret token(std::move(plain));
  if (!ok || !base::EqualConstantTime(base::Sha256Hex(token.Reveal()), token_sha256)) {
    return std::nullopt;
  }
  return token;
}

RequesterKeys::RequesterKeys(const std::string& log_path)
    : folder_(base::JoinPath(log::HomeOf(log_path), "keys")) {}

std::string RequesterKeys::PathOf(std::string_view action_key) const {
  return base::JoinPath(folder_, base::PercentEncode(action_key, "._:-") + ".key");
}

base::Result<std::string> RequesterKeys::Stage(std::string_view action_key,
                                               const base::Secret& private_key,
                                               base::Random& random) const {
  if (auto made = base::PreparePrivateFolder(folder_); !made) return tl::unexpected(made.error());
  base::WriteOptions options;
  options.mode = 0600;
  options.exact_mode = true;
  options.sync = true;
  const std::string staged = PathOf(action_key) + ".staged-" + base::HexEncode(random.Bytes(8));
  auto put = base::ReplaceFile(staged, private_key.Reveal(), options);
  if (!put) return tl::unexpected(put.error());
  return staged;
}

base::Result<void> RequesterKeys::Commit(const std::string& staged,
                                         std::string_view action_key) const {
  if (::rename(staged.c_str(), PathOf(action_key).c_str()) == 0) return {};
  const int failed = errno;
  Discard(staged);
  return base::Fail(base::Code::kIo, "cannot keep the key of the request in " + folder_ + ": " +
                                         base::ErrnoText(failed));
}

void RequesterKeys::Discard(const std::string& staged) const { ::unlink(staged.c_str()); }

std::optional<base::Secret> RequesterKeys::Load(std::string_view action_key) const {
  auto text = base::ReadFile(PathOf(action_key), 4096);
  if (!text) return std::nullopt;
  return base::Secret(std::move(*text));
}

void RequesterKeys::Remove(std::string_view action_key) const {
  ::unlink(PathOf(action_key).c_str());
}

}  // namespace approval::gate
