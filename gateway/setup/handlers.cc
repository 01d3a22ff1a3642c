#include "gateway/setup/verbs.h"

namespace approval::gateway {

HandlerMap SetupHandlers() {
  return {
      {"env", EnvVerb},
      {"setup", SetupVerb},
      {"setup identity", SetupIdentityVerb},
      {"setup vault", SetupVaultVerb},
      {"setup sampling", SetupSamplingVerb},
      {"setup channel", SetupChannelVerb},
      {"setup channel telegram", SetupTelegramVerb},
      {"setup adapter", SetupAdapterVerb},
      {"setup service", SetupServiceVerb},
  };
}

}  // namespace approval::gateway
