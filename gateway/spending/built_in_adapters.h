// The adapters that come with the program, by exact name: for the verbs that run them and for
// setup.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "gateway/invocation.h"
#include "vault/adapters/adapter.h"

namespace approval::gateway {

// Names of built-in adapters, for sentences: "agentmail, email".
std::string BuiltInAdapterNames();

// With the options that the call's flags and environment allow (trust from SSL_CERT_FILE, an API
// base from --api-base). Null for another name. The call outlives the adapter.
std::unique_ptr<adapters::Adapter> MakeBuiltInAdapter(std::string_view name,
                                                      const Invocation& call);

}  // namespace approval::gateway
