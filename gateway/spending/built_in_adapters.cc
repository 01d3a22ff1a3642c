#include "gateway/spending/built_in_adapters.h"

#include "vault/adapters/email/email_adapter.h"

namespace approval::gateway {

std::string BuiltInAdapterNames() { return "email"; }

std::unique_ptr<adapters::Adapter> MakeBuiltInAdapter(std::string_view name,
                                                      const Invocation& call) {
  if (name == "email") {
    adapters::email::EmailOptions options;
    options.ca_file = call.environment()("SSL_CERT_FILE").value_or("");
    return std::make_unique<adapters::email::EmailAdapter>(options, call.clock());
  }
  return nullptr;
}

}  // namespace approval::gateway
