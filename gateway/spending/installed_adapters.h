// The adapters that a person installed: programs whose manifests are in the vault
// (docs/adapters.md).
//
// Reading them opens the vault; no credential is handed out. Nothing is installed in a vault that
// is not there.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "core/base/error.h"
#include "gateway/invocation.h"
#include "vault/adapters/program_adapter.h"

namespace approval::gateway {

// By name; for an entry that cannot be used, one sentence that says why.
using InstalledAdapters =
    std::map<std::string, tl::expected<adapters::ProgramManifest, std::string>, std::less<>>;

// `credential-unavailable`, `credential-refused`.
base::Result<InstalledAdapters> ReadInstalled(const Invocation& call, adapters::WindowGrant grant);

// The sentence for a name that nothing answers to, with the names that are known.
std::string UnknownAdapter(std::string_view name, const InstalledAdapters& installed);

}  // namespace approval::gateway
