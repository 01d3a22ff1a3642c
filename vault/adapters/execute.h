// The one sequence that every adapter runs through (adapters.md 2.4).
//
// Nothing before the start appends or spends. The credential window of the action opens after the
// start is on record and is closed whatever happened. What comes back is redacted. An outcome that
// is not known is `execution.indeterminate`, never a failure; so is an act that throws. The hash is
// made here from the payload; nobody can hand one in. The gate belongs to the calling thread.
#pragma once

#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/gate/gate.h"
#include "vault/adapters/adapter.h"

namespace approval::adapters {

struct ExecuteAsk {
  std::string action_key;
  std::string actor;
  std::optional<base::Secret> token;  // else a sealed one that this machine can open
  base::Json payload;
};

struct Executed {
  bool ok = false;
  base::JsonObject answer;           // the result of adapters.md 2.4, members in its order
  std::optional<base::Error> error;  // why not, when not ok; decides the exit code
};

Executed ExecuteThroughAdapter(gate::Gate& gate, Adapter& adapter, const CredentialSource* source,
                               base::Random& random, const ExecuteAsk& ask);

// What the run would do, without its spend: the same checks in the same order, the start on a copy
// of the log, and the adapter's preview. `ok` says that the run would start; else `error` is what
// the run would answer before it acts. Credentials are read only when the token fits. The log, the
// token and the far side stay as they are; prechecks may read the far side.
//
// The answer: ok, dry_run, adapter, action_key, task, class, autonomy, state, payload_hash,
// bound_hash, checks [{check, ok, code?, message?}], code?, message?, adapter_code?, preview?,
// redactions. A check that was not reached is not listed.
Executed DryRunThroughAdapter(const gate::GateOptions& project, const base::Clock& clock,
                              const Adapter& adapter, const CredentialSource* source,
                              base::Random& random, const ExecuteAsk& ask);

// Whether running the key needs a token that neither the caller nor this machine has. A key that
// nobody declared needs one.
bool LacksToken(const gate::Gate& gate, const std::string& action_key);

// The grant that opens a window for this ask before anything is spent; nothing when no live token
// was shown and one is needed. For what must be known before the adapter is.
std::optional<WindowGrant> PresentedGrant(const gate::Gate& gate, const ExecuteAsk& ask);

}  // namespace approval::adapters
