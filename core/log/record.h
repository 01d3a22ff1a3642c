// One record of the log, and a log whose chain was proved (core.md 2.1, 2.8).
//
// Only the verifier makes a VerifiedLog; whoever holds one may decide on its records.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/json.h"

namespace approval::log {

// Place and hash of a record; the precondition of an append.
struct Head {
  std::int64_t seq = 0;
  std::string hash;
  bool operator==(const Head&) const = default;
};

struct Record {
  std::int64_t seq = 0;
  std::string ts;
  std::optional<std::int64_t> instant;  // of `ts`; nothing when unknown
  std::string event;
  std::string actor;
  std::optional<std::string> task;
  std::optional<std::string> action_key;
  std::optional<std::string> channel;
  std::optional<std::string> daemon;
  std::optional<std::string> prev;
  std::string hash;
  bool has_payload = false;
  base::JsonObject payload;  // empty when the record has none
};

class VerifiedLog {
 public:
  const std::vector<Record>& records() const { return records_; }
  // Nothing for an empty log.
  const std::optional<Head>& head() const { return head_; }

 private:
  friend class Verifier;
  std::vector<Record> records_;
  std::optional<Head> head_;
};

}  // namespace approval::log
