// What every verb that runs an adapter does, whichever adapter it is (adapters.md 3).
//
// The result goes to stdout on success and to stderr otherwise, flat under --json. A dry run spends
// nothing and ends with 0 when the run would start, else with 1.
#pragma once

#include <optional>

#include <tl/expected.hpp>

#include "gateway/invocation.h"
#include "vault/adapters/execute.h"

namespace approval::gateway {

struct SpendAsk {
  adapters::ExecuteAsk ask;
  std::optional<std::int64_t> timeout_ms;
  bool dry_run = false;
};

// The ask out of the flags, in the order of adapters.md 3; or the exit code of what was said
// already. The key is the positional at `key_at`.
tl::expected<SpendAsk, int> ReadSpendAsk(const Invocation& call, std::size_t key_at);

// Runs it and says how it went; the exit code.
int Spend(const Invocation& call, const SpendAsk& spend, adapters::Adapter& adapter);

}  // namespace approval::gateway
