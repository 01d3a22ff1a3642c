// Proves a log record by record: the only maker of verified records (core.md 2.3, 2.8 to 2.10).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/log/record.h"

namespace approval::log {

enum class Status { kClean, kTornTail, kCorrupt };

struct Verdict {
  Status status = Status::kClean;
  std::size_t records = 0;           // proved ones
  std::optional<Head> head;          // of the proved records
  std::optional<base::Code> reason;  // when corrupt
  base::Json first_bad_seq;          // number or null, when corrupt
  std::string message;               // one sentence, when not clean
};

// Walks a log fed in blocks of any size. After a failure it takes nothing more. Not thread-safe.
class Verifier {
 public:
  Verifier() = default;

  // Bytes that follow those fed before.
  void Feed(std::string_view bytes);

  // The verdict on what was fed so far; an unterminated last piece is a torn tail. May be asked
  // again after more bytes. `anchor`: a head that the log must have.
  Verdict Judge(const std::optional<Head>& anchor = std::nullopt) const;

  // The records proved so far, in order. Grows only.
  const VerifiedLog& proved() const { return log_; }
  VerifiedLog TakeProved() && { return std::move(log_); }

  // Bytes of the proved complete lines, from the start of the file.
  std::uint64_t proved_bytes() const { return proved_bytes_; }

 private:
  bool TakeLine(std::string_view line);
  bool Refuse(base::Code reason, base::Json seq, std::string message);

  VerifiedLog log_;
  std::string partial_;
  std::uint64_t proved_bytes_ = 0;
  std::optional<Verdict> failure_;
};

struct Anomaly {
  std::int64_t seq;
  std::string ts;
  std::string event;
  std::int64_t previous_seq;
  std::string previous_ts;
  std::int64_t skew_ms;
};

inline constexpr std::int64_t kDefaultSkewToleranceMs = 2000;

// Gate records that went back in time by more than the tolerance. Changes no verdict.
std::vector<Anomaly> FindAnomalies(const VerifiedLog& log, std::int64_t tolerance_ms);

}  // namespace approval::log
