#include "vault/adapters/email/pin_file.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <memory>

#include "core/base/encoding.h"
#include "core/base/files.h"
#include "core/base/sha256.h"

namespace approval::adapters::email {
namespace {

constexpr std::size_t kMaxFile = std::size_t{1} << 20;
constexpr int kMaxKeys = 20;

struct Free {
  void operator()(BIO* held) const { BIO_free(held); }
  void operator()(X509* held) const { X509_free(held); }
  void operator()(EVP_PKEY* held) const { EVP_PKEY_free(held); }
};
template <typename T>
using Held = std::unique_ptr<T, Free>;

std::string PinOf(EVP_PKEY* key) {
  unsigned char* der = nullptr;
  const int length = i2d_PUBKEY(key, &der);
  if (length <= 0) return "";
  const std::string bytes(reinterpret_cast<const char*>(der), static_cast<std::size_t>(length));
  OPENSSL_free(der);
  return "sha256//" + base::Base64Encode(base::AsBytes(base::Sha256Of(bytes)));
}

// The key of the next block, whatever holds it; nothing at the end and for anything else.
Held<EVP_PKEY> KeyOf(const std::string& label, const std::string& der) {
  const auto* at = reinterpret_cast<const unsigned char*>(der.data());
  const auto length = static_cast<long>(der.size());
  if (label == PEM_STRING_PUBLIC) return Held<EVP_PKEY>(d2i_PUBKEY(nullptr, &at, length));
  if (label != PEM_STRING_X509) return nullptr;
  const Held<X509> certificate(d2i_X509(nullptr, &at, length));
  return Held<EVP_PKEY>(certificate != nullptr ? X509_get_pubkey(certificate.get()) : nullptr);
}

}  // namespace

tl::expected<std::string, std::string> ReadPins(const std::string& path) {
  const auto text = base::ReadFile(path, kMaxFile);
  if (!text) return tl::unexpected("cannot be read: " + text.error().message);
  const Held<BIO> in(BIO_new_mem_buf(text->data(), static_cast<int>(text->size())));
  std::string pins;
  for (int keys = 0; keys < kMaxKeys; ++keys) {
    char* label = nullptr;
    char* header = nullptr;
    unsigned char* der = nullptr;
    long length = 0;
    if (PEM_read_bio(in.get(), &label, &header, &der, &length) != 1) break;
    const Held<EVP_PKEY> key = KeyOf(
        label, std::string(reinterpret_cast<const char*>(der), static_cast<std::size_t>(length)));
    OPENSSL_free(label);
    OPENSSL_free(header);
    OPENSSL_clear_free(der, static_cast<std::size_t>(length));
    const std::string pin = key != nullptr ? PinOf(key.get()) : "";
    if (!pin.empty()) pins += (pins.empty() ? "" : ";") + pin;
  }
  ERR_clear_error();
  if (pins.empty()) return tl::unexpected(std::string("holds no certificate and no public key"));
  return pins;
}

}  // namespace approval::adapters::email
