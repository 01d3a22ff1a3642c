// Who holds a lock: the line of JSON in the lock file, and whether that process is gone
// (core.md 1.5).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/base/json.h"

namespace approval::log {

struct HolderFile {
  std::string bytes;
  std::uint64_t inode = 0;
  std::int64_t modified_ms = 0;
  std::int64_t modified_ns = 0;
};

// The lock file read without following links or waiting; nothing when it is missing, not regular or
// larger than 4096 bytes.
std::optional<HolderFile> ReadHolder(const std::string& lock_path);

// This process as a holder: `{"v":1,"pid":...}` and a line end.
std::string DescribeSelf(std::int64_t now_ms, std::string_view op, std::string_view nonce);

enum class HolderState { kAlive, kDead, kLegacyAged };

inline constexpr std::int64_t kLegacyAgeMs = 10 * 60 * 1000;

// Gone only when provably so: same boot and pid namespace and no such process (or a zombie, or
// another start time); an empty lock only when it is ten minutes old. Doubt means alive.
HolderState JudgeHolder(const HolderFile& holder, std::int64_t now_ms);

}  // namespace approval::log
