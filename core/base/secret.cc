#include "core/base/secret.h"

#include <openssl/crypto.h>

namespace approval::base {

Secret::~Secret() { Clear(); }

Secret::Secret(Secret&& other) noexcept : value_(std::move(other.value_)) { other.Clear(); }

Secret& Secret::operator=(Secret&& other) noexcept {
  if (this != &other) {
    Clear();
    value_ = std::move(other.value_);
    other.Clear();
  }
  return *this;
}

void Secret::Clear() {
  // A moved-from short string keeps its bytes in place, so the whole buffer is wiped.
  value_.resize(value_.capacity());
  OPENSSL_cleanse(value_.data(), value_.size());
  value_.clear();
}

}  // namespace approval::base
