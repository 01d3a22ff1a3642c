#include "gateway/verbs/handlers.h"

namespace approval::gateway {

HandlerMap FastHandlers() {
  return {
      {"init", InitVerb},
      {"policy check", PolicyCheckVerb},
      {"policy test", PolicyCheckVerb},
      {"policy attest", PolicyAttestVerb},
      {"payload hash", PayloadHashVerb},
      {"render payload", RenderPayloadVerb},
      {"render", RenderVerb},
      {"register", RegisterVerb},
      {"request", RequestVerb},
      {"queue", QueueVerb},
      {"wait", WaitVerb},
      {"grant", DecideVerb},
      {"reject", DecideVerb},
      {"revoke", DecideVerb},
      {"withdraw", WithdrawVerb},
      {"expire", ExpireVerb},
      {"token", TokenVerb},
      {"consume", ConsumeVerb},
      {"run", RunVerb},
      {"execution resolve", ExecutionResolveVerb},
      {"channel cli", ChannelCliVerb},
      {"approve", ApproveVerb},
      {"log verify", LogVerifyVerb},
      {"log tail", LogTailVerb},
      {"log show", LogShowVerb},
      {"log export", LogExportVerb},
      {"vault set", VaultSetVerb},
      {"vault list", VaultListVerb},
      {"vault remove", VaultRemoveVerb},
      {"vault passwd", VaultPasswdVerb},
      {"vault get", VaultGetVerb},
  };
}

}  // namespace approval::gateway
