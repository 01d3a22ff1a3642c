// Checks any adapter against the contract of adapter.h (adapters.md 6).
//
// Each check runs on a fresh project of its own: a policy, a log with a real grant, a vault with
// the subject's settings, all below the scratch folder. After each the chain must verify clean. The
// first violation ends the run and is returned; nothing throws. The subject's functions are called
// on the calling thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/base/clock.h"
#include "core/base/random.h"
#include "vault/adapters/adapter.h"

namespace approval::adapters {

// What the author of an adapter brings.
struct ConformanceSubject {
  std::function<std::unique_ptr<Adapter>()> make;
  // One that reports a failure when it acts; without it the runner reports one in its place.
  std::function<std::unique_ptr<Adapter>()> make_failing{};
  std::string action_class;
  base::Json payload;        // what `make` can act on
  base::Json other_payload;  // a different one
  // Everything the adapter reads, by name; `secret_name` is one of them, its value is distinctive
  // and has at least 8 characters.
  std::map<std::string, std::string> settings;
  std::string secret_name;
  // How many effects the far side has seen so far.
  std::function<std::size_t()> effects;
  // The same for every case: a fresh far side; called before each check when set.
  std::function<void()> reset{};
};

struct ConformanceTools {
  std::string scratch;  // a folder that exists; the runner writes below it and leaves it there
  const base::Clock& clock;
  base::Random& random;
};

struct ConformanceLine {
  std::string check;
  std::string note{};  // why it was skipped or who stood in; empty when it ran as it is
};
using ConformanceReport = std::vector<ConformanceLine>;

struct ConformanceViolation {
  std::string check;
  std::string what;  // one sentence, holds no secret
};

// The checks, in this order:
//   bad-token         refused, nothing called, nothing recorded
//   other-payload     payload-mismatch, nothing called, nothing recorded; the right one still runs
//   foreign-class     adapter-class-mismatch, nothing called, the token lives
//   dry-run           would start; nothing called, recorded or caused
//   happy-path        one act, one effect, between its start and its end on record
//   second-run        token-consumed or already-executed, nothing called, nothing recorded
//   published-secret  absent from result and log, counted, the window closed and kept by nobody
//   reported-failure  adapter-failed with the adapter's own code, execution.failed on record
//   observe           own classes only, nothing caused; skipped for an adapter that cannot look
tl::expected<ConformanceReport, ConformanceViolation> RunConformance(
    const ConformanceSubject& subject, const ConformanceTools& tools);

}  // namespace approval::adapters
