// Whether a person has attested the policy file as it is on disk now (core.md 4.10).
//
// The last `policy.updated` with a human actor and a string sha256 decides (spec README item 4).
// Only records of a verified log may be passed. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/log/record.h"
#include "core/policy/load.h"

namespace approval::policy {

enum class AttestationStatus { kAttested, kNotAttested, kHashMismatch, kUnreadable };

// `attested`, `not-attested`, `hash-mismatch`, `unreadable`: the `detail` of policy-not-attested.
std::string_view Spelling(AttestationStatus status);

struct Attestation {
  AttestationStatus status = AttestationStatus::kNotAttested;
  std::optional<std::int64_t> seq;             // of the record that decides
  std::optional<std::string> attested_sha256;  // what that record says
  std::optional<std::string> live_sha256;      // of the file now

  bool ok() const { return status == AttestationStatus::kAttested; }
};

// `load` carries the hash of the very bytes that were parsed, so that what is attested is what is
// in force.
Attestation CheckAttestation(std::span<const log::Record> records, const LoadResult& load);

}  // namespace approval::policy
