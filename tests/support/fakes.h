// Fakes below the seams: a clock that stands still until told, and random bytes that repeat.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "core/base/clock.h"
#include "core/base/random.h"

namespace approval::testing {

class FakeClock final : public base::Clock {
 public:
  explicit FakeClock(std::int64_t now_ms = 1785834000000) : now_ms_(now_ms) {}
  std::int64_t NowMs() const override { return now_ms_; }
  void Advance(std::int64_t ms) { now_ms_ += ms; }

 private:
  std::int64_t now_ms_;
};

class FakeRandom final : public base::Random {
 public:
  std::string Bytes(std::size_t count) override {
    std::string out;
    for (std::size_t i = 0; i < count; ++i) {
      out.push_back(static_cast<char>(static_cast<unsigned char>(engine_() & 0xFF)));
    }
    return out;
  }

 private:
  std::mt19937 engine_{7};
};

}  // namespace approval::testing
