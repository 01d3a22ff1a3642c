// SHA-256 and HMAC-SHA-256 over OpenSSL, with the digest method fetched once per process.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace approval::base {

using Digest = std::array<std::uint8_t, 32>;

// A running digest. Reusable after Finish. One thread at a time.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void Update(std::string_view bytes);
  Digest Finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

Digest Sha256Of(std::string_view bytes);

// 64 lowercase hex digits.
std::string Sha256Hex(std::string_view bytes);

Digest HmacSha256(std::string_view key, std::string_view message);

// Equal contents; the running time depends on the lengths only.
bool EqualConstantTime(std::string_view a, std::string_view b);

}  // namespace approval::base
