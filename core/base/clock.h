// The wall clock as a seam: milliseconds since 1970, UTC.
#pragma once

#include <cstdint>

namespace approval::base {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual std::int64_t NowMs() const = 0;
};

class SystemClock final : public Clock {
 public:
  std::int64_t NowMs() const override;
};

}  // namespace approval::base
