// What is odd about a request: computed, shown above the payload's end, never hidden (channels.md
// 2.9, 1.10; FR-064).
//
// Pure functions. A warning changes nothing in the hash and decides nothing.
#pragma once

#include <string>
#include <vector>

#include "core/gate/request_model.h"

namespace approval::render {

enum class WarningKind {
  kLookAlike,    // mixed scripts or fullwidth letters in a word
  kHost,         // a non-ASCII or punycode label, a host behind user information
  kAddress,      // non-ASCII letters in an address, domains that look alike, answers elsewhere
  kInvisible,    // characters that cannot be seen
  kPadding,      // long runs of spaces or blank lines
  kSecret,       // a string that looks like a credential
  kBlindCopy,    // recipients that the others do not see
  kAttachment,   // a file that may run when it is opened
  kBudget,       // a budget that does not pass
  kAttestation,  // the policy is not attested
  kAutonomy,     // the class is not manual
};

struct Warning {
  WarningKind kind;
  std::string field;  // `to`, `argument 2`, `policy`
  std::string text;   // one quoted sentence that names the field
};

// Whether warnings of this kind come out of texts, not out of the runtime's facts.
bool IsOfPayload(WarningKind kind);

// Out of the payload, the claimed texts and the computed values, in the order of WarningKind.
std::vector<Warning> BuildWarnings(const gate::RequestModel& request);

}  // namespace approval::render
