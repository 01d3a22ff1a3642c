// The adapters that come with the program, by exact name: for the verbs that run them and for
// setup.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gateway/invocation.h"
#include "vault/adapters/adapter.h"

namespace approval::gateway {

// Where the agent keeps the AgentMail key of its own.
inline constexpr const char* kAgentKeyVariable = "AGENTMAIL_API_KEY";

// Their names, sorted, and the same for sentences: "agentmail, email".
const std::vector<std::string>& BuiltInAdapters();
std::string BuiltInAdapterNames();

// With the options that the call's flags and environment allow (trust from SSL_CERT_FILE, an API
// base from --api-base), and a deadline of its own when one is given. Null for another name. The
// call outlives the adapter.
std::unique_ptr<adapters::Adapter> MakeBuiltInAdapter(
    std::string_view name, const Invocation& call,
    std::optional<std::int64_t> timeout_ms = std::nullopt);

}  // namespace approval::gateway
