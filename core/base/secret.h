// A value that must not leak: no stream operator, not copyable by accident, cleared on destruction.
//
// Reveal() is the only way to the bytes; the view dies with the Secret. Copies are explicit.
#pragma once

#include <openssl/crypto.h>

#include <string>
#include <string_view>
#include <utility>

namespace approval::base {

class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string value) : value_(std::move(value)) {}
  explicit Secret(std::string_view value) : value_(value) {}
  ~Secret() { Clear(); }
  Secret(const Secret&) = delete;
  Secret& operator=(const Secret&) = delete;
  Secret(Secret&& other) noexcept : value_(std::move(other.value_)) { other.Clear(); }
  Secret& operator=(Secret&& other) noexcept {
    if (this != &other) {
      Clear();
      value_ = std::move(other.value_);
      other.Clear();
    }
    return *this;
  }

  Secret Copy() const { return Secret(std::string_view(value_)); }
  std::string_view Reveal() const { return value_; }
  bool empty() const { return value_.empty(); }
  void Clear() {
    // A moved-from short string keeps its bytes in place, so the whole buffer is wiped.
    value_.resize(value_.capacity());
    OPENSSL_cleanse(value_.data(), value_.size());
    value_.clear();
  }

 private:
  std::string value_;
};

}  // namespace approval::base
