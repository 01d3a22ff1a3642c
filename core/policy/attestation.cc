#include "core/policy/attestation.h"

#include "core/base/json.h"
#include "core/base/names.h"

namespace approval::policy {

std::string_view Spelling(AttestationStatus status) {
  switch (status) {
    case AttestationStatus::kAttested:
      return "attested";
    case AttestationStatus::kNotAttested:
      return "not-attested";
    case AttestationStatus::kHashMismatch:
      return "hash-mismatch";
    case AttestationStatus::kUnreadable:
      return "unreadable";
  }
  return "";
}

Attestation CheckAttestation(std::span<const log::Record> records, const LoadResult& load) {
  Attestation out;
  for (auto record = records.rbegin(); record != records.rend(); ++record) {
    if (record->event != "policy.updated" || !base::IsHuman(record->actor)) continue;
    const std::optional<std::string_view> hash = base::StringMember(record->payload, "sha256");
    if (!hash) continue;
    out.seq = record->seq;
    out.attested_sha256 = std::string(*hash);
    break;
  }
  if (load.sha256.empty()) {
    out.status = AttestationStatus::kUnreadable;
    return out;
  }
  out.live_sha256 = load.sha256;
  if (!out.attested_sha256) {
    out.status = AttestationStatus::kNotAttested;
  } else {
    out.status = *out.attested_sha256 == load.sha256 ? AttestationStatus::kAttested
                                                     : AttestationStatus::kHashMismatch;
  }
  return out;
}

}  // namespace approval::policy
