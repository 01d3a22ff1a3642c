#include "core/base/sha256.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "core/base/encoding.h"

namespace approval::base {
namespace {

const EVP_MD* Method() {
  static const EVP_MD* const method = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  return method;
}

}  // namespace

struct Sha256::State {
  State() : context(EVP_MD_CTX_new()) { Start(); }
  ~State() { EVP_MD_CTX_free(context); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void Start() { EVP_DigestInit_ex2(context, Method(), nullptr); }

  EVP_MD_CTX* context;
};

Sha256::Sha256() : state_(std::make_unique<State>()) {}
Sha256::~Sha256() = default;

void Sha256::Update(std::string_view bytes) {
  EVP_DigestUpdate(state_->context, bytes.data(), bytes.size());
}

Digest Sha256::Finish() {
  Digest out{};
  unsigned length = 0;
  EVP_DigestFinal_ex(state_->context, out.data(), &length);
  state_->Start();
  return out;
}

Digest Sha256Of(std::string_view bytes) {
  thread_local Sha256 hasher;
  hasher.Update(bytes);
  return hasher.Finish();
}

std::string Sha256Hex(std::string_view bytes) {
  const Digest digest = Sha256Of(bytes);
  return HexEncode(AsBytes(digest));
}

Digest HmacSha256(std::string_view key, std::string_view message) {
  Digest out{};
  unsigned length = 0;
  // A null key pointer would mean "the previous key"; an empty key is a valid key.
  const char* key_data = key.empty() ? "" : key.data();
  HMAC(Method(), key_data, static_cast<int>(key.size()),
       reinterpret_cast<const unsigned char*>(message.data()), message.size(), out.data(), &length);
  return out;
}

bool EqualConstantTime(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace approval::base
