// The payload store: canonical bytes by their hash, in `payloads/` beside the log (core.md 5.4).
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/json.h"

namespace approval::gate {

// Largest canonical form of a payload document (spec README item 18).
inline constexpr std::size_t kMaxPayloadBytes = std::size_t{2} << 20;

class PayloadStore {
 public:
  // The store that belongs to a log.
  explicit PayloadStore(const std::string& log_path);

  // Writes the canonical bytes under their hash, replacing an equal file; synced to disk.
  // `write-failed` leaves what was there.
  base::Result<void> Put(std::string_view hash, std::string_view canonical) const;

  struct Stored {
    base::Json value;
    std::string text;  // canonical form
  };

  // Reads and hashes again. `absent`, `unreadable` (also: no hash, no JSON, no canonical form),
  // `reference`, `hash-mismatch`.
  base::Result<Stored> Get(std::string_view hash) const;

  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
};

}  // namespace approval::gate
