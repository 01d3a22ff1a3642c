// Secure random bytes as a seam; the system generator never fails silently (it aborts instead).
#pragma once

#include <cstddef>
#include <string>

namespace approval::base {

class Random {
 public:
  virtual ~Random() = default;
  // `count` fresh bytes.
  virtual std::string Bytes(std::size_t count) = 0;
};

class SystemRandom final : public Random {
 public:
  std::string Bytes(std::size_t count) override;
};

}  // namespace approval::base
